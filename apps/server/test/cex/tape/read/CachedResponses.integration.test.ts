import { SandboxExchange } from "@chaintape/sandbox"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Schedule } from "effect"
import type { Started } from "../../../StartedProgram.ts"
import { readMetrics } from "../../../StartedProgram.ts"
import {
  configured,
  toOrigin,
  readLast,
  readStatus,
  readTrades,
  signal,
  startService,
  waitFor
} from "../record/RecordingService.ts"

/** Slow enough that most requests arrive while nothing has changed. */
const exchange = SandboxExchange.layer({
  products: [
    { id: "BTC-USD", base: "BTC", quote: "USD", priceDecimals: 2, sizeDecimals: 8, referencePrice: "67250.00" }
  ],
  tradesPerSecond: 4,
  history: "2 minutes",
  historyTradesPerSecond: 4
})

const journal = Effect.flatMap(SandboxExchange, ({ journal }) => Effect.orDie(journal("BTC-USD")))

const newest = Effect.map(journal, (all) => all.at(-1)?.trade_id ?? 0)

const answeredAgain = (started: Started) =>
  Effect.map(readMetrics(started), (metrics) =>
    Number(/^chaintape_http_answered_again_total (\d+)$/m.exec(metrics)?.[1] ?? 0)
  )

describe("responses of a tape that grows", () => {
  it.live(
    "never miss a trade of an earlier response, and follow the exchange",
    () =>
      Effect.gen(function* () {
        const service = yield* configured(yield* SandboxExchange)
        const started = yield* startService(service)
        const origin = yield* toOrigin(started)
        yield* waitFor(
          "a live recording",
          Effect.map(readStatus(origin), ({ missing, state }) =>
            state === "live" && missing === 0 ? true : undefined
          ),
          60_000
        )
        const before = yield* answeredAgain(started)
        let highest = 0
        const poll = Effect.gen(function* () {
          for (const answered of [
            yield* readLast(origin),
            (yield* readTrades(origin, 5))?.trades.at(-1)?.id,
            yield* readLast(origin)
          ]) {
            assert.isAtLeast(Number(answered), highest)
            highest = Number(answered)
          }
        })
        const first = yield* newest
        const rounds = Schedule.spaced("40 millis").pipe(Schedule.upTo({ times: 15 }))
        const isEnough = Effect.gen(function* () {
          yield* Effect.repeat(poll, rounds)
          return (yield* newest) > first + 10 && (yield* answeredAgain(started)) > before + 20
        })
        yield* Effect.repeat(isEnough, { until: (enough) => enough })
        // Whatever the exchange had published by now is served soon.
        const printed = yield* newest
        assert.isAbove(printed, first + 10)
        yield* waitFor(
          `the trade ${printed}`,
          Effect.map(readLast(origin), (id) => (Number(id) >= printed ? true : undefined)),
          10_000
        )
        const truth = new Map((yield* journal).map(({ price, trade_id }) => [String(trade_id), Number(price)]))
        for (const { id, price } of (yield* readTrades(origin, 5))?.trades ?? [])
          assert.strictEqual(price, truth.get(id))
        const again = (yield* answeredAgain(started)) - before
        yield* Effect.logInfo(`${again} answers were sent again while ${printed - first} trades were printed`)
        assert.isAbove(again, 20)
        yield* signal(started, "SIGTERM")
      }).pipe(Effect.scoped, Effect.provide(Layer.merge(exchange, NodeServices.layer))),
    180_000
  )
})
