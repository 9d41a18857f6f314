import { assert, describe, layer } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { recordedServiceAt } from "../../cex/RecordedService.ts"
import { keyed } from "../../RunningService.ts"
import { cutReaders, places, slowReaders } from "./SlowReading.ts"

const readers = 20

const bulk = "/v2/cex/recorded/BTC-USD/trades?limit=50000"
const small = "/v2/cex/recorded/BTC-USD/lasttrade"

const often = Schedule.spaced("50 millis")

describe.each([
  ["the long way", false],
  ["and sent again", true]
])("readers of 50,000 trades who take a kilobyte a second, %s", (_way, isStill) => {
  layer(recordedServiceAt({ isStill, minimumReadRate: { bytes: 96 * 1024, withinMs: 1000 } }), {
    timeout: "60 seconds",
    excludeTestServices: true
  })((it) => {
    it.effect("take all slots and no more, delay no other request, and are disconnected", () =>
      Effect.gen(function* () {
        // A cached response was sent before.
        yield* keyed(bulk)
        const before = yield* cutReaders
        const { refused, served } = yield* slowReaders(bulk, readers)
        assert.strictEqual(served + refused, readers)
        assert.isAtLeast(served, places)
        assert.strictEqual((yield* keyed(small)).status, 200)
        const large = yield* keyed(bulk).pipe(Effect.repeat({ until: ({ status }) => status === 200, schedule: often }))
        assert.isAbove(large.body.length, 5_000_000)
        const cut = yield* cutReaders.pipe(
          Effect.map((now) => now - before),
          Effect.repeat({ until: (count) => count >= served, schedule: often, times: 600 })
        )
        assert.strictEqual(cut, served)
      }).pipe(Effect.scoped)
    )
  })
})
