import { hash, randomBytes, timingSafeEqual } from "node:crypto"
import { crc32 } from "node:zlib"
import { Cache, Clock, Context, DateTime, Effect, Layer, Option, Redacted } from "effect"
import type { Cause } from "effect"
import type { SqlError } from "effect/sql"
import { makeOutageWarning } from "../../internal/log/firstFailure.ts"
import { LruMap } from "../../internal/LruMap.ts"
import { toMonotonicMillis } from "../../internal/monotonic.ts"
import type { StoreError } from "../../internal/StoreError.ts"
import type { ApiKeyRow } from "./ApiKeyStore.ts"
import { ApiKeyStore } from "./ApiKeyStore.ts"

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const prefix = "chaintape_"
const idLength = 10
const secretLength = 26
const checksumLength = 6

/**
 * The largest multiple of the alphabet's size in a byte: bytes from it on would make some characters more likely than
 * others.
 */
const unbiased = 256 - (256 % alphabet.length)

const randomText = (length: number): string => {
  let text = ""
  while (text.length < length) {
    const characters = [...randomBytes(length)].filter((byte) => byte < unbiased).map((byte) => alphabet[byte % 62])
    text += characters.join("")
  }
  return text.slice(0, length)
}

const toBase62 = (value: number, length: number): string =>
  Array.from({ length }, (_, index) => alphabet[Math.floor(value / 62 ** (length - 1 - index)) % 62]).join("")

const getChecksum = (text: string) => toBase62(crc32(text), checksumLength)

const form = new RegExp(`^${prefix}([0-9A-Za-z]{${idLength}})[0-9A-Za-z]{${secretLength + checksumLength}}$`)

/** The public id in a key. None for a key of another format, such as one that an operator chose. */
const idPart = (key: string): string | undefined => form.exec(key)?.[1]

/** How people recognize a key. The end is a part of the checksum and leaves at least 128 unknown bits. */
export const shownForm = (key: string): string => `${key.slice(0, prefix.length + idLength)}…${key.slice(-4)}`

/** A new key: a prefix that secret scanners know, the id, 154 random bits, and a checksum of all that. */
export const newKey: Effect.Effect<Redacted.Redacted> = Effect.sync(() => {
  const text = `${prefix}${randomText(idLength)}${randomText(secretLength)}`
  return Redacted.make(`${text}${getChecksum(text)}`)
})

/**
 * The stored part of a key: the id by which it is looked up, and the SHA-256 by which it is verified. The id of a key of
 * another format than ours is the beginning of its digest.
 */
export const getDigest = (key: string): Pick<ApiKeyRow, "id" | "digest"> => {
  const digest = hash("sha256", key, "hex")
  return { id: idPart(key) ?? digest.slice(0, 16), digest }
}

/** Both in hexadecimal digits of the same length. */
const sameDigest = (a: string, b: string): boolean =>
  timingSafeEqual(Buffer.from(a, "latin1"), Buffer.from(b, "latin1"))

/** A digest that no key has. */
const noDigest = "0".repeat(64)

/** A verified key. */
export interface VerifiedKey {
  readonly id: string
  /** The groups of operations that it is restricted to; undefined allows all. */
  readonly scopes: ReadonlyArray<string> | undefined
  readonly plan: string | undefined
}

type VerifyError = StoreError | Cause.TimeoutError

/** How long a caller waits for the store. */
export const storeTimeout = "2 seconds"

/** Milliseconds. A change by another process takes effect here within a second, including the query to the store. */
const freshMs = 900
/** An older row is used up to this age while it is read again, if only this process changes keys. */
const maxStaleMs = 60_000
const maxKeys = 10_000

/** Values by key id, with their age. */
const makeTimedCache = <A>(clock: Clock.Clock) => {
  const known = new LruMap<string, { readonly value: A; readonly at: number }>({ entries: maxKeys })
  return {
    /** The value, if it is younger than `maxAgeMs`. */
    get: (id: string, maxAgeMs: number): A | undefined => {
      const found = known.get(id)
      return found !== undefined && toMonotonicMillis(clock) - found.at < maxAgeMs ? found.value : undefined
    },
    set: (id: string, value: A): void => known.set(id, { value, at: toMonotonicMillis(clock) }),
    forget: (id: string) => known.delete(id),
    forgetAll: () => known.clear()
  }
}

/**
 * The cached rows of the store. Missing rows are cached separately, so that requests with invented ids evict no key in
 * use. A row that is not fresh, and younger than `maxMs`, is returned while it is read again.
 */
