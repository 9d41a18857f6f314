import { DateTime, Effect, Layer, Option, Redacted } from "effect"
import { RedisLink } from "../../store/RedisLink.ts"
import type { AuditKind } from "../AuditLog.ts"
import { AuditLog } from "../AuditLog.ts"
import { Usage } from "../usage/Usage.ts"
import { makeAccountKeyRows } from "./AccountKeyRows.ts"
import type { AccountKeyRow } from "./AccountKeyRows.ts"
import type { AccountKey, Holder, NewAccountKey, UsageOfDay } from "./AccountKeys.ts"
import { AccountKeys } from "./AccountKeys.ts"
import { ApiKeys, getDigest, newKey, shownForm } from "./ApiKeys.ts"

const isActive = ({ expiresAt, revokedAt }: AccountKeyRow, now: DateTime.Utc) =>
  revokedAt === null && (expiresAt === null || DateTime.isGreaterThan(expiresAt, now))

const latest = (stored: DateTime.Utc | null, recent: Option.Option<number>): DateTime.Utc | undefined => {
  if (Option.isNone(recent)) return stored ?? undefined
  const used = DateTime.makeUnsafe(recent.value)
  return stored === null ? used : DateTime.max(stored, used)
}

const today = Effect.map(DateTime.now, DateTime.formatIsoDateUtc)

const addCounts = <K extends string>(rows: ReadonlyArray<Readonly<Record<K, number>>>, count: K): number =>
  rows.reduce((sum, row) => sum + row[count], 0)

type Rows = Effect.Success<typeof makeAccountKeyRows>

/** A key as its account sees it. */
const readAccountKey = Effect.fnUntraced(function* (
  usage: Usage["Service"],
  row: AccountKeyRow,
  requestsToday: number
) {
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

/** The counted requests of an account's keys. */
const makeUsageReads = (rows: Rows, usage: Usage["Service"]) => {
  const activeKeys = (account: string, day: string) =>
    Effect.map(rows.activeSince(account, day), (found) => found.map(({ id }) => id))
  return {
    usage: Effect.fn("AccountKeys.usage")(function* (account: string, days: number) {
      const now = yield* DateTime.now
      const wanted = Array.from({ length: days }, (_, index) =>
        DateTime.formatIsoDateUtc(DateTime.subtract(now, { days: days - 1 - index }))
      )
      const first = wanted[0] ?? (yield* today)
      const used = yield* usage.since(yield* activeKeys(account, first), first)
      return wanted.map((day): UsageOfDay => {
        const ofDay = used.filter((row) => row.day === day)
        return { day, requests: addCounts(ofDay, "requests"), refused: addCounts(ofDay, "refused") }
      })
    }),
    operations: Effect.fn("AccountKeys.operations")(function* (account: string, days: number) {
      const first = DateTime.formatIsoDateUtc(DateTime.subtract(yield* DateTime.now, { days: days - 1 }))
      return yield* usage.operationsSince(yield* activeKeys(account, first), first)
    })
  }
}

/** Records what an account did with a key, within the transaction of the change. */
const noteWith =
  (audit: AuditLog["Service"]) =>
  (kind: AuditKind, { account, address }: Holder, key: string, detail: string) =>
    audit.record({ kind, actor: "account", account, key, address, detail })

type Note = ReturnType<typeof noteWith>

/** New keys, each in one transaction that locks its account. */
const makeCreations = (rows: Rows, usage: Usage["Service"], note: Note) => {
  const make = Effect.fnUntraced(function* (
    kind: AuditKind,
    holder: Holder,
    wanted: NewAccountKey & { readonly plan: string | null; readonly scopesOf: string | null },
    detail: string
  ) {
    const key = yield* newKey
    const text = Redacted.value(key)
    const row = yield* rows.insert(
      { ...getDigest(text), ...wanted, account: holder.account, shown: shownForm(text) },
      yield* DateTime.nowAsDate
    )
    if (row === undefined) return Option.none()
    yield* note(kind, holder, row.id, detail)
    return Option.some({ stored: yield* readAccountKey(usage, row, 0), key })
  })
  return {
    create: Effect.fn("AccountKeys.create")((holder: Holder, wanted: NewAccountKey) =>
      rows.withTransaction(
        Effect.gen(function* () {
          if (!(yield* rows.lock(holder.account))) return Option.none()
          return yield* make("key-created", holder, { ...wanted, plan: null, scopesOf: null }, wanted.name)
        })
      )
    ),
    rotate: Effect.fn("AccountKeys.rotate")((holder: Holder, id: string) =>
      rows.withTransaction(
        Effect.gen(function* () {
          if (!(yield* rows.lock(holder.account))) return Option.none()
          const old = yield* rows.find(holder.account, id)
          if (old === undefined || !isActive(old, yield* DateTime.now)) return Option.none()
          const { expiresAt, name, plan } = old
          const wanted = { name, plan, scopes: undefined, scopesOf: id, expiresAt: expiresAt ?? undefined }
          return yield* make("key-rotated", holder, wanted, `${name}, beside ${id}`)
        })
      )
    )
  }
}

const revokedChannel = "revoked"

/** Notifies every instance of revoked keys. */
const makeRevocations = Effect.gen(function* () {
  const keys = yield* ApiKeys
  const link = yield* RedisLink
  yield* link.listen(revokedChannel, keys.forget)
  return (id: string) =>
    Effect.andThen(
      keys.forget(id),
      Effect.asVoid(link.send(["PUBLISH", `${link.prefix}${revokedChannel}`, id], Option.some))
    )
})

/** The keys of accounts in the service's store. */
export const layer = Layer.effect(
  AccountKeys,
  Effect.gen(function* () {
    const rows = yield* makeAccountKeyRows
    const usage = yield* Usage
    const announceRevoked = yield* makeRevocations
    const note = noteWith(yield* AuditLog)
    return AccountKeys.of({
      ...makeUsageReads(rows, usage),
      ...makeCreations(rows, usage, note),
      list: Effect.fn("AccountKeys.list")(function* (account) {
        const found = yield* rows.ofAccount(account)
        const used = yield* usage.since(
          found.map(({ id }) => id),
          yield* today
        )
        return yield* Effect.forEach(found, (row) => {
          const ofKey = used.filter(({ key }) => key === row.id)
          return readAccountKey(usage, row, addCounts(ofKey, "requests"))
        })
      }),
      revoke: Effect.fn("AccountKeys.revoke")(function* (holder, id) {
        const { account } = holder
        const revoked = yield* rows.withTransaction(
          Effect.gen(function* () {
            const row = yield* rows.revoke(account, id, yield* DateTime.nowAsDate)
            if (row !== undefined) yield* note("key-revoked", holder, id, row.name)
            return row
          })
        )
        if (revoked !== undefined) yield* announceRevoked(id)
        const row = revoked ?? (yield* rows.find(account, id))
        if (row === undefined) return Option.none()
        const used = yield* usage.since([id], yield* today)
        return Option.some(yield* readAccountKey(usage, row, addCounts(used, "requests")))
      }),
      revokeAll: Effect.fn("AccountKeys.revokeAll")(function* (holder) {
        const revoked = yield* rows.withTransaction(
          Effect.gen(function* () {
            const all = yield* rows.revokeAll(holder.account, yield* DateTime.nowAsDate)
            yield* Effect.forEach(all, ({ id, name }) => note("key-revoked", holder, id, name))
            return all
          })
        )
        yield* Effect.forEach(revoked, ({ id }) => announceRevoked(id))
      })
    })
  })
)
