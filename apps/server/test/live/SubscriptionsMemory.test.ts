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
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      collectGarbage()
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      collectGarbage()
      const held = feeds.filter((feed) => feed.deref() !== undefined)
      assert.isBelow(held.length, 5)
    }).pipe(Effect.provide(Layer.fresh(subscriptionsFor())), Effect.scoped)
  )
})
