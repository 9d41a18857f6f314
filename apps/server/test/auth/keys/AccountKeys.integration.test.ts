import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { AuditLog } from "../../../src/auth/AuditLog.ts"
import { AccountKeys } from "../../../src/auth/keys/AccountKeys.ts"
import { ApiKeys } from "../../../src/auth/keys/ApiKeys.ts"
import type { ApiKeyStore } from "../../../src/auth/keys/ApiKeyStore.ts"
import { Usage } from "../../../src/auth/usage/Usage.ts"
import { embeddedDatabase, serverDatabase } from "../../OwnDatabase.ts"
import { addAccount, keysOver, toHolder } from "./KeyDatabase.ts"
import { isWellFormed } from "./KeyForm.ts"

/** A PostgreSQL server. */
const server = process.env["DATABASE_URL"] ?? ""

const plainKey = { name: "laptop", scopes: undefined, expiresAt: undefined }
const verify = (key: Redacted.Redacted) => Effect.flatMap(ApiKeys, (keys) => keys.verify(Redacted.value(key)))
const isGood = (key: Redacted.Redacted) => Effect.map(verify(key), Option.isSome)
const made = (account: string, wanted: Parameters<AccountKeys["Service"]["create"]>[1] = plainKey) =>
  Effect.flatMap(AccountKeys, ({ create }) => Effect.map(create(toHolder(account), wanted), Option.getOrThrow))
const today = Effect.map(DateTime.now, DateTime.formatIsoDateUtc)

type Needs = AccountKeys | ApiKeys | ApiKeyStore | AuditLog | Usage | SqlClient.SqlClient

