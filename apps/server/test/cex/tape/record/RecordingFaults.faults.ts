import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { beSkewed, caughtUp, compare, longHistory, longStops, menuOf, provided, world } from "./FaultyMarket.ts"
import { readStatus, stopWatching, waitFor } from "./RecordingService.ts"

const faults = [...menuOf(1), ...longStops]

describe("a service that records a market", () => {
  it.live(
    "equals the exchange's journal after 100,000 trades, under every fault",
    () =>
      Effect.gen(function* () {
        const skew = yield* beSkewed(faults)
        const { begin, end, service, watching } = yield* world
        const origin = yield* Effect.flatten(begin)
        const watcher = yield* Effect.forkChild(watching.run)
        yield* waitFor(
          "100,000 trades",
          Effect.map(readStatus(origin), ({ stored }) => (stored > 100_000 ? stored : undefined)),
          300_000
        )
        const target = yield* caughtUp(origin)
        yield* stopWatching(watcher)
        const last = yield* readStatus(origin)
        yield* Effect.logInfo(JSON.stringify(last))
        yield* end("SIGTERM")
        assert.isAbove(yield* compare(service, target, watching.seen, skew), 100_000)
        assert.isAbove(watching.seen.withGaps, 0)
        assert.isAbove(last.disconnects, 0)
      }).pipe(provided({ tradesPerSecond: 1700, ...longHistory })),
    900_000
  )
})
