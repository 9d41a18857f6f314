import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { beSkewed, caughtUp, compare, menuOf, provided, world } from "./FaultyMarket.ts"
import { readStatus, stopWatching, waitFor } from "./RecordingService.ts"

const patienceMs = 60_000

describe("a service that records a market, with 100,000 trades and twenty kills in RecordingFaults", () => {
  it.live("equals the exchange's journal, also if the exchange fails and the service is killed", () =>
    Effect.gen(function* () {
      const { begin, end, service, watching } = yield* world
      const first = yield* Effect.flatten(begin)
      const storedAtLeast = (origin: string, least: number) =>
        waitFor(
          `${least} trades`,
          Effect.map(readStatus(origin), ({ stored }) => (stored >= least ? stored : undefined)),
          patienceMs
        )
      const history = yield* storedAtLeast(first, 2000)
      const skew = yield* beSkewed(menuOf(5))
      const watcher = yield* Effect.forkChild(watching.run)
      yield* storedAtLeast(first, history + 300)
      yield* end("SIGKILL")
      const origin = yield* Effect.flatten(begin)
      yield* waitFor(
        "a lost connection",
        Effect.map(readStatus(origin), ({ disconnects }) => (disconnects > 0 ? true : undefined)),
        patienceMs
      )
      yield* storedAtLeast(origin, 4000)
      const target = yield* caughtUp(origin)
      yield* stopWatching(watcher)
      yield* end("SIGTERM")
      assert.isAbove(yield* compare(service, target, watching.seen, skew), 3000)
      assert.isAbove(watching.seen.withGaps, 0)
      assert.isAbove(watching.seen.prices.size, 0)
    }).pipe(provided({ tradesPerSecond: 300, history: "20 seconds", historyTradesPerSecond: 100 }))
  )
})
