import {
  type BlockReplaced,
  type Burn,
  type ClientError,
  type InvalidCursor,
  type Mint,
  type Pool,
  PoolAddress,
  type Swap,
  type Token
} from "@chaintape/core"
import type { Operation } from "@chaintape/core/operations"
import type * as Operations from "@chaintape/core/operations/dex"
import { type Dex, DexStream } from "@chaintape/dex"
import { expectTypeOf } from "@effect/vitest"
import type * as Stream from "effect/Stream"

type Expected<Op extends Operation.Any> = Operation.Problem<Op> | ClientError | InvalidCursor | BlockReplaced
type Of<A, Op extends Operation.Any> = Stream.Stream<A, Expected<Op>, Dex>

// Exactly the errors of reading a page, and those that a stream adds.
expectTypeOf<ReturnType<typeof DexStream.tokens>>().toEqualTypeOf<Of<Token, typeof Operations.tokens>>()
expectTypeOf<ReturnType<typeof DexStream.pools>>().toEqualTypeOf<Of<Pool, typeof Operations.pools>>()

const pool = PoolAddress.make("0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640")
const place = { exchange: "uniswap-v3", blockchain: "ethereum", pool } as const

// The kind decides the element.
const swaps = DexStream.poolTrades({ ...place, kind: "swap" })
const mints = DexStream.poolTrades({ ...place, kind: "mint" })
const burns = DexStream.poolTradePages({ ...place, kind: "burn" })
expectTypeOf(swaps).toEqualTypeOf<Of<Swap, typeof Operations.poolTrades>>()
expectTypeOf(mints).toEqualTypeOf<Of<Mint, typeof Operations.poolTrades>>()
expectTypeOf(burns).toEqualTypeOf<Of<DexStream.ListPage<Burn>, typeof Operations.poolTrades>>()

// Paging is the stream's own affair.
// @ts-expect-error `skip` is none of its parameters
void DexStream.pools({ exchange: "uniswap-v3", blockchain: "ethereum", skip: 5 })

// A stream that follows a pool emits reorgs as events, not as errors.
type Live<A> = Stream.Stream<A, Exclude<Expected<typeof Operations.poolTrades>, BlockReplaced>, Dex>
expectTypeOf(DexStream.liveSwaps(place)).toEqualTypeOf<Live<DexStream.NewSwap | DexStream.Reorg>>()
expectTypeOf(DexStream.liveSwapPages(place)).toEqualTypeOf<Live<DexStream.LivePage<DexStream.NewSwap>>>()
