import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import type { LiveFeed } from "../../src/live/LiveFeed.ts"
import { openReader, subscriptionsFor } from "./TestReader.ts"

setFlagsFromString("--expose-gc")
const collectGarbage: () => void = runInNewContext("gc")

const makeFeed = (name: string): LiveFeed => ({
  name,
  watch: Effect.succeed(Effect.sleep("1 second")),
  open: () => Effect.succeed({ cursor: () => "0", next: () => Effect.succeed([]) })
})

/** The number of these that are still in memory. */
const countHeld = Effect.fnUntraced(function* (all: ReadonlyArray<WeakRef<object>>) {
  for (let round = 0; round < 2; round++) {
    yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
    collectGarbage()
  }
  return all.filter((one) => one.deref() !== undefined).length
})

describe("subscriptions", () => {
  it.effect("release the feeds without subscribers", () =>
    Effect.gen(function* () {
      const feeds: Array<WeakRef<LiveFeed>> = []
      for (let index = 0; index < 200; index++) {
        const feed = makeFeed(`pool ${index}`)
        feeds.push(new WeakRef(feed))
        const reader = yield* openReader(feed, { from: "now" })
        yield* reader?.cut ?? Effect.void
      }
      yield* TestClock.adjust("1 minute")
      assert.isBelow(yield* countHeld(feeds), 5)
    }).pipe(Effect.provide(Layer.fresh(subscriptionsFor())), Effect.scoped)
  )

  it.effect("release the subscribers that have left a feed with others", () =>
    Effect.gen(function* () {
      const feed = makeFeed("pool")
      const remaining = yield* openReader(feed, { from: "now" })
      const buffers: Array<WeakRef<object>> = []
      for (let index = 0; index < 200; index++) {
        const reader = yield* openReader(feed, { from: "now" })
        if (reader === undefined) return assert.fail()
        buffers.push(new WeakRef(reader.buffer))
        yield* reader.cut
      }
      assert.isBelow(yield* countHeld(buffers), 5)
      yield* remaining?.cut ?? Effect.void
    }).pipe(Effect.provide(Layer.fresh(subscriptionsFor())), Effect.scoped)
  )
})