const cases: ReadonlyArray<readonly [string, Effect.Effect<void, unknown, Needs>]> = [
  [
    "a key is made, works at once, and is nowhere but in the answer",
    Effect.gen(function* () {
      const { list } = yield* AccountKeys
      const { key, stored } = yield* made("ada")
      const text = Redacted.value(key)
      assert.isTrue(isWellFormed(text))
      assert.isTrue(yield* isGood(key))
      assert.deepInclude(stored, { name: "laptop", scopes: undefined, requestsToday: 0, lastUsedAt: undefined })
      assert.strictEqual(stored.shown, `chaintape_${stored.id}…${text.slice(-4)}`)
      assert.deepStrictEqual(yield* list("ada"), [stored])
      const sql = yield* SqlClient.SqlClient
      const everything = [
        yield* sql`select to_jsonb(k)::text from api_key k`,
        yield* sql`select to_jsonb(e)::text from audit_event e`
      ]
      assert.notInclude(JSON.stringify(everything), text.slice(20, 46))
    })
  ],
  [
    "scopes and expiry hold",
    Effect.gen(function* () {
      const expiresAt = DateTime.add(yield* DateTime.now, { hours: 1 })
      const { key, stored } = yield* made("ada", { name: "narrow", scopes: ["cex", "dex"], expiresAt })
      assert.deepStrictEqual([stored.scopes, stored.expiresAt], [["cex", "dex"], expiresAt])
      assert.deepStrictEqual(Option.getOrThrow(yield* verify(key)).scopes, ["cex", "dex"])
      const past = DateTime.subtract(yield* DateTime.now, { seconds: 1 })
      assert.isFalse(yield* isGood((yield* made("ada", { ...plainKey, expiresAt: past })).key))
    })
  ],
  [
    "the list shows a key that a newer version made, without the scopes that this one does not know",
    Effect.gen(function* () {
      const { list, rotate } = yield* AccountKeys
      const { stored } = yield* made("ada", { ...plainKey, scopes: ["cex"] })
      const sql = yield* SqlClient.SqlClient
      yield* sql`update api_key set scopes = ${"{later,cex}"}::text::text[] where id = ${stored.id}`
      assert.deepStrictEqual(yield* list("ada"), [stored])
      yield* sql`update api_key set scopes = ${"{later}"}::text::text[] where id = ${stored.id}`
      assert.deepStrictEqual(yield* list("ada"), [{ ...stored, scopes: [] }])
      // The newer version finds its scope in the new key, too.
      const rotated = Option.getOrThrow(yield* rotate(toHolder("ada"), stored.id))
      assert.deepStrictEqual(rotated.stored.scopes, [])
      const [row] = yield* sql<{ scopes: string }>`select scopes::text from api_key where id = ${rotated.stored.id}`
      assert.strictEqual(row?.scopes, "{later}")
    })
  ],
  [
    "a revoked key ends at once, and stays in the list behind the others",
    Effect.gen(function* () {
      const { list, revoke } = yield* AccountKeys
      const first = yield* made("ada")
      const second = yield* made("ada")
      assert.isTrue(yield* isGood(second.key))
      const revoked = Option.getOrThrow(yield* revoke(toHolder("ada"), second.stored.id))
      assert.isDefined(revoked.revokedAt)
      assert.isFalse(yield* isGood(second.key))
      assert.isTrue(yield* isGood(first.key))
      assert.deepStrictEqual(
        (yield* list("ada")).map(({ id }) => id),
        [first.stored.id, second.stored.id]
      )
      assert.deepStrictEqual(Option.getOrThrow(yield* revoke(toHolder("ada"), second.stored.id)), revoked)
    })
  ],
  [
    "the list ends after 200 keys, the active ones first, and the usage counts all",
    Effect.gen(function* () {
      const { list, usage } = yield* AccountKeys
      const sql = yield* SqlClient.SqlClient
      const old = yield* made("ada")
      yield* sql`insert into api_key (id, digest, name, account, created_at, revoked_at, expires_at)
        select 'ended-' || n, 'digest-' || n, 'ended', 'ada', now() + interval '1 minute',
          case when n % 2 = 0 then now() end, case when n % 2 = 1 then now() end
        from generate_series(1, 600) n`
      yield* sql`insert into api_usage (key, day, requests, refused, cost)
        select id, ${yield* today}::text::date, 1, 0, 1 from api_key where account = 'ada'`
      const keys = yield* list("ada")
      assert.lengthOf(keys, 200)
      assert.strictEqual(keys[0]?.id, old.stored.id)
      assert.deepStrictEqual(yield* usage("ada", 1), [{ day: yield* today, requests: 601, refused: 0 }])
    })
  ],
  [
    "a key is rotated: both live, with the same name, limits and plan",
    Effect.gen(function* () {
      const { revoke, rotate } = yield* AccountKeys
      const sql = yield* SqlClient.SqlClient
      const old = yield* made("ada", { ...plainKey, scopes: ["blocks"] })
      yield* sql`update api_key set plan = 'large' where id = ${old.stored.id}`
      const rotated = Option.getOrThrow(yield* rotate(toHolder("ada"), old.stored.id))
      assert.notStrictEqual(rotated.stored.id, old.stored.id)
      assert.deepInclude(rotated.stored, { name: "laptop", scopes: ["blocks"] })
      assert.deepInclude(Option.getOrThrow(yield* verify(rotated.key)), { plan: "large", scopes: ["blocks"] })
      assert.isTrue(yield* isGood(old.key))
      yield* revoke(toHolder("ada"), old.stored.id)
      assert.deepStrictEqual([yield* isGood(old.key), yield* isGood(rotated.key)], [false, true])
      assert.isTrue(Option.isNone(yield* rotate(toHolder("ada"), old.stored.id)))
    })
  ],
  [
    "all keys of an account end at once, and those of others go on",
    Effect.gen(function* () {
      const { list, revokeAll } = yield* AccountKeys
      const { ofAccount } = yield* AuditLog
      const mine = [yield* made("ada"), yield* made("ada")]
      const other = yield* made("bob")
      for (const { key } of [...mine, other]) assert.isTrue(yield* isGood(key))
      yield* revokeAll(toHolder("ada"))
      for (const { key } of mine) assert.isFalse(yield* isGood(key))
      assert.isTrue(yield* isGood(other.key))
      assert.deepStrictEqual(
        (yield* list("ada")).map(({ revokedAt }) => revokedAt !== undefined),
        [true, true]
      )
      yield* revokeAll(toHolder("ada"))
      const revoked = (yield* ofAccount("ada", 10)).filter(({ kind }) => kind === "key-revoked")
      assert.lengthOf(revoked, 2)
    })
  ],
  [
    "another account's key is one that does not exist",
    Effect.gen(function* () {
      const { list, operations, revoke, rotate, usage } = yield* AccountKeys
      const { record } = yield* Usage
      const { key, stored } = yield* made("ada")
      record(stored.id, { operation: "cex.trades", cost: 1, refused: false })
      for (const stranger of ["bob", "nobody", ""]) {
        assert.deepStrictEqual(yield* list(stranger), [])
        assert.isTrue(Option.isNone(yield* revoke(toHolder(stranger), stored.id)))
        assert.isTrue(Option.isNone(yield* rotate(toHolder(stranger), stored.id)))
        assert.deepStrictEqual(
          (yield* usage(stranger, 2)).map(({ requests }) => requests),
          [0, 0]
        )
        assert.deepStrictEqual(yield* operations(stranger, 2), [])
      }
      assert.isTrue(yield* isGood(key))
    })
  ],
  [
    "an account has at most twenty live keys, however many are asked for at once",
    Effect.gen(function* () {
      const { create, list, revoke, rotate } = yield* AccountKeys
      const asked = Array.from({ length: 26 }, () => create(toHolder("ada"), plainKey))
      const answers = yield* Effect.all(asked, { concurrency: 8 })
      assert.lengthOf(answers.filter(Option.isSome), 20)
      const [one] = yield* list("ada")
      const id = one?.id ?? ""
      assert.isTrue(Option.isNone(yield* rotate(toHolder("ada"), id)))
      assert.isTrue(Option.isSome(yield* create(toHolder("bob"), plainKey)))
      yield* revoke(toHolder("ada"), id)
      assert.isTrue(Option.isSome(yield* create(toHolder("ada"), plainKey)))
      assert.isTrue(Option.isNone(yield* create(toHolder("ada"), plainKey)))
      assert.isTrue(Option.isNone(yield* create(toHolder("nobody"), plainKey)))
    })
  ],
  [
    "the keys of a closed account end with it",
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { forget } = yield* ApiKeys
      const { key, stored } = yield* made("ada")
      assert.isTrue(yield* isGood(key))
      yield* sql`update account set disabled_at = now() where id = 'ada'`
      yield* forget(stored.id)
      assert.isFalse(yield* isGood(key))
    })
  ],
  [
    "the operator's names and those of accounts are apart",
    Effect.gen(function* () {
      const { hasName, install } = yield* ApiKeys
      const { key } = yield* made("ada", { ...plainKey, name: "bootstrap" })
      assert.isFalse(yield* hasName("bootstrap"))
      yield* install("bootstrap", Redacted.make("the-key-of-the-operator"))
      assert.isTrue(yield* isGood(key))
      yield* install("stolen", key)
      assert.isFalse(yield* hasName("stolen"))
    })
  ],
  [
    "use is counted by operations, with what is not written yet, and without the keys of others",
    Effect.gen(function* () {
      const { operations } = yield* AccountKeys
      const { record } = yield* Usage
      const sql = yield* SqlClient.SqlClient
      const one = yield* made("ada")
      const two = yield* made("ada")
      const other = yield* made("bob")
      yield* sql`insert into api_usage_operation (key, day, operation, requests, refused)
        values (${one.stored.id}, ${yield* today}::text::date - 3, 'cex.trades', 7, 3),
          (${two.stored.id}, ${yield* today}::text::date - 1, 'cex.trades', 5, 0),
          (${one.stored.id}, ${yield* today}::text::date - 4, 'cex.markets', 9, 0),
          (${other.stored.id}, ${yield* today}::text::date, 'dex.pools', 9, 0)`
      record(one.stored.id, { operation: "cex.trades", cost: 51, refused: false })
      record(two.stored.id, { operation: "blocks.blocks", cost: 0, refused: true })
      record(other.stored.id, { operation: "blocks.blocks", cost: 1, refused: false })
      assert.deepStrictEqual(yield* operations("ada", 4), [
        { operation: "cex.trades", requests: 13, refused: 3 },
        { operation: "blocks.blocks", requests: 1, refused: 1 }
      ])
      assert.deepStrictEqual(yield* operations("ada", 1), [
        { operation: "blocks.blocks", requests: 1, refused: 1 },
        { operation: "cex.trades", requests: 1, refused: 0 }
      ])
    })
  ],
  [
    "use is counted by days, with what is not written yet",
    Effect.gen(function* () {
      const { list, usage } = yield* AccountKeys
      const { record } = yield* Usage
      const sql = yield* SqlClient.SqlClient
      const one = yield* made("ada")
      const two = yield* made("ada")
      yield* sql`insert into api_usage (key, day, requests, refused, cost)
        values (${one.stored.id}, ${yield* today}::text::date - 2, 7, 3, 9)`
      const operation = "cex.trades"
      record(one.stored.id, { operation, cost: 51, refused: false })
      record(one.stored.id, { operation, cost: 0, refused: true })
      record(two.stored.id, { operation: "cex.candles", cost: 1, refused: false })
      record("without-account", { operation, cost: 1, refused: false })
      const days = yield* usage("ada", 4)
      assert.deepStrictEqual(
        days.map(({ refused, requests }) => [requests, refused]),
        [
          [0, 0],
          [7, 3],
          [0, 0],
          [3, 1]
        ]
      )
      assert.strictEqual(days.at(-1)?.day, yield* today)
      const listed = yield* list("ada")
      assert.deepStrictEqual(
        new Map(listed.map(({ id, requestsToday }) => [id, requestsToday])),
        new Map([
          [one.stored.id, 2],
          [two.stored.id, 1]
        ])
      )
      assert.deepStrictEqual(
        listed.map(({ lastUsedAt }) => lastUsedAt !== undefined),
        [true, true]
      )
    })
  ],
  [
    "what happens to a key is written down, without the key",
    Effect.gen(function* () {
      const { revoke, rotate } = yield* AccountKeys
      const { ofAccount } = yield* AuditLog
      const { key, stored } = yield* made("ada")
      yield* rotate(toHolder("ada"), stored.id)
      yield* revoke(toHolder("ada"), stored.id)
      yield* revoke(toHolder("ada"), stored.id)
      const events = yield* ofAccount("ada", 10)
      assert.deepStrictEqual(
        events.map(({ actor, address, kind }) => [kind, actor, address]),
        [
          ["key-revoked", "account", "192.0.2.1"],
          ["key-rotated", "account", "192.0.2.1"],
          ["key-created", "account", "192.0.2.1"]
        ]
      )
      assert.notInclude(JSON.stringify(events), Redacted.value(key).slice(20, 40))
    })
  ]
]

