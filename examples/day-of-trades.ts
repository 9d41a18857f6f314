// Every trade of the last 24 hours, page by page, with one coverage for all pages.
import { Cex } from "@chaintape/cex"
import { Decimal, Market, type Trade } from "@chaintape/core"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, DateTime, Effect, Option, Stream } from "effect"

const exchange = "sandbox"
const market = Market.make("BTC/USD")
const limit = 5000

interface Place {
  readonly since: DateTime.Utc
  /** Trades of the previous page with the time `since`: the next page begins with them again. */
  readonly seen: ReadonlySet<string>
}

interface Page {
  readonly trades: ReadonlyArray<Trade>
  readonly isComplete: boolean
}

/** One page, and the start of the next one: the time of its last trade, or none. */
const readPage = Effect.fn("readPage")(function* ({ seen, since }: Place) {
  const cex = yield* Cex
  const { coverage, value } = yield* cex.withResponse.trades({ exchange, market, since, limit })
  const page: Page = {
    trades: value.trades.filter(({ id }) => !seen.has(id)),
    isComplete: Option.exists(coverage, ({ state }) => state === "complete")
  }
  const last = page.trades.at(-1)
  if (last === undefined || value.trades.length < limit) return [[page], Option.none<Place>()] as const
  const atEnd = value.trades.filter(({ timestamp }) => DateTime.Equivalence(timestamp, last.timestamp))
  const next: Place = { since: last.timestamp, seen: new Set(atEnd.map(({ id }) => id)) }
  return [[page], Option.some(next)] as const
})

const program = Effect.gen(function* () {
  const first: Place = { since: DateTime.subtract(yield* DateTime.now, { hours: 24 }), seen: new Set() }
  const total = yield* Stream.runFold(
    Stream.paginate(first, readPage),
    () => ({ trades: 0, volume: Decimal.sum([]), isComplete: true }),
    (sum, { isComplete, trades }) => ({
      trades: sum.trades + trades.length,
      volume: Decimal.sum([sum.volume, ...trades.map(({ size }) => size)]),
      isComplete: sum.isComplete && isComplete
    })
  )
  const verdict = total.isComplete ? "none is missing" : "some may be missing"
  yield* Console.log(
    `${total.trades} trades of ${market}, ${Decimal.format(total.volume, { fractionDigits: 4 })} in all: ${verdict}`
  )
})

program.pipe(Effect.provide(Cex.layerConfig()), NodeRuntime.runMain)
