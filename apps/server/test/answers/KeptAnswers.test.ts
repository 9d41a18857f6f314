import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import type { KeptAnswer } from "../../src/answers/KeptAnswers.ts"
import { KeptAnswers } from "../../src/answers/KeptAnswers.ts"

const answer = (body: string, isTrue = () => true, bytes = body.length): KeptAnswer => ({
  isTrue,
  group: "cex",
  operation: "exchange",
  route: "/v2/cex/:exchange",
  headers: {},
  body,
  bytes
})

const megabytes = (count: number) => count * 1024 * 1024

describe("answers that are kept", () => {
  it.effect("are found by their question for as long as they are true, and no longer than ten seconds", () =>
    Effect.gen(function* () {
      const { find, put } = yield* KeptAnswers
      let isTrue = true
      put(
        "/a",
        answer("1", () => isTrue)
      )
      put("/b", answer("2"))
      assert.deepStrictEqual([find("/a")?.body, find("/b")?.body, find("/c")], ["1", "2", undefined])
      isTrue = false
      assert.isUndefined(find("/a"))
      // What was not true once is gone.
      isTrue = true
      assert.isUndefined(find("/a"))
      yield* TestClock.adjust("9999 millis")
      assert.strictEqual(find("/b")?.body, "2")
      yield* TestClock.adjust("1 millis")
      assert.isUndefined(find("/b"))
    }).pipe(Effect.provide(KeptAnswers.layer))
  )

  it.effect("take at most 64 MB: the one that nobody asked for longest goes first", () =>
    Effect.gen(function* () {
      const { find, put } = yield* KeptAnswers
      const bodiesOf = (places: ReadonlyArray<string>) => places.map((place) => find(`/${place}`)?.body)
      const all = ["a", "b", "c", "d", "e", "f", "g", "h"]
      for (const name of all) put(`/${name}`, answer(name, undefined, megabytes(8)))
      assert.strictEqual(find("/a")?.body, "a")
      put("/i", answer("i", undefined, megabytes(8)))
      assert.deepStrictEqual(bodiesOf(["b", "a", "c", "i"]), [undefined, "a", "c", "i"])
      // In place of itself it takes no further room.
      for (let again = 0; again < 10; again++) put("/i", answer("I", undefined, megabytes(8)))
      assert.deepStrictEqual(bodiesOf(["a", ...all.slice(2), "i"]), ["a", ...all.slice(2), "I"])
      // One that would take the place of all others is not kept.
      put("/i", answer("huge", undefined, megabytes(8) + 1))
      assert.deepStrictEqual(bodiesOf(["a", ...all.slice(2), "i"]), ["a", ...all.slice(2), undefined])
    }).pipe(Effect.provide(KeptAnswers.layer))
  )

  it.effect.prop(
    "are those that were put last, within the room there is",
    [
      Schema.Array(
        Schema.Struct({
          place: Schema.Literals(["/a", "/b", "/c", "/d", "/e", "/f", "/g", "/h", "/i", "/j"]),
          isPut: Schema.Boolean,
          bytes: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: megabytes(9) }))
        })
      )
    ],
    ([steps]) =>
      Effect.gen(function* () {
        const { find, put } = yield* KeptAnswers
        const last = new Map<string, KeptAnswer>()
        for (const { bytes, isPut, place } of steps) {
          if (isPut) {
            const one = answer(place, undefined, bytes)
            last.set(place, one)
            put(place, one)
          }
          const found = find(place)
          if (isPut) assert.strictEqual(found !== undefined, bytes <= megabytes(8))
          if (found !== undefined) assert.strictEqual(found, last.get(place))
          const held = [...last.keys()].reduce((sum, one) => sum + (find(one)?.bytes ?? 0), 0)
          assert.isAtMost(held, megabytes(64))
        }
      }).pipe(Effect.provide(KeptAnswers.layer))
  )

  it.effect("what is said of a request is known of that request alone", () =>
    Effect.gen(function* () {
      const { saidOf, say } = yield* KeptAnswers
      const [one, other] = [{}, {}]
      const keeping = { isTrue: () => true }
      say(one, keeping)
      assert.deepStrictEqual([saidOf(one), saidOf(other)], [keeping, undefined])
    }).pipe(Effect.provide(KeptAnswers.layer))
  )
})
