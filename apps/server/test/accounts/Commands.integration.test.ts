import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, layer } from "@effect/vitest"
import { DateTime, Effect, FileSystem, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { AccountStore } from "../../src/accounts/AccountStore.ts"
import { Invitations } from "../../src/accounts/Invitations.ts"
import { PasswordResets } from "../../src/accounts/PasswordResets.ts"
import { Passwords } from "../../src/accounts/Passwords.ts"
import { Sessions } from "../../src/accounts/Sessions.ts"
import { AuditLog } from "../../src/auth/AuditLog.ts"
import { chaintape } from "../cli/CommandRun.ts"
import { embeddedIn, prepareDatabase } from "../OwnDatabase.ts"

const world = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const cwd = yield* files.makeTempDirectoryScoped()
  const run = (...words: ReadonlyArray<string>) =>
    chaintape(["accounts", ...words], { cwd, environment: { CHAINTAPE_DATA_DIR: join(cwd, "data") } })
  const dataDir = join(cwd, "data", "database")
  prepareDatabase(dataDir)
  const inStore = <A, E>(use: Effect.Effect<A, E, SqlClient.SqlClient | Invitations>) =>
    Effect.provide(use, Invitations.layer.pipe(Layer.provideMerge(Layer.fresh(embeddedIn(dataDir)))))
  return { run, inStore }
})

const resetsLayer = PasswordResets.layer.pipe(
  Layer.provide([AccountStore.layer, AuditLog.layer, Passwords.layer, Sessions.layer])
)

describe("the operator's commands for accounts", () => {
  layer(NodeServices.layer, { excludeTestServices: true, timeout: "60 seconds" })((it) => {
    it.effect(
      "make an invitation that can be used",
      () =>
        Effect.gen(function* () {
          const { inStore, run } = yield* world
          const made = yield* run("invite", "--note", "Kim of accounting", "--days", "3")
          assert.deepStrictEqual([made.code, made.stdout.split("\n").length], [0, 2], made.stderr)
          assert.match(
            made.stderr,
            /^The invitation makes one account, until \d{4}-\d\d-\d\d\. It is shown this once\.\n$/
          )
          const areOpen = inStore(
            Effect.flatMap(Invitations, ({ isOpen }) =>
              Effect.all([isOpen(made.stdout), isOpen(`${made.stdout.trim()}x`)])
            )
          )
          assert.deepStrictEqual(yield* areOpen, [true, false])
          for (const words of [["--note", ""], ["--note", "x", "--days", "0"], ["--note", "x", "--days", "366"], []])
            assert.strictEqual((yield* run("invite", ...words)).code, 2, words.join(" "))
        }),
      60_000
    )

    it.effect(
      "disable an account and enable it again",
      () =>
        Effect.gen(function* () {
          const { inStore, run } = yield* world
          const inSql = <A>(use: (sql: SqlClient.SqlClient) => Effect.Effect<A, unknown>) =>
            inStore(Effect.flatMap(SqlClient.SqlClient, use))
          yield* inSql((sql) =>
            Effect.andThen(
              sql`insert into account (id, email, password) values ('a', 'kim@example.com', '-')`,
              sql`insert into account_session (digest, account, expires_at)
              values ('d', 'a', now() + interval '1 day')`
            )
          )
          const disabled = yield* run("disable", "Kim@Example.com")
          assert.strictEqual(disabled.code, 0, disabled.stderr)
          const [accounts, sessions] = yield* inSql((sql) =>
            Effect.all([sql`select 1 from account where disabled_at is not null`, sql`select 1 from account_session`])
          )
          assert.deepStrictEqual([accounts.length, sessions.length], [1, 0])
          assert.strictEqual((yield* run("enable", "kim@example.com")).code, 0)
          const [enabled, events] = yield* inSql((sql) =>
            Effect.all([
              sql`select 1 from account where disabled_at is null`,
              sql`select kind, actor, account from audit_event order by id`
            ])
          )
          assert.strictEqual(enabled.length, 1)
          assert.deepStrictEqual(events, [
            { kind: "account-disabled", actor: "operator", account: "a" },
            { kind: "account-enabled", actor: "operator", account: "a" }
          ])
          const unknown = yield* run("disable", "nobody@example.com")
          assert.strictEqual(unknown.code, 1)
          assert.strictEqual(unknown.stderr, "There is no account with this e-mail address.\n")
        }),
      60_000
    )

    it.effect(
      "make a code with which its account replaces a lost password, once, until it expires",
      () =>
        Effect.gen(function* () {
          const { inStore, run } = yield* world
          const email = "kim@example.com"
          yield* inStore(
            Effect.flatMap(
              SqlClient.SqlClient,
              (sql) => sql`insert into account (id, email, password) values ('a', ${email}, '-')`
            )
          )
          const made = yield* run("reset", "Kim@Example.com", "--hours", "2")
          assert.deepStrictEqual([made.code, made.stdout.split("\n").length], [0, 2], made.stderr)
          assert.match(made.stdout, /^[\w-]{43}\n$/)
          assert.match(
            made.stderr,
            /^With this code .* at \/reset-password of the service, once, until \d{4}-\d\d-\d\d \d\d:\d\d UTC\. .*\n$/
          )
          const form = { code: made.stdout, email, password: "another battery, another horse", address: "192.0.2.1" }
          const { expired, rows, used } = yield* inStore(
            Effect.gen(function* () {
              const sql = yield* SqlClient.SqlClient
              const { create, use } = yield* PasswordResets
              const used = [yield* use({ ...form, email: "lou@example.com" }), yield* use(form), yield* use(form)]
              const rows = yield* sql`select kind, actor from audit_event order by id`
              const code = Option.getOrThrow(yield* create("a", DateTime.subtract(yield* DateTime.now, { seconds: 1 })))
              return { used, rows, expired: yield* use({ ...form, code }) }
            }).pipe(Effect.provide(resetsLayer))
          )
          assert.deepStrictEqual(used, [Option.none(), Option.some("a"), Option.none()])
          assert.deepStrictEqual(expired, Option.none())
          assert.deepStrictEqual(rows, [
            { kind: "password-reset-created", actor: "operator" },
            { kind: "password-reset", actor: "account" }
          ])
          const unknown = yield* run("reset", "nobody@example.com")
          assert.deepStrictEqual(
            [unknown.code, unknown.stdout, unknown.stderr],
            [1, "", "There is no account with this e-mail address.\n"]
          )
          for (const hours of ["0", "169", "x"])
            assert.strictEqual((yield* run("reset", email, "--hours", hours)).code, 2, hours)
        }),
      60_000
    )
  })
})
