import type { candleEnd, isCandleClosed, PoolMath, signedSize } from "@chaintape/core"
import {
  type BlocksStream,
  type CexStream,
  DexStream,
  type Chaintape,
  createClient,
  type ChaintapeOptions,
  type Plain
} from "@chaintape/core/promise"
import { expectTypeOf } from "@effect/vitest"
// Only what a user without Effect has: no import of effect here.
import type { Decimal } from "../../src/number/Decimal.ts"

type Answered<F extends (...args: never) => Promise<unknown>> = Awaited<ReturnType<F>>
type Element<F extends (...args: never) => AsyncIterable<unknown>> =
  ReturnType<F> extends AsyncIterable<infer A> ? A : never
type Request<F extends (request: never, ...rest: never) => unknown> = Parameters<F>[0]

type Cex = Chaintape["cex"]
type Dex = Chaintape["dex"]
type Blocks = Chaintape["blocks"]

// Input: strings, numbers, Dates.
expectTypeOf(createClient).parameter(0).toEqualTypeOf<ChaintapeOptions>()
expectTypeOf<ChaintapeOptions["apiKey"]>().toEqualTypeOf<string | undefined>()
expectTypeOf<Request<Cex["trades"]>>().toEqualTypeOf<{
  readonly exchange: string
  readonly market: string
  readonly limit?: number | undefined
  readonly since?: Date | number | string | undefined
}>()
expectTypeOf<Request<Cex["lastCandle"]>["timeframe"]>().toEqualTypeOf<"1m" | "5m" | "15m" | "1h" | "6h" | "1d">()
expectTypeOf<Request<Dex["pool"]>["pool"]>().toEqualTypeOf<string>()
expectTypeOf<Parameters<typeof CexStream.trades>[1]["since"]>().toEqualTypeOf<Date | number | string>()
expectTypeOf<{ readonly limit: number }>().not.toExtend<Request<Cex["lastTrade"]>>()

// A request may be omitted only if it has no required member.
expectTypeOf<[]>().toExtend<Parameters<Cex["exchanges"]>>()
expectTypeOf<[]>().toExtend<Parameters<Blocks["blockchains"]>>()
expectTypeOf<[]>().not.toExtend<Parameters<Cex["lastTrade"]>>()

// Output: Dates, and undefined for optional values.
expectTypeOf<Answered<Cex["lastTrade"]>["timestamp"]>().toEqualTypeOf<Date>()
expectTypeOf<Answered<Cex["lastTrade"]>["price"]>().toEqualTypeOf<Decimal>()
expectTypeOf<Answered<Cex["lastTrade"]>["market"]>().toExtend<string>()
expectTypeOf<Answered<Cex["trades"]>["trades"][number]["timestamp"]>().toEqualTypeOf<Date>()
expectTypeOf<Answered<Dex["pool"]>["token0"]["decimals"]>().toEqualTypeOf<Decimal>()
expectTypeOf<Answered<Blocks["blocks"]>[number]["totalDifficulty"]>().toEqualTypeOf<bigint | undefined>()
expectTypeOf<Answered<Cex["withResponse"]["trades"]>["coverage"]>().toEqualTypeOf<
  | {
      readonly state: "complete" | "incomplete" | "unverifiable"
      readonly from: Date | undefined
      readonly to: Date | undefined
      readonly unproven: ReadonlyArray<{ readonly from: Date; readonly to: Date }>
    }
  | undefined
>()
expectTypeOf<Answered<Dex["poolTrades"]>["mints"]>().toExtend<ReadonlyArray<object> | undefined>()
expectTypeOf<Element<typeof CexStream.trades>>().toEqualTypeOf<Answered<Cex["trades"]>["trades"][number]>()
expectTypeOf<Element<typeof DexStream.pools>>().toEqualTypeOf<Answered<Dex["pools"]>[number]>()
expectTypeOf<Element<typeof BlocksStream.blocks>>().toEqualTypeOf<Answered<Blocks["blocks"]>[number]>()

// The kind of a stream decides its element.
const swaps = (chaintape: Chaintape) =>
  DexStream.poolTrades(chaintape, { exchange: "x", blockchain: "y", pool: "0x", kind: "swap" })
expectTypeOf<Element<typeof swaps>["sqrtPriceX96"]>().toEqualTypeOf<Decimal | "">()
const mints = (chaintape: Chaintape) =>
  DexStream.poolTrades(chaintape, { exchange: "x", blockchain: "y", pool: "0x", kind: "mint" })
expectTypeOf<Element<typeof mints>>().not.toHaveProperty("sqrtPriceX96")

// Helpers accept what the client returns.
expectTypeOf<Element<typeof swaps>>().toExtend<Parameters<typeof PoolMath.swapSides>[0]>()
expectTypeOf<Answered<Dex["pool"]>>().toExtend<Parameters<typeof PoolMath.poolPrice>[0]>()
expectTypeOf<Answered<Cex["trades"]>["trades"][number]>().toExtend<Parameters<typeof signedSize>[0]>()
expectTypeOf<Answered<Cex["lastCandle"]>>().toExtend<Parameters<typeof candleEnd>[0]>()
expectTypeOf<Date>().toExtend<Parameters<typeof isCandleClosed>[1]>()

// No value has a type of Effect.
expectTypeOf<Plain<{ readonly a: ReadonlyArray<{ readonly b?: string }> }>>().toEqualTypeOf<{
  readonly a: ReadonlyArray<{ readonly b?: string }>
}>()

// A value is plain however often a type says so: a `Date` stays one.
type LiveBlock = Exclude<Element<typeof BlocksStream.liveBlockPages>["events"][number], { readonly _tag: "Reorg" }>
type LiveSwap = Exclude<Element<typeof DexStream.liveSwapPages>["events"][number], { readonly _tag: "Reorg" }>
expectTypeOf<LiveBlock["block"]["timestamp"]>().toEqualTypeOf<Date>()
expectTypeOf<LiveSwap["swap"]["timestamp"]>().toEqualTypeOf<Date>()
expectTypeOf<CexStream.TradePage["trades"][number]["timestamp"]>().toEqualTypeOf<Date>()
