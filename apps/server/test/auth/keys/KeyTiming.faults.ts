import { describe, it } from "@effect/vitest"
import { Clock, DateTime, Effect, Layer, Option, Random, Redacted } from "effect"
import { AccountKeys } from "../../../src/auth/keys/AccountKeys.ts"
import { ApiKeys, getDigest, newKey } from "../../../src/auth/keys/ApiKeys.ts"
import { measureRealTime } from "../../MeasureRealTime.ts"
import { embeddedDatabase } from "../../OwnDatabase.ts"
import { key, plain, unusableKeys, wellFormedKey } from "../../RunningService.ts"
import { stubbedService } from "../../StubbedService.ts"
import { addAccount, keysOver, toHolder } from "./KeyDatabase.ts"

/**
 * The bound of these tests: the medians of two kinds differ by less than this fraction of the larger one. The kinds
 * alternate in an order that is drawn for each round, so that other load affects all of them alike; a median of 400
 * samples then varies by a few percent.
 */
const bound = 0.25

const median = (sample: ReadonlyArray<number>) => sample.toSorted((a, b) => a - b)[Math.floor(sample.length / 2)] ?? 0

/** The median time of each kind, in microseconds. */
const race = <E, R>(kinds: Readonly<Record<string, Effect.Effect<unknown, E, R>>>, rounds: number) =>
  Effect.gen(function* () {
    const times = new Map(Object.keys(kinds).map((kind): [string, Array<number>] => [kind, []]))
    for (let round = 0; round < rounds; round++) {
      for (const [kind, attempt] of yield* Random.shuffle(Object.entries(kinds))) {
        const started = yield* Clock.currentTimeNanos
        yield* attempt
        times.get(kind)?.push(Number((yield* Clock.currentTimeNanos) - started) / 1000)
      }
    }
    return Object.fromEntries([...times].map(([kind, sample]) => [kind, median(sample)]))
  })

const areAlike = (medians: Readonly<Record<string, number>>) => {
  const all = Object.values(medians)
  const [least, most] = [Math.min(...all), Math.max(...all)]
  return most - least < bound * most
}

/** Keys of every kind, in a database. */
const kindsOfKeys = Effect.gen(function* () {
  const { create, revoke } = yield* AccountKeys
  yield* addAccount("ada")
  const made = (expiresAt?: DateTime.Utc) =>
    Effect.map(create(toHolder("ada"), { name: "one", scopes: undefined, expiresAt }), Option.getOrThrow)
  const good = yield* made()
  const expired = yield* made(DateTime.makeUnsafe(0))
  const revoked = yield* made()
  yield* revoke(toHolder("ada"), revoked.stored.id)
  const unknown = Redacted.value(yield* newKey)
  const text = Redacted.value(good.key)
  return {
    good: text,
    revoked: Redacted.value(revoked.key),
    expired: Redacted.value(expired.key),
    unknown,
    malformed: "no-key-at-all",
    "of another secret": `${text.slice(0, 20)}${unknown.slice(20)}`,
    "of another checksum": `${text.slice(0, -1)}${text.endsWith("a") ? "b" : "a"}`
  }
})

describe("the time that a key takes", () => {
  it.live(
    "does not depend on the key, cached or read from the store",
    () =>
      Effect.gen(function* () {
        const keys = yield* kindsOfKeys
        const { forget, verify } = yield* ApiKeys
        const attempts = (before: (text: string) => Effect.Effect<void>) =>
          Object.fromEntries(
            Object.entries(keys).map(([kind, text]) => [kind, Effect.andThen(before(text), verify(text))])
          )
        const warm = yield* measureRealTime(
          race(
            attempts(() => Effect.void),
            2000
          ),
          areAlike
        )
        const cold = yield* measureRealTime(
          race(
            attempts((text) => forget(getDigest(text).id)),
            400
          ),
          areAlike
        )
        yield* Effect.logInfo("median microseconds", { warm, cold })
      }).pipe(Effect.provide(keysOver(embeddedDatabase))),
    240_000
  )

  it.live(
    "does not depend on the refused key over HTTP",
    () =>
      Effect.gen(function* () {
        const refused = (apiKey: string) => plain({ path: "/v2/cex/exchanges", headers: { "api-key": apiKey } })
        const kinds = {
          revoked: refused(unusableKeys.revoked),
          expired: refused(unusableKeys.expired),
          unknown: refused("an-unknown-key-of-a-stranger"),
          malformed: refused("x"),
          "of another checksum": refused(`${wellFormedKey.slice(0, -1)}b`),
          "of another letter": refused(key.toUpperCase())
        }
        yield* race(kinds, 30)
        const medians = yield* measureRealTime(race(kinds, 400), areAlike)
        yield* Effect.logInfo("median microseconds", medians)
      }).pipe(Effect.provide(Layer.fresh(stubbedService()))),
    240_000
  )
})
