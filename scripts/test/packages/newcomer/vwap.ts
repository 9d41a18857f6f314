/** A service on Effect: the exact average price of a market by volume, which can stop and go on from a cursor. */
import { type Cex, CexStream } from "@chaintape/cex"
import { Decimal, Market } from "@chaintape/core"
import * as BigDecimal from "effect/BigDecimal"
import type * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

export interface Progress {
  readonly cursor: string | undefined
  readonly volume: BigDecimal.BigDecimal
  readonly cost: BigDecimal.BigDecimal
  readonly gaps: number
}

const zero = BigDecimal.fromBigInt(0n)
export const start: Progress = { cursor: undefined, volume: zero, cost: zero, gaps: 0 }

const add = (sum: BigDecimal.BigDecimal, decimals: ReadonlyArray<Decimal.Decimal>) =>
  BigDecimal.sum(sum, Decimal.toBigDecimal(Decimal.sum(decimals)))

/** Reads `pages` further pages. */
export const advance = (progress: Progress, pages: number): Effect.Effect<Progress, CexStream.TradeStreamError, Cex> =>
  CexStream.tradePages({
    exchange: "stub",
    market: Market.make("btc-usd"),
    since: "2026-01-02T00:00:00Z",
    pageSize: 20,
    cursor: progress.cursor
  }).pipe(
    Stream.take(pages),
    Stream.runFold(
      () => progress,
      ({ cost, gaps, volume }, { coverage, cursor, trades }): Progress => ({
        cursor,
        volume: add(
          volume,
          trades.map(({ size }) => size)
        ),
        cost: add(
          cost,
          trades.map((trade) => trade.cost)
        ),
        gaps: gaps + (coverage._tag === "Some" && coverage.value.state === "incomplete" ? 1 : 0)
      })
    )
  )

export const format = ({ cost, volume }: Progress): string =>
  `${Decimal.fromBigDecimal(BigDecimal.normalize(cost))} / ${Decimal.fromBigDecimal(BigDecimal.normalize(volume))}`
