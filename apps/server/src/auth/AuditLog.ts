import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql"
import { decodeRows } from "../internal/sql/decodeRows.ts"
import type { StoreError } from "../internal/StoreError.ts"

/** The recorded events. */
export const auditKinds = [
  "account-created",
  "account-disabled",
  "account-enabled",
  "account-deleted",
  "signed-in",
  "sign-in-failed",
  "signed-out",
  "signed-out-everywhere",
  "password-changed",
  "password-refused",
  "password-reset",
  "password-reset-created",
  "invitation-created",
  "invitation-used",
  "key-created",
  "key-rotated",
  "key-revoked",
  "key-plan-changed",
  "key-installed"
] as const

export type AuditKind = (typeof auditKinds)[number]

const actors = ["account", "operator", "service", "nobody"] as const

export interface NewAuditEvent {
  readonly kind: AuditKind
  /** The actor: the account holder, the operator, the service itself, or an unknown person. */
  readonly actor: (typeof actors)[number]
  readonly account?: string | undefined
  /** The id of the key, never the key. */
  readonly key?: string
  readonly address?: string | undefined
  /** Details for people, without secrets: the name of a key, for example. */
  readonly detail?: string
}

const Row = Schema.Struct({
  id: Schema.NumberFromString,
  at: Schema.DateTimeUtcFromDate,
  /** An `AuditKind`, or one that only a newer version knows. */
  kind: Schema.String,
  /** Of `actors`, or one that only a newer version knows. */
  actor: Schema.String,
  account: Schema.NullOr(Schema.String),
  key: Schema.NullOr(Schema.String),
  address: Schema.NullOr(Schema.String),
  detail: Schema.String
})

export type AuditEvent = typeof Row.Type

const decodeEvents = decodeRows(Row)
const decodeAddresses = decodeRows(Schema.Struct({ address: Schema.String }))

/** As long as the longest e-mail address, which is erased with its account. */
const maxDetailLength = 254

/** How many failed attempts stay in the log. */
export interface AttemptLimits {
  /** The newest from one address. */
  readonly ofAddress: number
  /** Attempts among the newest events of all kinds. */
  readonly ofAll: number
  readonly days: number
}

const standardLimits: AttemptLimits = { ofAddress: 100, ofAll: 100_000, days: 90 }

const isAttempt = (kind: AuditKind): boolean => kind === "sign-in-failed" || kind === "password-refused"

/** How many of the oldest attempts are looked at with each new one: more than one, so that the bounds are reached. */
const lookedAt = 100

const printable = (text: string) => text.replace(/\p{Cc}/gu, " ").slice(0, maxDetailLength)

const make = ({ days, ofAddress, ofAll }: AttemptLimits) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    // The predicates are those of the indexes. Materialized, `attempt` would be read whole.
    const forget = (address: string | undefined) => sql`
        with attempt as not materialized (select id, at, address from audit_event where kind in ('sign-in-failed', 'password-refused')),
        oldest as (select id, at from attempt order by id limit ${lookedAt}::int),
        surplus as (
          select id from oldest
            where at < now() - make_interval(days => ${days}::int) or id <= (select max(id) - ${ofAll}::int from audit_event)
          union
          (select id from attempt where address = ${address ?? null}::text order by id desc offset ${ofAddress}::int)
        )
        delete from audit_event where id in (select id from surplus)`
    return AuditLog.of({
      record: Effect.fn("AuditLog.record")(function* ({ account, actor, address, detail = "", key, kind }) {
        yield* sql`insert into audit_event (kind, actor, account, key, address, detail)
            values (${kind}, ${actor}, ${account ?? null}, ${key ?? null}, ${address ?? null}, ${printable(detail)})`
        if (isAttempt(kind)) yield* forget(address)
      }),
      ofAccount: Effect.fn("AuditLog.ofAccount")((account, limit) =>
        decodeEvents(
          sql`select id::text as id, at, kind, actor, account, key, address, detail
            from audit_event where account = ${account} order by id desc limit ${limit}`
        )
      ),
      addressesOf: Effect.fn("AuditLog.addressesOf")(function* (email, recentDays) {
        const rows = yield* decodeAddresses(
          sql`select distinct address from audit_event join account on account.id = audit_event.account
            where account.email = ${email} and kind in ('account-created', 'signed-in') and address is not null
              and at > now() - make_interval(days => ${recentDays}::int)`
        )
        return rows.map(({ address }) => address)
      }),
      erase: Effect.fn("AuditLog.erase")(function* (account, email) {
        yield* sql`update audit_event set detail = ''
              where (account = ${account} or account is null) and position(${email}::text in lower(detail)) > 0`
      })
    })
  })

/**
 * The audit log of accounts and keys. It outlives both; failed attempts, of which strangers make as many as they like, are
 * deleted by age and by number.
 */
export class AuditLog extends Context.Service<
  AuditLog,
  {
    readonly record: (event: NewAuditEvent) => Effect.Effect<void, SqlError.SqlError>
    /** The newest `limit` events of an account, newest first. */
    readonly ofAccount: (account: string, limit: number) => Effect.Effect<ReadonlyArray<AuditEvent>, StoreError>
    /** The addresses at which the account with this e-mail address was created or signed in to in the last days. */
    readonly addressesOf: (email: string, days: number) => Effect.Effect<ReadonlyArray<string>, StoreError>
    /** Erases the details that contain the e-mail address of an account. Those of other accounts remain. */
    readonly erase: (account: string, email: string) => Effect.Effect<void, SqlError.SqlError>
  }
>()("@chaintape/server/auth/AuditLog") {
  static readonly layer = Layer.effect(AuditLog, make(standardLimits))

  static readonly layerTest = (limits: AttemptLimits) => Layer.effect(AuditLog, make(limits))
}
