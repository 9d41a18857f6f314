/**
 * Mints, burns and swaps of a test as the service lists them.
 *
 * @since 0.1.0
 */
import type { Burn, Mint, Swap } from "@chaintape/core"
import * as Operations from "@chaintape/core/operations/dex"
import { Script, mockResponse } from "@chaintape/core/testing"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { asOf } from "./Chain.ts"

/**
 * The trades of a test; omitted kinds are empty.
 *
 * @since 0.1.0
 * @category models
 */
export interface TradeRows {
  readonly burns?: ReadonlyArray<Script.Unbranded<Burn>>
  readonly mints?: ReadonlyArray<Script.Unbranded<Mint>>
  readonly swaps?: ReadonlyArray<Script.Unbranded<Swap>>
}

type Row = Script.Unbranded<Burn> | Script.Unbranded<Mint> | Script.Unbranded<Swap>

interface Window extends Script.PageRequest {
  readonly from?: DateTime.Utc | undefined
  readonly to?: DateTime.Utc | undefined
}

const byTime = Script.byField("timestamp", "desc")
const byLog = Script.byField("logIndex", "desc")
const newestFirst = (a: Row, b: Row) => byTime(a, b) || byLog(a, b)

const list = <A extends Row>(rows: ReadonlyArray<A> | undefined, request: Window): ReadonlyArray<A> => {
  const { from, to } = request
  const selected = (rows ?? []).filter(
    ({ timestamp }) =>
      (from === undefined || DateTime.isGreaterThanOrEqualTo(timestamp, from)) &&
      (to === undefined || DateTime.isLessThanOrEqualTo(timestamp, to))
  )
  return Script.pageOf(selected, request, newestFirst)
}

/**
 * @since 0.1.0
 * @category lines
 */
export const poolTradesLine = (
  head: number | undefined,
  trades: Script.Scripted<typeof Operations.poolTrades, TradeRows>
) =>
  Script.line<typeof Operations.poolTrades, TradeRows>(Operations.poolTrades, trades, (given, request) =>
    Effect.map(asOf(head, request), (metadata) =>
      mockResponse(
        {
          pool: request.pool,
          ...(request.burn === false ? {} : { burns: list(given.burns, request) }),
          ...(request.mint === false ? {} : { mints: list(given.mints, request) }),
          ...(request.swap === false ? {} : { swaps: list(given.swaps, request) })
        },
        metadata
      )
    )
  )

const side = <A extends Row>(rows: ReadonlyArray<A> | undefined, name: "token0" | "token1", token: string) =>
  rows?.filter(({ pool }) => pool[name].id.toLowerCase() === token)

/**
 * The trades, separated by the token's side of the pool.
 *
 * @since 0.1.0
 * @category lines
 */
export const tokenTradesLine = (
  head: number | undefined,
  trades: Script.Scripted<typeof Operations.tokenTrades, TradeRows>
) =>
  Script.line<typeof Operations.tokenTrades, TradeRows>(Operations.tokenTrades, trades, (given, request) =>
    Effect.map(asOf(head, request), (metadata) => {
      const { base, burn, mint, quote, swap, token } = request
      const of = <A extends Row>(rows: ReadonlyArray<A> | undefined, name: "token0" | "token1") =>
        list(side(rows, name, token), request)
      return mockResponse(
        {
          token,
          ...(burn === false || base === false ? {} : { burnsAs0: of(given.burns, "token0") }),
          ...(burn === false || quote === false ? {} : { burnsAs1: of(given.burns, "token1") }),
          ...(mint === false || base === false ? {} : { mintsAs0: of(given.mints, "token0") }),
          ...(mint === false || quote === false ? {} : { mintsAs1: of(given.mints, "token1") }),
          ...(swap === false || base === false ? {} : { swapsAs0: of(given.swaps, "token0") }),
          ...(swap === false || quote === false ? {} : { swapsAs1: of(given.swaps, "token1") })
        },
        metadata
      )
    })
  )
