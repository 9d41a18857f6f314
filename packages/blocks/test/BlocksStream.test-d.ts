import { type Blocks, BlocksStream } from "@chaintape/blocks"
import type { Block, BlockReplaced, ClientError, InvalidCursor } from "@chaintape/core"
import type { Operation } from "@chaintape/core/operations"
import type * as Operations from "@chaintape/core/operations/blocks"
import { expectTypeOf } from "@effect/vitest"
import type * as Stream from "effect/Stream"

type Expected = Operation.Problem<typeof Operations.blocks> | ClientError | InvalidCursor | BlockReplaced

// Exactly the errors of reading a page, and those that a stream adds.
expectTypeOf<ReturnType<typeof BlocksStream.blocks>>().toEqualTypeOf<Stream.Stream<Block, Expected, Blocks>>()
expectTypeOf<ReturnType<typeof BlocksStream.blockPages>>().toEqualTypeOf<
  Stream.Stream<BlocksStream.ListPage<Block>, Expected, Blocks>
>()

// Paging is the stream's own affair.
// @ts-expect-error `limit` is none of its parameters
void BlocksStream.blocks({ blockchain: "ethereum", limit: 5 })

// A stream that follows a chain emits reorgs as events, not as errors.
type Live<A> = Stream.Stream<A, Exclude<Expected, BlockReplaced>, Blocks>
expectTypeOf<ReturnType<typeof BlocksStream.liveBlocks>>().toEqualTypeOf<
  Live<BlocksStream.NewBlock | BlocksStream.Reorg>
>()
expectTypeOf<ReturnType<typeof BlocksStream.liveBlockPages>>().toEqualTypeOf<
  Live<BlocksStream.LivePage<BlocksStream.NewBlock>>
>()
