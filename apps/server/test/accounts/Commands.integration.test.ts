import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, FileSystem, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { AuditLog } from "../../src/accounts/AuditLog.ts"
import { Invitations } from "../../src/accounts/Invitations.ts"
import { PasswordResets } from "../../src/accounts/PasswordResets.ts"
import { Passwords } from "../../src/accounts/Passwords.ts"
import { Sessions } from "../../src/accounts/Sessions.ts"
import * as Database from "../../src/store/Database.ts"
import { chaintape } from "../cli/CommandRun.ts"

const world = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const cwd = yield* files.makeTempDirectoryScoped()
  const run = (...words: ReadonlyArray<string>) =>
    chaintape(["accounts", ...words], { cwd, environment: { CHAINTAPE_DATA_DIR: join(cwd, "data") } })
  const inStore = <A, E>(use: Effect.Effect<A, E, SqlClient.SqlClient | Invitations>) =>
    Effect.provide(
      use,
      Invitations.layer.pipe(
        Layer.provideMerge(Layer.fresh(Database.layer({ url: undefined, dataDir: join(cwd, "data", "database") })))
      )
    )
  return { run, inStore }
})

const resetsLayer = PasswordResets.layer.pipe(Layer.provide([AuditLog.layer, Passwords.layer, Sessions.layer]))

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
          const isOpen = (code: string) =>
            inStore(Effect.flatMap(Invitations, (invitations) => invitations.isOpen(code)))
          assert.isTrue(yield* isOpen(made.stdout))
          assert.isFalse(yield* isOpen(`${made.stdout.trim()}x`))
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
          const rows = (query: (sql: SqlClient.SqlClient) => Effect.Effect<ReadonlyArray<object>, unknown>) =>
            inStore(Effect.flatMap(SqlClient.SqlClient, query))
          yield* rows((sql) => sql`insert into account (id, email, password) values ('a', 'kim@example.com', '-')`)
          yield* rows(
            (sql) => sql`insert into account_session (digest, account, expires_at)
            values ('d', 'a', now() + interval '1 day')`
          )
          const disabled = yield* run("disable", "Kim@Example.com")
          assert.strictEqual(disabled.code, 0, disabled.stderr)
          assert.strictEqual((yield* rows((sql) => sql`select 1 from account where disabled_at is not null`)).length, 1)
          assert.strictEqual((yield* rows((sql) => sql`select 1 from account_session`)).length, 0)
          assert.strictEqual((yield* run("enable", "kim@example.com")).code, 0)
          assert.strictEqual((yield* rows((sql) => sql`select 1 from account where disabled_at is null`)).length, 1)
          assert.deepStrictEqual(yield* rows((sql) => sql`select kind, actor, account from audit_event order by id`), [
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
      "make a code with which a lost password is replaced, once",
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
          const use = inStore(
            Effect.flatMap(PasswordResets, (resets) => resets.use(form)).pipe(Effect.provide(resetsLayer))
          )
          assert.deepStrictEqual([yield* use, yield* use], [Option.some("a"), Option.none()])
          const rows = yield* inStore(
            Effect.flatMap(SqlClient.SqlClient, (sql) => sql`select kind, actor from audit_event order by id`)
          )
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
