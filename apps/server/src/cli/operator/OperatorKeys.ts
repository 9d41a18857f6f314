import { DateTime, Effect, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { AuditKind } from "../../auth/AuditLog.ts"
import { AuditLog } from "../../auth/AuditLog.ts"
import type { NewAccountKey } from "../../auth/keys/AccountKeys.ts"
import { getDigest, newKey, shownForm } from "../../auth/keys/ApiKeys.ts"
import { decodeFirstRow, decodeRows } from "../../internal/sql/decodeRows.ts"

const Row = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  account: Schema.NullOr(Schema.String),
  accountId: Schema.NullOr(Schema.String),
  scopes: Schema.NullOr(Schema.Array(Schema.String)),
  plan: Schema.NullOr(Schema.String),
  createdAt: Schema.DateTimeUtcFromDate,
  expiresAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  revokedAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  lastUsedAt: Schema.NullOr(Schema.DateTimeUtcFromDate)
})

/** A key as the operator sees it. `account` is the e-mail address of its owner; null for the operator's own keys. */
export type OperatorKey = typeof Row.Type

const decodeKeys = decodeRows(Row)
const decodeKey = decodeFirstRow(Row)
const decodePlanned = decodeFirstRow(Schema.Struct({ name: Schema.String, account: Schema.NullOr(Schema.String) }))

const note = Effect.fnUntraced(function* (kind: AuditKind, account: string | null, key: string, detail: string) {
  const { record } = yield* AuditLog
  yield* record({ kind, actor: "operator", account: account ?? undefined, key, detail })
}, Effect.provide(AuditLog.layer))

/** A new key of the operator. It is returned once and not stored. */
export const createKey = Effect.fnUntraced(function* ({ expiresAt, name, scopes }: NewAccountKey) {
  const sql = yield* SqlClient.SqlClient
  const key = yield* newKey
  const text = Redacted.value(key)
  const { digest, id } = getDigest(text)
  yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`insert into api_key (id, digest, name, shown, scopes, expires_at) values (
        ${id}, ${digest}, ${name}, ${shownForm(text)},
        case when ${scopes === undefined ? 1 : 0}::int = 1 then null::text[]
          else string_to_array(${(scopes ?? []).join(",")}, ',') end,
        ${expiresAt === undefined ? null : DateTime.formatIso(expiresAt)}::timestamptz)`
      yield* note("key-created", null, id, name)
    })
  )
  return { id, key }
})

const columns = `k.id, k.name, a.email as account, k.account as "accountId", k.scopes, k.plan, k.created_at as "createdAt",
  k.expires_at as "expiresAt", k.revoked_at as "revokedAt", k.last_used_at as "lastUsedAt"`

/** All keys, the operator's first, newest first. */
export const listKeys = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* decodeKeys(
    sql`select ${sql.literal(columns)} from api_key k left join account a on a.id = k.account
      order by (k.account is not null), k.created_at desc, k.id`
  )
})

/**
 * Revokes any key, including those of accounts, and returns it as it was before; undefined if it does not exist.
 */
export const revokeKey = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      const before = yield* decodeKey(
        sql`with changed as (update api_key set revoked_at = now() where id = ${id} and revoked_at is null returning id)
          select ${sql.literal(columns)} from api_key k left join account a on a.id = k.account where k.id = ${id}`
      )
      if (before?.revokedAt === null) yield* note("key-revoked", before.accountId, id, before.name)
      return before
    })
  )
})

/** Stores a plan with any key, including those of accounts. Returns the key's name; undefined if the key does not exist. */
export const setPlan = Effect.fnUntraced(function* (id: string, plan: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      const changed = yield* decodePlanned(
        sql`update api_key set plan = ${plan} where id = ${id} returning name, account`
      )
      if (changed !== undefined) yield* note("key-plan-changed", changed.account, id, `${plan}: ${changed.name}`)
      return changed?.name
    })
  )
})
