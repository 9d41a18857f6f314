import { Cex, CexStream } from "@chaintape/cex"
import { Market, type Trade } from "@chaintape/core"
import { type JournalTrade, SandboxExchange } from "@chaintape/sandbox"
import { assert, describe, layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Option, Redacted, Stream } from "effect"
import { recordedService, recordedTrades } from "../cex/RecordedService.ts"
import { key, RunningService } from "../RunningService.ts"
import { overExchange } from "../SandboxService.ts"

const market = Market.make("BTC/USD")

/** With the client of a running service. */
const withCex = <A, E>(effect: Effect.Effect<A, E, Cex>) =>
  Effect.flatMap(RunningService, ({ origin }) =>
    Effect.provide(effect, Cex.layer({ baseUrl: origin, apiKey: Redacted.make(key) }))
  )

const toIds = (trades: ReadonlyArray<Trade>) => trades.map(({ id }) => Number(id))

describe("a stream of trades", () => {
  layer(overExchange, { excludeTestServices: true, timeout: 240_000 })(
    "over a sandbox exchange that continues to trade",
    (it) => {
      const millis = ({ time }: JournalTrade) =>
        DateTime.toEpochMillis(DateTime.makeUnsafe(time.replace(/\d{3}Z$/, "Z")))

      const journalBetween = Effect.fnUntraced(function* (since: DateTime.Utc, until: DateTime.Utc) {
        const all = yield* Effect.flatMap(SandboxExchange, (exchange) => exchange.journal("BTC-USD"))
        const [from, to] = [DateTime.toEpochMillis(since), DateTime.toEpochMillis(until)]
        return all.filter((trade) => millis(trade) >= from && millis(trade) <= to).map(({ trade_id }) => trade_id)
      })

      it.effect(
        "is its journal, from ten seconds ago and live for two, in pages of 7, 100 and 5,000",
        () =>
          Effect.gen(function* () {
            const now = yield* DateTime.now
            const since = DateTime.subtract(now, { seconds: 10 })
            const until = DateTime.add(now, { seconds: 2 })
            const pollEvery = Duration.millis(300)
            // How late a trade of a time may appear on a slow machine.
            const settle = Duration.seconds(5)
            const request = { exchange: "sandbox", market, since, until, live: true, pollEvery, settle }
            const streams = yield* Effect.forEach(
              [7, 100, 5000],
              (pageSize) => withCex(Stream.runCollect(CexStream.trades({ ...request, pageSize }))),
              { concurrency: "unbounded" }
            )
            const truth = yield* journalBetween(since, until)
            assert.isAbove(truth.length, 20)
            for (const trades of streams) assert.deepStrictEqual(toIds(trades), truth)
          }),
        240_000
      )

      it.effect(
        "is its journal when it is cut after every page",
        () =>
          Effect.gen(function* () {
            const journal = yield* Effect.flatMap(SandboxExchange, (exchange) => exchange.journal("BTC-USD"))
            const newest = DateTime.makeUnsafe(journal.at(-1)?.time ?? 0)
            const since = DateTime.subtract(newest, { minutes: 2 })
            // Earlier trades are present, and no cached response is older.
            const until = DateTime.subtract(newest, { seconds: 10 })
            const trades: Array<Trade> = []
            let cursor: string | undefined
            yield* withCex(
              Effect.gen(function* () {
                for (let isEnd = false; !isEnd;) {
                  const request = { exchange: "sandbox", market, since, until, pageSize: 40, cursor }
                  const [page] = yield* Stream.runCollect(Stream.take(CexStream.tradePages(request), 1))
                  trades.push(...(page?.trades ?? []))
                  isEnd = page === undefined || page.trades.length === 0
                  cursor = page?.cursor
                }
              })
            )
            const truth = yield* journalBetween(since, until)
            assert.isAbove(truth.length, 100)
            assert.deepStrictEqual(toIds(trades), truth)
          }),
        240_000
      )
    }
  )

  layer(recordedService, { excludeTestServices: true, timeout: 240_000 })("over a tape", (it) => {
    // The earlier ones have no neighbor on the tape that proves them, and the exchange is down.
    const proven = recordedTrades.slice(3)

    it.effect.each([999, 5000, 50_000])(
      "is all of it, proven to be complete, in pages of %i",
      (pageSize) =>
        Effect.gen(function* () {
          const since = DateTime.makeUnsafe(proven[0]?.timestamp ?? 0)
          const request = { exchange: "recorded", market, since, pageSize }
          const pages = yield* withCex(Stream.runCollect(CexStream.tradePages(request)))
          assert.deepStrictEqual(
            pages.flatMap(({ trades }) => trades.map(({ id }) => id)),
            proven.map(({ id }) => id)
          )
          for (const { coverage } of pages) {
            assert.deepStrictEqual(
              Option.map(coverage, ({ state }) => state),
              Option.some("complete")
            )
          }
        }),
      240_000
    )
  })
})
