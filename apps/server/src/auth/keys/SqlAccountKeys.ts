import { DateTime, Effect, Layer, Option, Redacted, Schema } from "effect"
import { HttpServerRequest } from "effect/http"
import { SqlClient, SqlSchema } from "effect/sql"
import type { AuditKind } from "../AuditLog.ts"
import { AuditLog } from "../AuditLog.ts"
import { CallerAddress } from "../CallerAddress.ts"
import { Usage } from "../usage/Usage.ts"
import type { AccountKey, NewAccountKey, UsageOfDay } from "./AccountKeys.ts"
import { AccountKeys, keyScopes } from "./AccountKeys.ts"
import { KeyRevocations } from "./KeyRevocations.ts"
import { getDigest, newKey, shownForm } from "./KeyText.ts"

/** Active keys per account. */
const mostLive = 20
/** The active keys, and the newest of the others. */
const mostListed = 200

const Row = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  shown: Schema.NullOr(Schema.String),
  scopes: Schema.NullOr(Schema.Array(Schema.Literals(keyScopes))),
  plan: Schema.NullOr(Schema.String),
  createdAt: Schema.DateTimeUtcFromDate,
  expiresAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  revokedAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  lastUsedAt: Schema.NullOr(Schema.DateTimeUtcFromDate)
})

type Row = typeof Row.Type

const OfAccount = Schema.Struct({ account: Schema.String, id: Schema.String })

const isLive = ({ expiresAt, revokedAt }: Row, now: DateTime.Utc) =>
  revokedAt === null && (expiresAt === null || DateTime.isGreaterThan(expiresAt, now))

const latest = (stored: DateTime.Utc | null, recent: number | undefined): DateTime.Utc | undefined => {
  if (recent === undefined) return stored ?? undefined
  const used = DateTime.makeUnsafe(recent)
  return stored === null ? used : DateTime.max(stored, used)
}

const makeRows = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = sql.literal(
    `id, name, shown, scopes, plan, created_at as "createdAt", expires_at as "expiresAt", revoked_at as "revokedAt",
    last_used_at as "lastUsedAt"`
  )
  const ofAccount = SqlSchema.findAll({
    Request: Schema.String,
    Result: Row,
    execute: (account) =>
      sql`select ${columns} from api_key where account = ${account}
        order by (revoked_at is not null), created_at desc, id limit ${mostListed}`
  })
  const activeSince = SqlSchema.findAll({
    Request: Schema.Struct({ account: Schema.String, day: Schema.String }),
    Result: Schema.Struct({ id: Schema.String }),
    execute: ({ account, day }) =>
      sql`select id from api_key
        where account = ${account} and (revoked_at is null or revoked_at >= ${day}::text::date)`
  })
  const find = SqlSchema.findOneOption({
    Request: OfAccount,
    Result: Row,
    execute: ({ account, id }) => sql`select ${columns} from api_key where account = ${account} and id = ${id}`
  })
  const revoke = SqlSchema.findOneOption({
    Request: Schema.Struct({ ...OfAccount.fields, now: Schema.DateTimeUtcFromDate }),
    Result: Row,
    execute: ({ account, id, now }) =>
      sql`update api_key set revoked_at = ${now}
        where account = ${account} and id = ${id} and revoked_at is null returning ${columns}`
  })
  const revokeAll = SqlSchema.findAll({
    Request: Schema.Struct({ account: Schema.String, now: Schema.DateTimeUtcFromDate }),
    Result: Row,
    execute: ({ account, now }) =>
      sql`update api_key set revoked_at = ${now}
        where account = ${account} and revoked_at is null returning ${columns}`
  })
  const insert = SqlSchema.findOneOption({
    Request: Schema.Struct({
      ...OfAccount.fields,
      digest: Schema.String,
      shown: Schema.String,
      name: Schema.String,
      scopes: Schema.NullOr(Schema.Array(Schema.String)),
      plan: Schema.NullOr(Schema.String),
      now: Schema.DateTimeUtcFromDate,
      expiresAt: Schema.NullOr(Schema.DateTimeUtcFromDate)
    }),
    Result: Row,
    execute: ({ account, digest, expiresAt, id, name, now, plan, scopes, shown }) =>
      sql`insert into api_key (id, digest, name, account, shown, scopes, plan, created_at, expires_at)
        select ${id}, ${digest}, ${name}, ${account}, ${shown},
          case when ${scopes === null ? 1 : 0}::int = 1 then null::text[]
            else string_to_array(${(scopes ?? []).join(",")}, ',') end,
          ${plan}, ${now}::timestamptz, ${expiresAt}::timestamptz
        where (select count(*) from api_key where account = ${account} and revoked_at is null
          and (expires_at is null or expires_at > ${now}::timestamptz)) < ${mostLive}::int
        returning ${columns}`
  })
  /**
   * Creations of keys of one account run one after the other: otherwise two could both take the last free slot. False
   * for a disabled account.
   */
  const lock = (account: string) =>
    Effect.map(
      sql`select 1 from account where id = ${account} and disabled_at is null for update`,
      (rows) => rows.length === 1
    )
  return { sql, ofAccount, activeSince, find, revoke, revokeAll, insert, lock }
})

