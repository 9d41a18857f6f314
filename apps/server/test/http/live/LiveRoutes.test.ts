import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { ApiKeys } from "../../../src/auth/keys/ApiKeys.ts"
import { endings } from "../../../src/http/live/LiveRoutes.ts"
import { ShutdownSignal } from "../../../src/http/live/ShutdownSignal.ts"
import type { LiveFeed } from "../../../src/live/LiveFeed.ts"
import { makeLogLines } from "../../internal/log/logLines.ts"
import { openReader, subscriptionsFor } from "../../live/TestReader.ts"

const feed: LiveFeed = {
  name: "feed",
  watch: Effect.succeed(Effect.never),
  open: () => Effect.succeed({ cursor: () => "0", next: () => Effect.succeed([]) })
}

const keys = Layer.mock(ApiKeys, { recall: () => undefined, isValid: (id) => Effect.succeed(id !== "bad") })

const endedBy = (apiKeys: typeof keys) =>
  endings.pipe(
    Layer.provideMerge(subscriptionsFor()),
    Layer.provide([apiKeys, Layer.fresh(ShutdownSignal.layer)]),
    Layer.fresh
  )

describe("a revoked key", () => {
  it.effect("ends its own streams only", () =>
    Effect.gen(function* () {
      const good = yield* openReader(feed, { from: "now" }, "good")
      const bad = yield* openReader(feed, { from: "now" }, "bad")
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(
        [good, bad].map((reader) => reader?.take().map(({ name }) => name)),
        [["open"], ["open", "end"]]
      )
    }).pipe(Effect.provide(endedBy(keys)))
  )
})

describe("keys of streams that cannot be read", () => {
  it.effect("are not called read once no stream is open", () => {
    const { layer, lines } = makeLogLines()
    const warning = "Warn The keys of live streams cannot be read"
    const away = Layer.mock(ApiKeys, {
      recall: () => undefined,
      isValid: () => Effect.fail(new Cause.TimeoutError("The store is away."))
    })
    return Effect.gen(function* () {
      const reader = yield* openReader(feed, { from: "now" }, "good")
      yield* TestClock.adjust("4 seconds")
      assert.deepStrictEqual(lines, [warning])
      yield* reader?.cut ?? Effect.void
      yield* TestClock.adjust("4 seconds")
      assert.deepStrictEqual(lines, [warning])
    }).pipe(Effect.provide(endedBy(away).pipe(Layer.provideMerge(layer))))
  })
})
