import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { ApiKeys } from "../../src/keys/ApiKeys.ts"
import type { ApiKeyRow } from "../../src/keys/ApiKeyStore.ts"
import { ApiKeyStore } from "../../src/keys/ApiKeyStore.ts"

const good = "a-key-that-is-good-and-long"

/** Counts the questions that reach the store. */
const counted = () => {
  const asked: Array<string> = []
  const rows = new Map<string, ApiKeyRow>()
  const layer = ApiKeys.layer.pipe(
    Layer.provide(
      Layer.succeed(ApiKeyStore, {
        find: (id) =>
          Effect.sync(() => {
            asked.push(id)
            return Option.fromUndefinedOr(rows.get(id))
          }),
        replaceByName: ({ digest, id, name }) =>
          Effect.sync(() => void rows.set(id, { id, digest, name, usable: true })),
        hasName: () => Effect.succeed(false),
        check: Effect.void
      })
    )
  )
  return { asked, rows, layer }
}

describe("ApiKeys", () => {
  it.effect("asks the store for a key whether it is known or not, and remembers either for a second", () => {
    const { asked, layer } = counted()
    return Effect.gen(function* () {
      const { install, verify } = yield* ApiKeys
      yield* install("one", Redacted.make(good))
      for (const key of [good, "unknown-key", "x".repeat(5000)]) {
        asked.length = 0
        yield* verify(key)
        yield* verify(key)
        assert.strictEqual(asked.length, 1)
        yield* TestClock.adjust("1001 millis")
        yield* verify(key)
        assert.strictEqual(asked.length, 2)
      }
    }).pipe(Effect.provide(layer))
  })

  it.effect("refuses a key that was revoked a second ago", () => {
    const { layer, rows } = counted()
    return Effect.gen(function* () {
      const { install, verify } = yield* ApiKeys
      yield* install("one", Redacted.make(good))
      const id = Option.getOrThrow(yield* verify(good))
      const row = rows.get(id)
      if (row !== undefined) rows.set(id, { ...row, usable: false })
      yield* TestClock.adjust("1001 millis")
      assert.isTrue(Option.isNone(yield* verify(good)))
    }).pipe(Effect.provide(layer))
  })

  it.effect("is not deceived by a stored key of the same id and another digest", () => {
    const { layer, rows } = counted()
    return Effect.gen(function* () {
      const { install, verify } = yield* ApiKeys
      yield* install("one", Redacted.make(good))
      for (const [id, row] of rows) rows.set(id, { ...row, digest: `${id}${"0".repeat(48)}` })
      assert.isTrue(Option.isNone(yield* verify(good)))
    }).pipe(Effect.provide(layer))
  })
})
