import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql"
import { decodeFirstRow, decodeRows, hasRow } from "../../internal/sql/decodeRows.ts"
import type { StoreError } from "../../internal/StoreError.ts"
import type { AuditKind } from "../AuditLog.ts"
import { AuditLog } from "../AuditLog.ts"
import { StoredScopes } from "./AccountKeys.ts"

/** The stored part of a key. */
export const ApiKeyRow = Schema.Struct({
  id: Schema.String,
  digest: Schema.String,
  /** Neither is the key revoked nor its account disabled. */
  isActive: Schema.Boolean,
  expiresAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  /** The groups of operations that it is restricted to. */
  scopes: Schema.NullOr(StoredScopes),
  plan: Schema.NullOr(Schema.String)
})

export type ApiKeyRow = typeof ApiKeyRow.Type

const decodeKey = decodeFirstRow(ApiKeyRow)
const decodeIds = decodeRows(Schema.Struct({ id: Schema.String }))

/** The stored keys of callers. */
export class ApiKeyStore extends Context.Service<
  ApiKeyStore,
  {
    readonly find: (id: string) => Effect.Effect<Option.Option<ApiKeyRow>, StoreError>
    /** Makes `key` the only one of the operator with its name, and writes the change to the audit log. */
    readonly replaceByName: (key: {
      readonly id: string
      readonly digest: string
      readonly name: string
    }) => Effect.Effect<void, SqlError.SqlError>
    /** Whether the operator has a key with this name. */
    readonly hasName: (name: string) => Effect.Effect<boolean, SqlError.SqlError>
    /** Fails if the store does not answer. */
    readonly check: Effect.Effect<void, SqlError.SqlError>
  }
>()("@chaintape/server/auth/keys/ApiKeyStore") {
  static readonly layer = Layer.effect(
    ApiKeyStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const audit = yield* AuditLog
      const note = (kind: AuditKind, key: string, detail: string) =>
        audit.record({ kind, actor: "service", key, detail })
      return ApiKeyStore.of({
        find: Effect.fn("ApiKeyStore.find")(
          (id) =>
            decodeKey(
              sql`select k.id, k.digest, k.revoked_at is null and a.disabled_at is null as "isActive",
                k.expires_at as "expiresAt", k.scopes, k.plan
                from api_key k left join account a on a.id = k.account where k.id = ${id}`
            ),
          Effect.map(Option.fromUndefinedOr)
        ),
        replaceByName: Effect.fn("ApiKeyStore.replaceByName")(
          function* ({ digest, id, name }) {
            const removed = yield* decodeIds(
              sql`delete from api_key where name = ${name} and account is null and id <> ${id} returning id`
            )
            yield* Effect.forEach(removed, (one) => note("key-revoked", one.id, `${name}, replaced by ${id}`))
            // Each start installs the same key again, which is not a change.
            const changed = yield* sql`insert into api_key (id, digest, name) values (${id}, ${digest}, ${name})
              on conflict (id) do update set name = excluded.name, digest = excluded.digest, revoked_at = null,
                expires_at = null
              where api_key.account is null and (api_key.name <> excluded.name or api_key.digest <> excluded.digest
                or api_key.revoked_at is not null or api_key.expires_at is not null) returning id`
            if (changed.length > 0) yield* note("key-installed", id, name)
          },
          Effect.catchTag("SchemaError", Effect.die),
          sql.withTransaction
        ),
        hasName: (name) => hasRow(sql`select 1 from api_key where name = ${name} and account is null`),
        check: Effect.asVoid(sql`select 1`)
      })
    })
  )
}
