import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { getDigest, newKey, shownForm } from "../../../src/auth/keys/KeyText.ts"
import { isWellFormed } from "./KeyForm.ts"

const make = Effect.map(newKey, (key) => Redacted.value(key))

describe("a new key", () => {
  it.effect("has a prefix, an id, a secret and a checksum", () =>
    Effect.gen(function* () {
      const key = yield* make
      assert.match(key, /^chaintape_[0-9A-Za-z]{42}$/)
      assert.isTrue(isWellFormed(key))
      assert.strictEqual(shownForm(key), `${key.slice(0, 20)}…${key.slice(-4)}`)
      assert.deepInclude(getDigest(key), { id: key.slice(10, 20) })
    })
  )

  it.effect("differs from a mistyped one by its checksum", () =>
    Effect.gen(function* () {
      const key = yield* make
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
      const keys = yield* Effect.forEach(Array.from({ length: 4000 }), () => make)
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
