import { Cache, Clock, Context, DateTime, Effect, Layer, Option, Redacted } from "effect"
import type { Cause, Schema } from "effect"
import type { SqlError } from "effect/sql"
import { LruMap } from "../internal/LruMap.ts"
import { monotonicMillisOf } from "../internal/monotonic.ts"
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

/** Milliseconds. What another process did to a key is known here within a second, the question to the store included. */
const remembered = 900
const most = 10_000

/** What is known by the id of a key. */
const makeMemory = <A>(clock: Clock.Clock) => {
  const known = new LruMap<string, { readonly value: A; readonly until: number }>({ entries: most })
  return {
    get: (id: string): A | undefined => {
      const found = known.get(id)
      if (found === undefined || found.until > monotonicMillisOf(clock)) return found?.value
      known.delete(id)
      return undefined
    },
    set: (id: string, value: A): void => known.set(id, { value, until: monotonicMillisOf(clock) + remembered }),
    forget: (id: string) => known.delete(id),
    forgetAll: () => known.clear()
  }
}

/**
 * The rows of the store, remembered. What is not there is remembered apart, so that inventing ids forgets no key that
 * is in use.
 */
const makeRows = Effect.gen(function* () {
  const store = yield* ApiKeyStore
  const clock = yield* Clock.Clock
  const known = makeMemory<ApiKeyRow>(clock)
  const absent = makeMemory<true>(clock)
  const findWithin = (id: string) => Effect.timeout(store.find(id), storeTimeout)
  // Nothing is kept in it: those who ask at the same time ask the store once.
  const asked = yield* Cache.make({ lookup: findWithin, capacity: most, timeToLive: 0 })
  let changes = 0
  const findStored = Effect.fnUntraced(function* (id: string) {
    const before = changes
    const row = yield* Cache.get(asked, id)
    // What was read before a change is not kept beyond it.
    if (before !== changes) return yield* findWithin(id)
    if (Option.isSome(row)) known.set(id, row.value)
    else absent.set(id, true)
    return row
  })
  const find = Effect.fnUntraced(function* (id: string): Effect.fn.Return<Option.Option<ApiKeyRow>, VerifyError> {
    // Both are looked at whatever the first holds: how long it takes tells nothing of the key.
    const there = known.get(id)
    const isAbsent = absent.get(id) === true
    if (there !== undefined) return Option.some(there)
    return isAbsent ? Option.none() : yield* findStored(id)
  })
  const forget = (id: string) =>
    Effect.suspend(() => {
      changes += 1
      known.forget(id)
      absent.forget(id)
      return Cache.invalidate(asked, id)
    })
  const forgetAll = Effect.suspend(() => {
    changes += 1
    known.forgetAll()
    absent.forgetAll()
    return Cache.invalidateAll(asked)
  })
  return { recall: known.get, find, forget, forgetAll }
})

/** `now` in Unix milliseconds. */
const isCurrent = ({ expiresAt }: ApiKeyRow, now: number) =>
  expiresAt === null || DateTime.toEpochMillis(expiresAt) > now

/** The same work whatever the row holds. */
const goodKeyOf = (row: ApiKeyRow | undefined, digest: string, now: number): GoodKey | undefined => {
  const same = sameDigest(digest, row?.digest ?? nobody)
  const current = row !== undefined && isCurrent(row, now)
  if (row === undefined || !row.live || !same || !current) return undefined
  return { id: row.id, scopes: row.scopes ?? undefined, plan: row.plan ?? undefined }
}

/** The keys of callers: which one is good, and those of the operator. */
export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /** The same work is done for a key that is good, unknown, malformed, revoked or expired. */
    readonly verify: (key: string) => Effect.Effect<Option.Option<GoodKey>, VerifyError>
    /** The same where it is known here, without asking the store: undefined says nothing of the key. */
    readonly recall: (key: string) => GoodKey | undefined
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
      const clock = yield* Clock.Clock
      const { find, forget, forgetAll, recall } = yield* makeRows
      return ApiKeys.of({
        verify: Effect.fnUntraced(function* (key) {
          const { digest, id } = digestOf(key)
          const row = Option.getOrUndefined(yield* find(id))
          return Option.fromUndefinedOr(goodKeyOf(row, digest, clock.currentTimeMillisUnsafe()))
        }),
        recall: (key) => {
          const { digest, id } = digestOf(key)
          return goodKeyOf(recall(id), digest, clock.currentTimeMillisUnsafe())
        },
        isGood: Effect.fnUntraced(function* (id) {
          const row = yield* find(id)
          return Option.exists(row, (found) => found.live && isCurrent(found, clock.currentTimeMillisUnsafe()))
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
