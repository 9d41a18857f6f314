import { Effect, Option } from "effect"
import type { Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { limitLockWaits } from "../../store/LockTimeout.ts"
import { ApiKeys, newKey } from "./ApiKeys.ts"

/** The name of the key of CHAINTAPE_BOOTSTRAP_KEY, which replaces every other of this name. */
export const bootstrap = "bootstrap"

/**
 * Installs the configured key. Without one, the first start creates a key, which is printed once. Instances that start
 * together do this one after the other.
 */
export const installKey = Effect.fn("BootstrapKey.install")(function* (given: Option.Option<Redacted.Redacted>) {
  const apiKeys = yield* ApiKeys
  const sql = yield* SqlClient.SqlClient
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* limitLockWaits(sql, 10_000)
      yield* sql`lock table api_key in share row exclusive mode`
      if (Option.isNone(given) && (yield* apiKeys.hasName(bootstrap))) return given
      const key = Option.isSome(given) ? given.value : yield* newKey
      yield* apiKeys.install(bootstrap, key)
      return Option.some(key)
    })
  )
})