const makeRows = Effect.fnUntraced(function* (maxMs: number) {
  const store = yield* ApiKeyStore
  const clock = yield* Clock.Clock
  const scope = yield* Effect.scope
  const known = makeTimedCache<ApiKeyRow>(clock)
  const absent = makeTimedCache<true>(clock)
  const warnOfOutage = makeOutageWarning("The keys cannot be read")
  const findWithin = (id: string) => store.find(id).pipe(Effect.timeout(storeTimeout), warnOfOutage)
  // Caches nothing: concurrent lookups of one id share a query.
  const lookups = yield* Cache.make({ lookup: findWithin, capacity: maxKeys, timeToLive: 0 })
  const refreshing = new Set<string>()
  let changes = 0
  const findStored = Effect.fnUntraced(function* (id: string) {
    const before = changes
    const row = yield* Cache.get(lookups, id)
    // A key that was read before a change is not cached after it.
    if (before !== changes) return yield* findWithin(id)
    known.forget(id)
    absent.forget(id)
    if (Option.isSome(row)) known.set(id, row.value)
    else absent.set(id, true)
    return row
  })
  /** Reads a row again, without a caller that waits. Where that fails, the next request does it. */
  const refresh = (id: string) =>
    Effect.suspend(() => {
      if (refreshing.has(id)) return Effect.void
      refreshing.add(id)
      const read = Effect.ensuring(
        findStored(id),
        Effect.sync(() => refreshing.delete(id))
      )
      return Effect.asVoid(Effect.forkIn(Effect.ignore(read), scope))
    })
  const find = Effect.fnUntraced(function* (id: string): Effect.fn.Return<Option.Option<ApiKeyRow>, VerifyError> {
    const there = known.get(id, maxMs)
    const isAbsent = absent.get(id, maxMs) === true
    if (there === undefined && !isAbsent) return yield* findStored(id)
    const isFresh = known.get(id, freshMs) !== undefined || absent.get(id, freshMs) === true
    if (!isFresh) yield* refresh(id)
    return Option.fromUndefinedOr(there)
  })
  const forget = (id: string) =>
    Effect.suspend(() => {
      changes += 1
      known.forget(id)
      absent.forget(id)
      return Cache.invalidate(lookups, id)
    })
  const forgetAll = Effect.suspend(() => {
    changes += 1
    known.forgetAll()
    absent.forgetAll()
    return Cache.invalidateAll(lookups)
  })
  return { recall: (id: string) => known.get(id, freshMs), find, forget, forgetAll }
})

/** `now` in Unix milliseconds. */
const isCurrent = ({ expiresAt }: ApiKeyRow, now: number) =>
  expiresAt === null || DateTime.toEpochMillis(expiresAt) > now

/** Takes the same time whatever the row holds. */
const toVerifiedKey = (row: ApiKeyRow | undefined, digest: string, now: number): VerifiedKey | undefined => {
  const same = sameDigest(digest, row?.digest ?? noDigest)
  const current = row !== undefined && isCurrent(row, now)
  if (row === undefined || !row.isActive || !same || !current) return undefined
  return { id: row.id, scopes: row.scopes ?? undefined, plan: row.plan ?? undefined }
}

const make = Effect.fnUntraced(function* (maxMs: number) {
  const store = yield* ApiKeyStore
  const clock = yield* Clock.Clock
  const { find, forget, forgetAll, recall } = yield* makeRows(maxMs)
  return ApiKeys.of({
    verify: Effect.fnUntraced(function* (key) {
      const { digest, id } = getDigest(key)
      const row = Option.getOrUndefined(yield* find(id))
      return Option.fromUndefinedOr(toVerifiedKey(row, digest, clock.currentTimeMillisUnsafe()))
    }),
    recall: (key) => {
      const { digest, id } = getDigest(key)
      return toVerifiedKey(recall(id), digest, clock.currentTimeMillisUnsafe())
    },
    isValid: Effect.fnUntraced(function* (id) {
      const row = yield* find(id)
      return Option.exists(row, (found) => found.isActive && isCurrent(found, clock.currentTimeMillisUnsafe()))
    }),
    install: (name, key) => {
      const found = getDigest(Redacted.value(key))
      return store.replaceByName({ ...found, name }).pipe(Effect.andThen(forgetAll))
    },
    hasName: store.hasName,
    forget
  })
})

/** Verifies the keys of callers, and installs those of the operator. */
export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /** Takes the same time for a key that is valid, unknown, malformed, revoked or expired. */
    readonly verify: (key: string) => Effect.Effect<Option.Option<VerifiedKey>, VerifyError>
    /** Verifies a key by the cache, without a query to the store; undefined if the cache does not hold the key. */
    readonly recall: (key: string) => VerifiedKey | undefined
    /** Whether the verified key with this id is still valid. */
    readonly isValid: (id: string) => Effect.Effect<boolean, VerifyError>
    /** Makes the operator's key valid under this name. It replaces the previous key of that name. */
    readonly install: (name: string, key: Redacted.Redacted) => Effect.Effect<void, SqlError.SqlError>
    readonly hasName: (name: string) => Effect.Effect<boolean, SqlError.SqlError>
    /** Invalidates the cached key, which has changed in the store. */
    readonly forget: (id: string) => Effect.Effect<void>
  }
>()("@chaintape/server/auth/keys/ApiKeys") {
  /** For a store whose keys other processes change, too. */
  static readonly layer = Layer.effect(ApiKeys, make(freshMs))

  /** For a store that only this process changes: a key in use waits for no store that is slow for less than a minute. */
  static readonly layerSoleWriter = Layer.effect(ApiKeys, make(maxStaleMs))
}