const clean = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`delete from api_key`
  yield* sql`delete from audit_event`
  yield* sql`delete from account`
  yield* addAccount("ada")
  yield* addAccount("bob")
})

const all = Effect.gen(function* () {
  const database = Layer.succeed(SqlClient.SqlClient, yield* SqlClient.SqlClient)
  for (const [what, test] of cases) {
    yield* Effect.andThen(clean, test).pipe(
      Effect.provide(keysOver(database)),
      Effect.tapCause(() => Effect.logError(what))
    )
  }
})

describe("the keys of accounts", () => {
  it.live("pass all checks in the embedded database", () => Effect.provide(all, embeddedDatabase), 60_000)

  it.live.skipIf(server === "")(
    "pass all checks on a PostgreSQL server (DATABASE_URL)",
    () => Effect.provide(all, serverDatabase(server)),
    60_000
  )
})

describe("the use of keys", () => {
  it.live(
    "is written at the end, once, with the time of the newest use",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const database = Layer.succeed(SqlClient.SqlClient, sql)
        yield* clean
        const { stored } = yield* made("ada").pipe(Effect.provide(keysOver(database)))
        const used = Effect.gen(function* () {
          const { record } = yield* Usage
          for (let request = 0; request < 40; request++)
            record(stored.id, {
              operation: request % 2 === 0 ? "cex.trades" : "dex.pools",
              cost: request % 4,
              refused: request % 4 === 0
            })
        }).pipe(Effect.provide(keysOver(database)))
        yield* used
        yield* used
        const rows = yield* sql`select requests::int as requests, refused::int as refused, cost::int as cost,
          last_used_at is not null as used from api_usage join api_key on id = key`
        assert.deepStrictEqual(rows, [{ requests: 80, refused: 20, cost: 120, used: true }])
        const operations = yield* sql`select operation, requests::int as requests, refused::int as refused
          from api_usage_operation where key = ${stored.id} order by operation`
        assert.deepStrictEqual(operations, [
          { operation: "cex.trades", requests: 40, refused: 20 },
          { operation: "dex.pools", requests: 40, refused: 0 }
        ])
      }).pipe(Effect.provide(embeddedDatabase)),
    60_000
  )
})
