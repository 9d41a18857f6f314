import { type Timeframe, timeframeSeconds } from "@chaintape/core"
import { defaultProducts, type JournalTrade, SandboxExchange } from "@chaintape/sandbox"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { candleRowJson } from "../../../../src/cex/CexJson.ts"
import { TapeReads } from "../../../../src/cex/tape/Tape.ts"
import type { TapeTrade } from "../../../../src/cex/tape/Tape.ts"
import * as ExactDecimal from "../../../../src/internal/ExactDecimal.ts"
import { call } from "../../../HttpCall.ts"
import { embedded, store } from "./TapeStores.ts"

const products = ["BTC-USD", "SHIB-USD"] as const
const rowsOfPage = 300

/** Two days, so that they contain a whole UTC day, whenever the test runs. */
const exchange = SandboxExchange.layer({
  products: defaultProducts.filter(({ id }) => products.some((product) => product === id)),
  history: "49 hours",
  historyTradesPerSecond: 0.2,
  rateLimit: "none"
}).pipe(Layer.orDie)

const exact = (text: string) => ExactDecimal.canonical(text) ?? assert.fail(text)

const recorded = ({ price, side, size, time, trade_id }: JournalTrade): TapeTrade => {
  const timestamp = Math.floor(Date.parse(time))
  return {
    id: String(trade_id),
    sequence: trade_id,
    timestamp,
    price: exact(price),
    size: exact(size),
    cost: ExactDecimal.multiply(exact(price), exact(size)),
    side: side === "buy" ? "sell" : "buy",
    receivedAt: timestamp
  }
}

const row = /\[(\d+),([\d.]+),([\d.]+),([\d.]+),([\d.]+),([\d.]+)\]/g

/** The exchange's own candles that start in `[from, to)` (Unix ms), oldest first, digit by digit. */
const own = Effect.fnUntraced(function* (product: string, timeframe: Timeframe, from: number, to: number) {
  const { rest } = yield* SandboxExchange
  const length = timeframeSeconds[timeframe]
  const found: Array<ReadonlyArray<string>> = []
  for (let start = from / 1000; start < to / 1000; start += length * rowsOfPage) {
    const end = Math.min(start + length * (rowsOfPage - 1), to / 1000 - length)
    const path = `/products/${product}/candles?granularity=${length}&start=${start}&end=${end}`
    const { body, status } = yield* call(rest, { path })
    assert.strictEqual(status, 200, body)
    const rows = [...body.matchAll(row)].map((match) => match.slice(1))
    found.push(...rows.reverse())
  }
  return found
})

const toJson = ([start = "", low = "", high = "", open = "", close = "", volume = ""]: ReadonlyArray<string>) =>
  candleRowJson({
    start: Number(start) * 1000,
    open: exact(open),
    high: exact(high),
    low: exact(low),
    close: exact(close),
    volume: exact(volume)
  })

describe("the candles of a recorded day", () => {
  layer(embedded.pipe(Layer.provideMerge(exchange)), { timeout: "120 seconds", excludeTestServices: true })((it) => {
    it.effect.each(products)("of %s are the exchange's own in every length, digit by digit", (product) =>
      Effect.gen(function* () {
        const reads = yield* TapeReads
        const journal = yield* (yield* SandboxExchange).journal(product)
        const trades = journal.map(recorded)
        const { id } = yield* store("sandbox", product, trades)
        const [first, last] = [trades[0], trades.at(-1)]
        if (first === undefined || last === undefined) return assert.fail("nothing was traded")
        let compared = 0
        for (const timeframe of ["1m", "5m", "15m", "1h", "6h", "1d"] as const) {
          const frame = timeframeSeconds[timeframe] * 1000
          const from = Math.floor(first.timestamp / frame) * frame
          const to = Math.floor(last.timestamp / frame) * frame
          const wanted = { timeframe, from, to: to - frame, limit: 10_000, take: "first" } as const
          const { count, rows } = yield* reads.candlePage(id, wanted)
          const theirs = (yield* own(product, timeframe, from, to)).map(toJson)
          assert.strictEqual(rows, theirs.join(","), timeframe)
          assert.isAtLeast(count, 86_400_000 / frame / 2)
          compared += count
          // The newest candle contains the newest trade, and aggregates all trades since its start.
          const newest = yield* reads.candlePage(id, { timeframe, from, to, limit: 1, take: "latest" })
          const inside = trades.filter(({ timestamp }) => timestamp >= to)
          assert.deepInclude(newest.ends?.[1], { start: to, trades: inside.length })
          const volume = inside.map(({ size }) => size).reduce(ExactDecimal.add)
          assert.isTrue(newest.rows.endsWith(`"v":${volume}}`), newest.rows)
        }
        assert.isAbove(compared, 3000)
      })
    )
  })
})
