import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { AuditLog } from "../../../src/auth/AuditLog.ts"
import type { Holder } from "../../../src/auth/keys/AccountKeys.ts"
import { ApiKeys } from "../../../src/auth/keys/ApiKeys.ts"
import { ApiKeyStore } from "../../../src/auth/keys/ApiKeyStore.ts"
import * as SqlAccountKeys from "../../../src/auth/keys/SqlAccountKeys.ts"
import { Usage } from "../../../src/auth/usage/Usage.ts"
import { UsageStore } from "../../../src/auth/usage/UsageStore.ts"
import { RedisLink } from "../../../src/store/RedisLink.ts"

/** The key services of an instance, over a database and optionally Redis. */
export const keysOver = <E, R>(
  database: Layer.Layer<SqlClient.SqlClient, E, R>,
  link: Layer.Layer<RedisLink> = RedisLink.layerNone
) =>
  Layer.fresh(SqlAccountKeys.layer).pipe(
    Layer.provideMerge(Layer.fresh(Usage.layer)),
    Layer.provideMerge(Layer.fresh(ApiKeys.layer)),
    Layer.provideMerge(Layer.mergeAll(ApiKeyStore.layer, UsageStore.layer, link)),
    Layer.provideMerge(AuditLog.layer),
    Layer.provideMerge(database)
  )

export const addAccount = (id: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`insert into account (id, email, password) values (${id}, ${`${id}@example.com`}, ${"none"})`
  )

/** The account, at an address for documentation. */
export const toHolder = (account: string): Holder => ({ account, address: "192.0.2.1" })
