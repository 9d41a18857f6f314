import { Decimal } from "@chaintape/core"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Headers from "effect/http/Headers"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { Market } from "../../src/cex/Market.ts"
import type { Trade } from "../../src/cex/Trade.ts"
import * as Answer from "../../src/operation/Answer.ts"
import { type ReadTrades, type TradePage, tradePages, type TradesRequest } from "../../src/stream/TradeStream.ts"

export const place = { exchange: "model", market: Market.make("BTC/USD") } as const

/** A read that failed permanently. */
export class Broken extends Data.TaggedError("Broken")<{ readonly read: number }> {}

/** The time of a trade, and the time from which the service shows it (Unix milliseconds). */
export interface Shown {
  readonly time: number
  readonly shownAt: number
}

const tradeAt = (time: number, index: number): Trade => ({
  id: `t${index}`,
  timestamp: DateTime.makeUnsafe(time),
  price: Decimal.make(100 + index),
  size: Decimal.make("1"),
  cost: Decimal.make(100 + index),
  side: "buy"
})

export const idsOf = (trades: ReadonlyArray<Trade>): ReadonlyArray<string> => trades.map(({ id }) => id)

/** A service whose trades appear as the clock advances; the reads of `failing` (the first is 1) fail. */
export const modelMarket = (tape: ReadonlyArray<Shown>, failing: ReadonlySet<number> = new Set()) => {
  const inOrder = tape
    .map(({ shownAt, time }, index) => ({ time, shownAt, trade: tradeAt(time, index) }))
    .sort((left, right) => left.time - right.time)
  const reads: Array<{ readonly at: number; readonly since: number; readonly limit: number }> = []

  const read: ReadTrades<Broken, never> = Effect.fnUntraced(function* ({ exchange, limit = 200, market, since }) {
    const at = yield* Clock.currentTimeMillis
    const from = since === undefined ? 0 : DateTime.toEpochMillis(since)
    reads.push({ at, since: from, limit })
    if (failing.has(reads.length)) return yield* new Broken({ read: reads.length })
    const shown = inOrder.filter(({ shownAt, time }) => shownAt <= at && time >= from).slice(0, limit)
    const trades = shown.map(({ trade }) => trade)
    const headers = Headers.fromInput({ "chaintape-coverage": `complete=?1, from=${from}` })
    return Answer.make({ exchange, market, trades }, headers)
  })

  return { read, reads, ids: inOrder.map(({ trade }) => trade.id) }
}

/**
 * Reads a stream in pieces: it is ended after as many pages as `cuts` says, and continues from the cursor of the last
 * page, also after a failure. A live stream pauses in between. After the last cut it runs to its end.
 */
export const readInPieces = Effect.fnUntraced(function* (
  read: ReadTrades<Broken, never>,
  request: TradesRequest,
  cuts: ReadonlyArray<number>
) {
  const pages: Array<TradePage> = []
  let cursor = request.cursor
  for (let piece = 0; ; piece++) {
    const cut = cuts[piece]
    const stream = tradePages(read, { ...request, cursor })
    const result = yield* (cut === undefined ? stream : Stream.take(stream, cut)).pipe(
      Stream.runForEach((page) =>
        Effect.sync(() => {
          pages.push(page)
          cursor = page.cursor
        })
      ),
      Effect.result
    )
    if (Result.isFailure(result) && result.failure._tag !== "Broken") return yield* result.failure
    if (Result.isSuccess(result) && cut === undefined) return pages
    if (request.live === true) yield* Effect.sleep("800 millis")
  }
})

export const tradesOf = (pages: ReadonlyArray<TradePage>): ReadonlyArray<Trade> => pages.flatMap(({ trades }) => trades)
