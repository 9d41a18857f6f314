import { createHash, timingSafeEqual } from "node:crypto"
import { Cache, Context, Effect, Exit, Layer, Option, Redacted } from "effect"
import type { Schema } from "effect"
import type { SqlError } from "effect/sql"
import { ApiKeyStore } from "./ApiKeyStore.ts"

const digestOf = (key: string) => createHash("sha256").update(key).digest("hex")
const idOf = (digest: string) => digest.slice(0, 16)

const sameDigest = (a: string, b: string) => timingSafeEqual(Buffer.from(a, "hex"), Buffer.from(b, "hex"))
const nobody = digestOf("")

/** Revoking a key takes effect within this time. */
const remembered = "1 second"

/** The keys of callers: which one is good, and the first one. */
export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /** The id of a usable key. The same work is done for a key that is unknown. */
    readonly verify: (key: string) => Effect.Effect<Option.Option<string>, SqlError.SqlError | Schema.SchemaError>
    /** Makes the key valid under this name, in place of the one that had the name. */
    readonly install: (name: string, key: Redacted.Redacted) => Effect.Effect<void, SqlError.SqlError>
    readonly hasName: (name: string) => Effect.Effect<boolean, SqlError.SqlError>
  }
>()("@chaintape/server/keys/ApiKeys") {
  static readonly layer = Layer.effect(
    ApiKeys,
    Effect.gen(function* () {
      const store = yield* ApiKeyStore
      const rows = yield* Cache.makeWith(store.find, {
        capacity: 10_000,
        timeToLive: (exit) => (Exit.isSuccess(exit) ? remembered : 0)
      })
      return ApiKeys.of({
        verify: Effect.fnUntraced(function* (key) {
          const digest = digestOf(key)
          const row = yield* Cache.get(rows, idOf(digest))
          const stored = Option.match(row, { onNone: () => nobody, onSome: (found) => found.digest })
          const same = sameDigest(digest, stored)
          return Option.filter(row, ({ usable }) => usable && same).pipe(Option.map(({ id }) => id))
        }),
        install: (name, key) => {
          const digest = digestOf(Redacted.value(key))
          return store.replaceByName({ id: idOf(digest), digest, name }).pipe(Effect.andThen(Cache.invalidateAll(rows)))
        },
        hasName: store.hasName
      })
    })
  )
}
