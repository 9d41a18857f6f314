import { Cache, Context, DateTime, Effect, Exit, Layer, Option, Redacted } from "effect"
import type { Cause, Schema } from "effect"
import type { SqlError } from "effect/sql"
import type { ApiKeyRow } from "./ApiKeyStore.ts"
import { ApiKeyStore } from "./ApiKeyStore.ts"
import { digestOf, nobody, sameDigest } from "./KeyDigest.ts"

/** A key that was found good. */
export interface GoodKey {
  readonly id: string
  /** The groups of operations that it is limited to; undefined allows all. */
  readonly scopes: ReadonlyArray<string> | undefined
  readonly plan: string | undefined
}

type VerifyError = SqlError.SqlError | Schema.SchemaError | Cause.TimeoutError

/** How long a caller waits for the store. */
export const storeTimeout = "2 seconds"

/** What another process did to a key is known here within a second, the question to the store included. */
const remembered = "900 millis"
const most = 10_000

/**
 * The rows of the store, remembered. What is not there is remembered apart, so that inventing ids forgets no key that
 * is in use.
 */
const makeRows = Effect.gen(function* () {
  const store = yield* ApiKeyStore
  const known = yield* Cache.make<string, ApiKeyRow>({
    lookup: () => Effect.die("a row is put here, never looked up"),
    capacity: most,
    timeToLive: remembered
  })
  const findWithin = (id: string) => Effect.timeout(store.find(id), storeTimeout)
  const asked = yield* Cache.makeWith(findWithin, {
    capacity: most,
    timeToLive: (exit) => (Exit.isSuccess(exit) && Option.isNone(exit.value) ? remembered : 0)
  })
  let changes = 0
  const findStored = Effect.fnUntraced(function* (id: string) {
    const before = changes
    const row = yield* Cache.get(asked, id)
    // What was read before a change is not kept beyond it.
    if (before !== changes) return yield* findWithin(id)
    if (Option.isSome(row)) yield* Cache.set(known, id, row.value)
    return row
  })
  const find = Effect.fnUntraced(function* (id: string): Effect.fn.Return<Option.Option<ApiKeyRow>, VerifyError> {
    // Both are looked at whatever the first holds: how long it takes tells nothing of the key.
    const there = yield* Cache.getOption(known, id)
    const absent = yield* Cache.getOption(asked, id)
    if (Option.isSome(there)) return there
    return Option.isSome(absent) && Option.isNone(absent.value) ? absent.value : yield* findStored(id)
  })
  const forget = (id: string) =>
    Effect.suspend(() => {
      changes += 1
      return Effect.andThen(Cache.invalidate(known, id), Cache.invalidate(asked, id))
    })
  const forgetAll = Effect.suspend(() => {
    changes += 1
    return Effect.andThen(Cache.invalidateAll(known), Cache.invalidateAll(asked))
  })
  return { find, forget, forgetAll }
})

const isCurrent = ({ expiresAt }: ApiKeyRow, now: DateTime.Utc) =>
  expiresAt === null || DateTime.isGreaterThan(expiresAt, now)

/** The keys of callers: which one is good, and those of the operator. */
export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /** The same work is done for a key that is good, unknown, malformed, revoked or expired. */
    readonly verify: (key: string) => Effect.Effect<Option.Option<GoodKey>, VerifyError>
    /** Whether the key that was found good by this id still is. */
    readonly isGood: (id: string) => Effect.Effect<boolean, VerifyError>
    /** Makes the operator's key valid under this name, in place of the one that had the name. */
    readonly install: (name: string, key: Redacted.Redacted) => Effect.Effect<void, SqlError.SqlError>
    readonly hasName: (name: string) => Effect.Effect<boolean, SqlError.SqlError>
    /** Reads the key anew at its next use: it has changed in the store. */
    readonly forget: (id: string) => Effect.Effect<void>
  }
>()("@chaintape/server/keys/ApiKeys") {
  static readonly layer = Layer.effect(
    ApiKeys,
    Effect.gen(function* () {
      const store = yield* ApiKeyStore
      const { find, forget, forgetAll } = yield* makeRows
      return ApiKeys.of({
        verify: Effect.fnUntraced(function* (key) {
          const { digest, id } = digestOf(key)
          const row = yield* find(id)
          const now = yield* DateTime.now
          const same = sameDigest(digest, Option.match(row, { onNone: () => nobody, onSome: (found) => found.digest }))
          const current = Option.match(row, { onNone: () => false, onSome: (found) => isCurrent(found, now) })
          return Option.filter(row, ({ live }) => live && same && current).pipe(
            Option.map(({ id, plan, scopes }) => ({ id, scopes: scopes ?? undefined, plan: plan ?? undefined }))
          )
        }),
        isGood: Effect.fnUntraced(function* (id) {
          const row = yield* find(id)
          const now = yield* DateTime.now
          return Option.exists(row, (found) => found.live && isCurrent(found, now))
        }),
        install: (name, key) => {
          const found = digestOf(Redacted.value(key))
          return store.replaceByName({ ...found, name }).pipe(Effect.andThen(forgetAll))
        },
        hasName: store.hasName,
        forget
      })
    })
  )
}
