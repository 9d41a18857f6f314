import { assert, describe, layer } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { Accounts } from "../../src/accounts/Accounts.ts"
import { Invitations } from "../../src/accounts/Invitations.ts"
import { PasswordResets } from "../../src/accounts/PasswordResets.ts"
import { AccountService, behind } from "./AccountService.ts"
import { browser, createKey, goodPassword, idsIn, newcomer } from "./FormBrowser.ts"

const server = process.env["DATABASE_URL"]

const count = (query: (sql: SqlClient.SqlClient) => Effect.Effect<ReadonlyArray<object>, unknown>) =>
  behind(Effect.map(Effect.flatMap(SqlClient.SqlClient, query), (rows) => rows.length))

describe.skipIf(server === undefined)("accounts on a PostgreSQL server (DATABASE_URL)", () => {
  layer(AccountService.layer({ server }), { excludeTestServices: true, timeout: "60 seconds" })((it) => {
    it.effect("sign up, sign in, hold keys and sign out", () =>
      Effect.gen(function* () {
        const ada = yield* newcomer("ada@example.com")
        assert.match(yield* createKey(ada, "notebook"), /^chaintape_\w{42}$/)
        const [id = ""] = idsIn(yield* ada.get("/dashboard"))
        yield* ada.fill(`/dashboard/keys/${id}/rotate`, {})
        yield* ada.fill(`/dashboard/keys/${id}/revoke`, {})
        const dashboard = yield* ada.get("/dashboard")
        for (const words of ["Account created", "Key created", "Key rotated", "Key revoked"])
          assert.include(dashboard.body, words)
        yield* ada.fill("/sign-out", {})
        yield* ada.fill("/sign-in", { email: "ada@example.com", password: goodPassword })
        assert.strictEqual((yield* ada.get("/dashboard")).status, 200)
        assert.strictEqual(yield* count((sql) => sql`select 1 from account_session`), 1)
      })
    )

    it.effect("change their password, get a new one by one code that many use at once, and are deleted", () =>
      Effect.gen(function* () {
        const email = "bob@example.com"
        const bob = yield* newcomer(email)
        yield* createKey(bob, `of ${email}`)
        const next = "another battery, another horse"
        const changed = yield* bob.fill("/account", { current: goodPassword, password: next }, "/account/password")
        assert.strictEqual(changed.headers.location, "/account?done=password")
        const code = yield* behind(
          Effect.gen(function* () {
            const account = Option.getOrThrow(yield* (yield* Accounts).findByEmail(email))
            const { create } = yield* PasswordResets
            return Option.getOrThrow(yield* create(account, DateTime.add(yield* DateTime.now, { hours: 1 })))
          })
        )
        const replies = yield* Effect.forEach(
          Array.from({ length: 8 }),
          () =>
            Effect.flatMap(browser(), (one) => one.fill("/reset-password", { email, code, password: goodPassword })),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(replies.filter(({ status }) => status === 303).length, 1)
        const again = yield* browser()
        yield* again.fill("/sign-in", { email, password: goodPassword })
        const deleted = yield* again.fill("/account/delete", { password: goodPassword, sure: "yes" })
        assert.strictEqual(deleted.headers.location, "/sign-in?done=deleted")
        assert.strictEqual(yield* count((sql) => sql`select 1 from account where email = ${email}`), 0)
        assert.strictEqual(
          yield* count((sql) => sql`select 1 from audit_event where position(${email} in detail) > 0`),
          0
        )
        assert.strictEqual(yield* count((sql) => sql`select 1 from audit_event where kind = 'account-deleted'`), 1)
      })
    )

    it.effect("are one where many sign up with the same address at once", () =>
      Effect.gen(function* () {
        const replies = yield* Effect.forEach(
          Array.from({ length: 8 }),
          () =>
            Effect.flatMap(browser(), (one) =>
              one.fill("/sign-up", { email: "race@example.com", password: goodPassword })
            ),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(replies.map(({ status }) => status).sort(), [
          303,
          ...Array.from({ length: 7 }, () => 422)
        ])
        assert.strictEqual(yield* count((sql) => sql`select 1 from account where email = 'race@example.com'`), 1)
      })
    )
  })

  layer(AccountService.layer({ server, policy: "invitation" }), {
    excludeTestServices: true,
    timeout: "60 seconds"
  })((it) => {
    it.effect("are one for an invitation that many use at once", () =>
      Effect.gen(function* () {
        const invitation = yield* behind(
          Effect.flatMap(Invitations, (invitations) => invitations.create({ note: "", expiresAt: undefined }))
        )
        const replies = yield* Effect.forEach(
          Array.from({ length: 8 }, (_, index) => `guest-${index}@example.com`),
          (email) =>
            Effect.flatMap(browser(), (one) => one.fill("/sign-up", { email, password: goodPassword, invitation })),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(replies.filter(({ status }) => status === 303).length, 1)
        assert.strictEqual(yield* count((sql) => sql`select 1 from account`), 1)
      })
    )
  })
})
