import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Random } from "effect"
import { beSkewed, caughtUp, compare, longHistory, longStops, menuOf, provided, world } from "./FaultyMarket.ts"
import { readStatus, stopWatching, waitFor } from "./RecordingService.ts"

const kills = Number(process.env["CHAINTAPE_KILLS"] ?? 20)
const faults = [...menuOf(1), ...longStops]

describe("a service that records a market", () => {
  it.live(
    `equals the exchange's journal after ${kills} random kills, under every fault`,
    () =>
      Effect.gen(function* () {
        const { begin, end, service, watching } = yield* world
        const first = yield* Effect.flatten(begin)
        yield* waitFor(
          "the history",
          Effect.map(readStatus(first), ({ missing, stored }) => (stored > 0 && missing === 0 ? true : undefined)),
          300_000
        )
        const skew = yield* beSkewed(faults)
        const watcher = yield* Effect.forkChild(watching.run)
        for (let killed = 0; killed < kills; killed++) {
          yield* Effect.sleep(yield* Random.nextIntBetween(50, 1200))
          yield* end("SIGKILL")
          const start = yield* Effect.forkChild(yield* begin)
          // Every fourth is killed during its start.
          if (killed % 4 > 0) yield* Fiber.join(start)
          else yield* Effect.sleep("1 second")
          yield* Fiber.interrupt(start)
        }
        yield* end("SIGKILL")
        const origin = yield* Effect.flatten(begin)
        yield* waitFor(
          "100,000 trades",
          Effect.map(readStatus(origin), ({ stored }) => (stored > 100_000 ? stored : undefined)),
          300_000
        )
        const target = yield* caughtUp(origin)
        yield* stopWatching(watcher)
        yield* end("SIGTERM")
        assert.isAbove(yield* compare(service, target, watching.seen, skew), 100_000)
      }).pipe(provided({ tradesPerSecond: 900, ...longHistory })),
    1_200_000
  )
})
