import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { decodeFirstRow, decodeRows, hasRow } from "../../internal/sql/decodeRows.ts"
import { StoredScopes } from "./AccountKeys.ts"
import type { NewAccountKey } from "./AccountKeys.ts"

/** Active keys per account. */
const maxActiveKeys = 20
/** The active keys, and the newest of the others. */
const maxListedKeys = 200

const AccountKeyRow = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  shown: Schema.NullOr(Schema.String),
  scopes: Schema.NullOr(StoredScopes),
  plan: Schema.NullOr(Schema.String),
  createdAt: Schema.DateTimeUtcFromDate,
  expiresAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  revokedAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  lastUsedAt: Schema.NullOr(Schema.DateTimeUtcFromDate)
})

export type AccountKeyRow = typeof AccountKeyRow.Type

const decodeKeys = decodeRows(AccountKeyRow)
const decodeKey = decodeFirstRow(AccountKeyRow)
const decodeIds = decodeRows(Schema.Struct({ id: Schema.String }))

interface NewRow extends NewAccountKey {
  readonly account: string
  readonly id: string
  readonly digest: string
  readonly shown: string
  /** The key whose scopes it has instead, also those that only a newer version knows. */
  readonly scopesOf: string | null
  readonly plan: string | null
}

/** The statements on the keys of accounts. */
export const makeAccountKeyRows = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = sql.literal(
    `id, name, shown, scopes, plan, created_at as "createdAt", expires_at as "expiresAt", revoked_at as "revokedAt",
    last_used_at as "lastUsedAt"`
  )
  const ofAccount = (account: string) =>
    decodeKeys(
      sql`select ${columns} from api_key where account = ${account}
        order by (revoked_at is not null or coalesce(expires_at <= now(), false)), created_at desc, id limit ${maxListedKeys}`
    )
  const activeSince = (account: string, day: string) =>
    decodeIds(
      sql`select id from api_key
        where account = ${account} and (revoked_at is null or revoked_at >= ${day}::text::date)`
    )
  const find = (account: string, id: string) =>
    decodeKey(sql`select ${columns} from api_key where account = ${account} and id = ${id}`)
  const revoke = (account: string, id: string, now: Date) =>
    decodeKey(
      sql`update api_key set revoked_at = ${now}
        where account = ${account} and id = ${id} and revoked_at is null returning ${columns}`
    )
  const revokeAll = (account: string, now: Date) =>
    decodeKeys(
      sql`update api_key set revoked_at = ${now}
        where account = ${account} and revoked_at is null returning ${columns}`
    )
  const insert = ({ account, digest, expiresAt, id, name, plan, scopes, scopesOf, shown }: NewRow, now: Date) =>
    decodeKey(
      sql`insert into api_key (id, digest, name, account, shown, scopes, plan, created_at, expires_at)
        select ${id}, ${digest}, ${name}, ${account}, ${shown},
          case when ${scopesOf}::text is not null then (select scopes from api_key where id = ${scopesOf}::text)
            when ${scopes === undefined ? 1 : 0}::int = 1 then null::text[]
            else string_to_array(${(scopes ?? []).join(",")}, ',') end,
          ${plan}, ${now}::timestamptz, ${expiresAt === undefined ? null : DateTime.toDate(expiresAt)}::timestamptz
        where (select count(*) from api_key where account = ${account} and revoked_at is null
          and (expires_at is null or expires_at > ${now}::timestamptz)) < ${maxActiveKeys}::int
        returning ${columns}`
    )
  /**
   * Creations of keys of one account run one after the other: otherwise two could both take the last free slot. False
   * for a disabled account.
   */
  const lock = (account: string) =>
    hasRow(sql`select 1 from account where id = ${account} and disabled_at is null for update`)
  return { withTransaction: sql.withTransaction, ofAccount, activeSince, find, revoke, revokeAll, insert, lock }
})
