import type { Blocks } from "@chaintape/blocks"
import * as BlocksStream from "@chaintape/blocks/stream"
import type { Block } from "@chaintape/core"
import type * as Operations from "@chaintape/core/api/BlocksOperations"
import type * as Operation from "@chaintape/core/api/Operation"
import type { ClientError } from "@chaintape/core/client/ClientError"
import type { BlockReplaced, InvalidCursor } from "@chaintape/core/stream/StreamError"
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
