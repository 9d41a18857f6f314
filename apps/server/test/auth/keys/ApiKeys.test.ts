import { assert, describe, it } from "@effect/vitest"
import { DateTime, Deferred, Effect, Fiber, Layer, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { ApiKeys, getDigest, newKey, shownForm } from "../../../src/auth/keys/ApiKeys.ts"
import type { ApiKeyRow } from "../../../src/auth/keys/ApiKeyStore.ts"
import { ApiKeyStore } from "../../../src/auth/keys/ApiKeyStore.ts"
import { makeLogLines } from "../../internal/log/logLines.ts"
import { isWellFormed } from "./KeyForm.ts"

const makeKey = Effect.map(newKey, (key) => Redacted.value(key))

describe("a new key", () => {
  it.effect("has a prefix, an id, a secret and a checksum", () =>
    Effect.gen(function* () {
      const key = yield* makeKey
      assert.match(key, /^chaintape_[0-9A-Za-z]{42}$/)
      assert.isTrue(isWellFormed(key))
      assert.strictEqual(shownForm(key), `${key.slice(0, 20)}…${key.slice(-4)}`)
      assert.deepInclude(getDigest(key), { id: key.slice(10, 20) })
    })
  )

  it.effect("differs from a mistyped one by its checksum", () =>
    Effect.gen(function* () {
      const key = yield* makeKey
      for (let place = 10; place < key.length; place++) {
        const other = key[place] === "a" ? "b" : "a"
        assert.isFalse(isWellFormed(`${key.slice(0, place)}${other}${key.slice(place + 1)}`), `${place}`)
      }
      for (const text of ["", key.slice(1), `${key}a`, key.toUpperCase(), `${key.slice(0, -1)}-`]) {
        assert.isFalse(isWellFormed(text), text)
      }
    })
  )

  it.effect("has every character of the alphabet equally often", () =>
    Effect.gen(function* () {
      const counts = new Map<string, number>()
      const keys = yield* Effect.forEach(Array.from({ length: 4000 }), () => makeKey)
      for (const key of keys)
        for (const character of key.slice(10, 46)) counts.set(character, (counts.get(character) ?? 0) + 1)
      assert.strictEqual(new Set(keys).size, keys.length)
      assert.strictEqual(counts.size, 62)
      const expected = (4000 * 36) / 62
      const chiSquared = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
      // 61 degrees of freedom: beyond 130 once in a million runs. Bytes taken modulo 62 give more than 2,000.
      assert.isBelow(chiSquared, 130)
    })
  )

  it("of another form is found by its digest", () => {
    for (const key of [
      "chaintape_SIZhHqkwJ0dUlkJSQxw5bQxRzz8",
      "a-key-that-somebody-chose",
      `chaintape_${"a".repeat(41)}`
    ]) {
      assert.strictEqual(getDigest(key).id, getDigest(key).digest.slice(0, 16))
    }
  })
})

const good = "a-key-that-is-good-and-long"

/** Counts the queries to the store. */
const counted = () => {
  const asked: Array<string> = []
  const outage = { isSilent: false }
  const rows = new Map<string, ApiKeyRow>()
  const store = Layer.succeed(ApiKeyStore, {
    find: (id) =>
      Effect.suspend(() => {
        asked.push(id)
        return outage.isSilent ? Effect.never : Effect.succeed(Option.fromUndefinedOr(rows.get(id)))
      }),
    replaceByName: ({ digest, id }) =>
      Effect.sync(() => void rows.set(id, { id, digest, isActive: true, expiresAt: null, scopes: null, plan: null })),
    hasName: () => Effect.succeed(false),
    check: Effect.void
  })
  return {
    asked,
    outage,
    rows,
    layer: ApiKeys.layer.pipe(Layer.provide(store)),
    soleWriter: ApiKeys.layerSoleWriter.pipe(Layer.provide(store))
  }
}

describe("ApiKeys", () => {
  it.effect("logs an outage of the store once, however many keys are looked up, and its end", () => {
    const { layer, outage } = counted()
    const { layer: logger, lines } = makeLogLines()
    return Effect.gen(function* () {
      const { verify } = yield* ApiKeys
      outage.isSilent = true
      const keys = ["one-unknown-key", "another-unknown-key", "a-third-unknown-key"]
      const waiting = yield* Effect.forEach(keys, (key) => Effect.forkChild(Effect.flip(verify(key))))
      yield* TestClock.adjust("2 seconds")
      for (const fiber of waiting) assert.strictEqual((yield* Fiber.join(fiber))._tag, "TimeoutError")
      outage.isSilent = false
      for (const key of keys) yield* verify(key)
      assert.deepStrictEqual(lines, ["Warn The keys cannot be read", "Info Resolved: The keys cannot be read"])
    }).pipe(Effect.provide([layer, logger]))
  })

  it.effect("reads a key from the store and caches the result for a second, also for an unknown key", () => {
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

  it.effect("returns a valid key from the cache without a read of the store until the entry expires", () => {
    const { asked, layer, rows } = counted()
    return Effect.gen(function* () {
      const { forget, install, recall, verify } = yield* ApiKeys
      yield* install("one", Redacted.make(good))
      assert.isUndefined(recall(good))
      const found = Option.getOrThrow(yield* verify(good))
      asked.length = 0
      assert.deepStrictEqual(recall(good), found)
      assert.deepStrictEqual([recall(`${good}x`), recall("unknown"), recall("")], [undefined, undefined, undefined])
      yield* TestClock.adjust("899 millis")
      assert.deepStrictEqual(recall(good), found)
      yield* TestClock.adjust("1 millis")
      assert.isUndefined(recall(good))
      assert.deepStrictEqual(asked, [])
      yield* verify(good)
      yield* forget(found.id)
      assert.isUndefined(recall(good))
      const row = rows.get(found.id)
      if (row === undefined) return assert.fail("the key is not stored")
      for (const ended of [
        { ...row, isActive: false },
        { ...row, expiresAt: DateTime.makeUnsafe(0) },
        { ...row, digest: getDigest("another").digest }
      ]) {
        rows.set(found.id, ended)
        yield* forget(found.id)
        yield* verify(good)
        assert.isUndefined(recall(good))
      }
    }).pipe(Effect.provide(layer))
  })

  it.effect("does not wait for a slow store with a cached key if no other process changes keys", () => {
    const { asked, outage, rows, soleWriter } = counted()
    return Effect.gen(function* () {
      const { install, isValid, recall, verify } = yield* ApiKeys
      yield* install("one", Redacted.make(good))
      const { id } = Option.getOrThrow(yield* verify(good))
      assert.isTrue(Option.isNone(yield* verify("unknown-key")))
      asked.length = 0
      outage.isSilent = true
      yield* TestClock.adjust("59 seconds")
      assert.isUndefined(recall(good))
      assert.deepStrictEqual([Option.isSome(yield* verify(good)), yield* isValid(id)], [true, true])
      assert.isTrue(Option.isNone(yield* verify("unknown-key")))
      yield* Effect.yieldNow
      assert.lengthOf(asked, 2)
      yield* TestClock.adjust("1 second")
      const late = yield* Effect.forkChild(Effect.flip(verify(good)))
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual((yield* Fiber.join(late))._tag, "TimeoutError")
      outage.isSilent = false
      const row = rows.get(id) ?? assert.fail("the row is gone")
      assert.isTrue(Option.isSome(yield* verify(good)))
      rows.set(id, { ...row, isActive: false })
      yield* TestClock.adjust("1 second")
      yield* verify(good)
      yield* Effect.yieldNow
      assert.isTrue(Option.isNone(yield* verify(good)))
    }).pipe(Effect.provide(soleWriter))
  })

  it.effect("refuses a key that was revoked a second ago", () => {
    const { layer, rows } = counted()
    return Effect.gen(function* () {
      const { install, verify } = yield* ApiKeys
      yield* install("one", Redacted.make(good))
      const { id } = Option.getOrThrow(yield* verify(good))
      const row = rows.get(id)
      if (row !== undefined) rows.set(id, { ...row, isActive: false })
      yield* TestClock.adjust("1001 millis")
      assert.isTrue(Option.isNone(yield* verify(good)))
    }).pipe(Effect.provide(layer))
  })

  it.effect("refuses a key whose id is stored with another digest", () => {
    const { layer, rows } = counted()
    return Effect.gen(function* () {
      const { install, verify } = yield* ApiKeys
      yield* install("one", Redacted.make(good))
      for (const [id, row] of rows) rows.set(id, { ...row, digest: `${id}${"0".repeat(48)}` })
      assert.isTrue(Option.isNone(yield* verify(good)))
    }).pipe(Effect.provide(layer))
  })

  it.effect("applies a change of this process immediately", () => {
    const { layer, rows } = counted()
    return Effect.gen(function* () {
      const { forget, install, verify } = yield* ApiKeys
      yield* install("one", Redacted.make(good))
      const { id } = Option.getOrThrow(yield* verify(good))
      const row = rows.get(id) ?? assert.fail("the row is gone")
      rows.set(id, { ...row, isActive: false })
      assert.isTrue(Option.isSome(yield* verify(good)))
      yield* forget(id)
      assert.isTrue(Option.isNone(yield* verify(good)))
    }).pipe(Effect.provide(layer))
  })

  it.effect("does not cache a row that was read before a change", () =>
    Effect.gen(function* () {
      const { digest, id } = getDigest(good)
      const row = { id, digest, isActive: true, expiresAt: null, scopes: null, plan: null }
      const reading = yield* Deferred.make<void>()
      let asked = 0
      const store = Layer.succeed(ApiKeyStore, {
        find: () =>
          Effect.suspend(() => {
            asked += 1
            if (asked > 1) return Effect.succeedSome({ ...row, isActive: false })
            return Effect.as(Deferred.await(reading), Option.some(row))
          }),
        replaceByName: () => Effect.void,
        hasName: () => Effect.succeed(false),
        check: Effect.void
      })
      yield* Effect.gen(function* () {
        const { forget, verify } = yield* ApiKeys
        const early = yield* Effect.forkChild(verify(good))
        yield* Effect.yieldNow
        yield* forget(id)
        yield* Deferred.succeed(reading, undefined)
        assert.isTrue(Option.isNone(yield* Fiber.join(early)))
        assert.isTrue(Option.isNone(yield* verify(good)))
      }).pipe(Effect.provide(ApiKeys.layer.pipe(Layer.provide(store))))
    })
  )

  it.effect("expires a key at its time, cached or not", () => {
    const { asked, layer, rows } = counted()
    return Effect.gen(function* () {
      const { install, verify } = yield* ApiKeys
      yield* install("one", Redacted.make(good))
      const [[id, row] = assert.fail("there is no row")] = rows
      rows.set(id, { ...row, expiresAt: DateTime.makeUnsafe(500) })
      yield* TestClock.setTime(499)
      assert.isTrue(Option.isSome(yield* verify(good)))
      yield* TestClock.setTime(500)
      assert.isTrue(Option.isNone(yield* verify(good)))
      assert.lengthOf(asked, 1)
    }).pipe(Effect.provide(layer))
  })

  it.effect("does not evict a key in use when many unknown keys are sent", () => {
    const { asked, layer } = counted()
    return Effect.gen(function* () {
      const { install, verify } = yield* ApiKeys
      yield* install("one", Redacted.make(good))
      yield* verify(good)
      for (let number = 0; number < 25_000; number++) yield* verify(`invented-key-${number}`)
      asked.length = 0
      assert.isTrue(Option.isSome(yield* verify(good)))
      assert.lengthOf(asked, 0)
    }).pipe(Effect.provide(layer))
  })

  it.effect("reports the scopes of a key", () => {
    const { layer, rows } = counted()
    return Effect.gen(function* () {
      const { install, verify } = yield* ApiKeys
      yield* install("one", Redacted.make(good))
      const [[id, row] = assert.fail("there is no row")] = rows
      rows.set(id, { ...row, scopes: ["cex"], plan: "large" })
      assert.deepStrictEqual(Option.getOrThrow(yield* verify(good)), { id, scopes: ["cex"], plan: "large" })
    }).pipe(Effect.provide(layer))
  })
})