/** The keys of accounts in the service's store. */
export const layer = Layer.effect(
  AccountKeys,
  Effect.gen(function* () {
    const rows = yield* makeRows
    const usage = yield* Usage
    const revocations = yield* KeyRevocations
    const audit = yield* AuditLog

    const today = Effect.map(DateTime.now, DateTime.formatIsoDateUtc)

    const toShown = Effect.fnUntraced(function* (row: Row, requestsToday: number) {
      const recent = yield* usage.lastUse(row.id)
      return {
        id: row.id,
        name: row.name,
        shown: row.shown ?? row.id,
        scopes: row.scopes ?? undefined,
        createdAt: row.createdAt,
        expiresAt: row.expiresAt ?? undefined,
        revokedAt: row.revokedAt ?? undefined,
        lastUsedAt: latest(row.lastUsedAt, recent),
        requestsToday
      } satisfies AccountKey
    })

    const note = Effect.fnUntraced(function* (kind: AuditKind, account: string, key: string, detail: string) {
      const request = yield* Effect.serviceOption(HttpServerRequest.HttpServerRequest)
      const addresses = yield* Effect.serviceOption(CallerAddress)
      const address = Option.zipWith(addresses, request, ({ of }, made) => of(made))
      yield* audit.record({ kind, actor: "account", account, key, address: Option.getOrUndefined(address), detail })
    })

    const make = Effect.fnUntraced(function* (
      kind: AuditKind,
      account: string,
      wanted: NewAccountKey & { readonly plan: string | null },
      detail: string
    ) {
      const key = yield* newKey
      const now = yield* DateTime.now
      const row = yield* rows.insert({
        ...getDigest(Redacted.value(key)),
        account,
        shown: shownForm(Redacted.value(key)),
        name: wanted.name,
        scopes: wanted.scopes ?? null,
        plan: wanted.plan,
        now,
        expiresAt: wanted.expiresAt ?? null
      })
      if (Option.isNone(row)) return Option.none()
      yield* note(kind, account, row.value.id, detail)
      return Option.some({ stored: yield* toShown(row.value, 0), key })
    })

    const activeKeys = (account: string, day: string) =>
      Effect.map(rows.activeSince({ account, day }), (found) => found.map(({ id }) => id))

    return AccountKeys.of({
      list: Effect.fn("AccountKeys.list")(function* (account) {
        const found = yield* rows.ofAccount(account)
        const used = yield* usage.since(
          found.map(({ id }) => id),
          yield* today
        )
        return yield* Effect.forEach(found, (row) =>
          toShown(
            row,
            used.filter(({ key }) => key === row.id).reduce((sum, { requests }) => sum + requests, 0)
          )
        )
      }),
      create: Effect.fn("AccountKeys.create")((account, wanted) =>
        rows.sql.withTransaction(
          Effect.gen(function* () {
            if (!(yield* rows.lock(account))) return Option.none()
            return yield* make("key-created", account, { ...wanted, plan: null }, wanted.name)
          })
        )
      ),
      rotate: Effect.fn("AccountKeys.rotate")((account, id) =>
        rows.sql.withTransaction(
          Effect.gen(function* () {
            if (!(yield* rows.lock(account))) return Option.none()
            const old = yield* rows.find({ account, id })
            if (Option.isNone(old) || !isLive(old.value, yield* DateTime.now)) return Option.none()
            const { expiresAt, name, plan, scopes } = old.value
            const wanted = { name, plan, scopes: scopes ?? undefined, expiresAt: expiresAt ?? undefined }
            return yield* make("key-rotated", account, wanted, `${name}, beside ${id}`)
          })
        )
      ),
      revoke: Effect.fn("AccountKeys.revoke")(function* (account, id) {
        const revoked = yield* rows.sql.withTransaction(
          Effect.gen(function* () {
            const row = yield* rows.revoke({ account, id, now: yield* DateTime.now })
            if (Option.isSome(row)) yield* note("key-revoked", account, id, row.value.name)
            return row
          })
        )
        if (Option.isSome(revoked)) yield* revocations.announce(id)
        const row = Option.isSome(revoked) ? revoked : yield* rows.find({ account, id })
        if (Option.isNone(row)) return Option.none()
        const used = yield* usage.since([id], yield* today)
        return Option.some(
          yield* toShown(
            row.value,
            used.reduce((sum, { requests }) => sum + requests, 0)
          )
        )
      }),
      revokeAll: Effect.fn("AccountKeys.revokeAll")(function* (account) {
        const revoked = yield* rows.sql.withTransaction(
          Effect.gen(function* () {
            const all = yield* rows.revokeAll({ account, now: yield* DateTime.now })
            yield* Effect.forEach(all, ({ id, name }) => note("key-revoked", account, id, name))
            return all
          })
        )
        yield* Effect.forEach(revoked, ({ id }) => revocations.announce(id))
      }),
      usage: Effect.fn("AccountKeys.usage")(function* (account, days) {
        const now = yield* DateTime.now
        const wanted = Array.from({ length: days }, (_, index) =>
          DateTime.formatIsoDateUtc(DateTime.subtract(now, { days: days - 1 - index }))
        )
        const first = wanted[0] ?? (yield* today)
        const used = yield* usage.since(yield* activeKeys(account, first), first)
        return wanted.map((day): UsageOfDay => {
          const ofDay = used.filter((row) => row.day === day)
          const sum = (count: "requests" | "refused") => ofDay.reduce((total, row) => total + row[count], 0)
          return { day, requests: sum("requests"), refused: sum("refused") }
        })
      }),
      operations: Effect.fn("AccountKeys.operations")(function* (account, days) {
        const first = DateTime.formatIsoDateUtc(DateTime.subtract(yield* DateTime.now, { days: days - 1 }))
        return yield* usage.operationsSince(yield* activeKeys(account, first), first)
      })
    })
  })
)
