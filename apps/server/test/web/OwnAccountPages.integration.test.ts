import { assert, describe, layer } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { Accounts } from "../../src/accounts/Accounts.ts"
import { PasswordResets } from "../../src/accounts/PasswordResets.ts"
import { AccountService, behind, unthrottled } from "../accounts/AccountService.ts"
import { browser, createKey, goodPassword, newcomer, tokenIn } from "../accounts/FormBrowser.ts"
import { call } from "../HttpCall.ts"

const session = "chaintape_session"
const next = "another battery, another horse"

const sql = <A, E>(use: (client: SqlClient.SqlClient) => Effect.Effect<A, E>) =>
  behind(Effect.flatMap(SqlClient.SqlClient, use))

const accountOf = (email: string) =>
  behind(Effect.flatMap(Accounts, ({ findByEmail }) => Effect.map(findByEmail(email), Option.getOrThrow)))

const toKinds = (account: string) =>
  Effect.map(
    sql((client) => client`select kind, actor, address from audit_event where account = ${account} order by id`),
    (rows) => rows.map(({ actor, address, kind }) => `${String(kind)} ${String(actor)} ${String(address)}`)
  )

/** The status of an operation with the key. */
const use = Effect.fnUntraced(function* (key: string) {
  const { origin } = yield* AccountService
  return (yield* call(origin, { path: "/v2/cex/exchanges", headers: { "api-key": key } })).status
})

const signsIn = Effect.fnUntraced(function* (email: string, password: string) {
  const fresh = yield* browser()
  return (yield* fresh.fill("/sign-in", { email, password })).headers.location === "/dashboard"
})

describe("the page of an account", () => {
  layer(AccountService.layer(), { excludeTestServices: true })((it) => {
    it.effect("changes the password with the current one, and ends every other session", () =>
      Effect.gen(function* () {
        const email = "ann@example.com"
        const ann = yield* newcomer(email)
        const key = yield* createKey(ann, "kept")
        const other = yield* browser()
        yield* other.fill("/sign-in", { email, password: goodPassword })
        const copy = yield* browser()
        copy.jar.set(session, ann.jar.get(session) ?? "")
        assert.strictEqual((yield* other.get("/account")).status, 200)
        const changed = yield* ann.fill("/account", { current: goodPassword, password: next }, "/account/password")
        assert.strictEqual(changed.headers.location, "/account?done=password")
        assert.include((yield* ann.get("/account?done=password")).body, "The password is changed.")
        for (const ended of [other, copy])
          assert.strictEqual((yield* ended.get("/dashboard")).headers.location, "/sign-in")
        assert.deepStrictEqual([yield* signsIn(email, goodPassword), yield* signsIn(email, next)], [false, true])
        assert.strictEqual(yield* use(key), 200)
        assert.include((yield* ann.get("/dashboard")).body, "Password changed")
        assert.include(yield* toKinds(yield* accountOf(email)), "password-changed account 203.0.113.7")
      })
    )

    it.effect("changes nothing with a wrong password, a weak one, or a form that is not its own", () =>
      Effect.gen(function* () {
        const email = "bob@example.com"
        const bob = yield* newcomer(email)
        const token = tokenIn(yield* bob.get("/account"))
        for (const [fields, words, status] of [
          [{ current: "a wrong password", password: next }, "This is not the password of the account.", 422],
          [{ current: "", password: next }, "Write the current password.", 422],
          [{ current: goodPassword, password: "short" }, "Use at least 10 characters.", 422],
          [{ current: goodPassword, password: email }, "The e-mail address is no password.", 422],
          [{ token: "x".repeat(43), current: goodPassword, password: next }, "Nothing was changed", 403]
        ] as const) {
          const refused = yield* bob.send({ path: "/account/password", fields: { token, ...fields } })
          assert.strictEqual(refused.status, status, words)
          assert.include(refused.body, words)
          assert.notInclude(refused.body, goodPassword)
          assert.notInclude(refused.body, next)
        }
        for (const headers of [{ origin: "https://evil.example" }, { "sec-fetch-site": "cross-site" }])
          for (const path of ["password", "sign-out-everywhere", "delete"]) {
            const fields = { token, current: goodPassword, password: goodPassword, sure: "yes" }
            assert.strictEqual((yield* bob.send({ path: `/account/${path}`, fields, headers })).status, 403, path)
          }
        assert.strictEqual((yield* bob.get("/account")).status, 200)
        assert.isTrue(yield* signsIn(email, goodPassword))
        const wrong = (yield* toKinds(yield* accountOf(email))).filter((kind) => kind.startsWith("password-refused"))
        assert.deepStrictEqual(wrong, ["password-refused account 203.0.113.7"])
      })
    )

    it.effect("signs out everywhere, this browser too, and leaves the keys", () =>
      Effect.gen(function* () {
        const email = "cat@example.com"
        const cat = yield* newcomer(email)
        const key = yield* createKey(cat, "kept")
        const other = yield* browser()
        yield* other.fill("/sign-in", { email, password: goodPassword })
        const copy = yield* browser()
        copy.jar.set(session, cat.jar.get(session) ?? "")
        const out = yield* cat.fill("/account", {}, "/account/sign-out-everywhere")
        assert.strictEqual(out.headers.location, "/sign-in?done=everywhere")
        assert.isFalse(cat.jar.has(session))
        assert.include((yield* cat.get("/sign-in?done=everywhere")).body, "You are signed out in every browser.")
        for (const ended of [cat, other, copy])
          assert.strictEqual((yield* ended.get("/account")).headers.location, "/sign-in")
        assert.strictEqual(yield* use(key), 200)
        assert.include(yield* toKinds(yield* accountOf(email)), "signed-out-everywhere account 203.0.113.7")
      })
    )

    it.effect("deletes the account with its password and a tick: its keys are refused at once", () =>
      Effect.gen(function* () {
        const email = "dan@example.com"
        const dan = yield* newcomer(email)
        const key = yield* createKey(dan, "mine")
        const named = yield* createKey(dan, `of ${email.toUpperCase()}`)
        const account = yield* accountOf(email)
        assert.deepStrictEqual([yield* use(key), yield* use(named)], [200, 200])
        for (const [fields, words] of [
          [{ password: goodPassword }, "Confirm that the account is to be deleted."],
          [{ password: goodPassword, sure: "no" }, "Confirm that the account is to be deleted."],
          [{ password: "", sure: "yes" }, "Write the password of the account."],
          [{ password: "a wrong password", sure: "yes" }, "This is not the password of the account."]
        ] as const) {
          const refused = yield* dan.fill("/account/delete", fields)
          assert.strictEqual(refused.status, 422)
          assert.include(refused.body, words)
        }
        assert.strictEqual(yield* use(key), 200)
        const deleted = yield* dan.fill("/account/delete", { password: goodPassword, sure: "yes" })
        assert.strictEqual(deleted.headers.location, "/sign-in?done=deleted")
        assert.deepStrictEqual([yield* use(key), yield* use(named)], [401, 401])
        assert.isFalse(dan.jar.has(session))
        assert.include((yield* dan.get("/sign-in?done=deleted")).body, "The account is deleted.")
        assert.isFalse(yield* signsIn(email, goodPassword))
        const kinds = yield* toKinds(account)
        assert.deepStrictEqual(kinds.slice(-3), [
          "key-revoked account 203.0.113.7",
          "key-revoked account 203.0.113.7",
          "account-deleted account 203.0.113.7"
        ])
        assert.include(kinds, "account-created account 203.0.113.7")
      })
    )

    it.effect("retains only the audit events of a deleted account, without its address", () =>
      Effect.gen(function* () {
        const email = "eve@example.com"
        const eve = yield* newcomer(email)
        yield* createKey(eve, email)
        const stays = yield* newcomer("stays@example.com")
        const kept = yield* createKey(stays, "kept")
        const account = yield* accountOf(email)
        yield* behind(
          Effect.flatMap(PasswordResets, ({ create }) =>
            Effect.flatMap(DateTime.now, (now) => create(account, DateTime.add(now, { hours: 1 })))
          )
        )
        yield* eve.fill("/account/delete", { password: goodPassword, sure: "yes" })
        const tables = yield* sql(
          (client) => client`select table_name as name from information_schema.tables where table_schema = 'public'`
        )
        for (const { name } of tables) {
          const rows = yield* sql((client) => client`select to_jsonb(t)::text as row from ${client(String(name))} t`)
          const text = rows.map(({ row }) => String(row)).join("\n")
          assert.notInclude(text.toLowerCase(), email, String(name))
          if (name !== "audit_event") assert.notInclude(text, account, String(name))
        }
        assert.isAbove((yield* toKinds(account)).length, 3)
        assert.strictEqual(yield* use(kept), 200)
        assert.strictEqual((yield* stays.get("/dashboard")).status, 200)
        // The e-mail address is free again.
        assert.strictEqual((yield* (yield* newcomer(email)).get("/dashboard")).status, 200)
      })
    )

    it.effect("leads those who are not signed in to the page where they can", () =>
      Effect.gen(function* () {
        const stranger = yield* browser()
        for (const path of ["/account", "/account/delete"])
          assert.strictEqual((yield* stranger.get(path)).headers.location, "/sign-in", path)
        for (const path of ["/account/password", "/account/sign-out-everywhere", "/account/delete"]) {
          assert.strictEqual((yield* stranger.get(path)).status, 303, path)
          assert.strictEqual(
            (yield* stranger.send({ path, fields: {} })).headers.location,
            "/sign-in?done=unsent",
            path
          )
        }
      })
    )
  })

  const few = { attempts: 3, window: "10 minutes" } as const

  layer(AccountService.layer({ throttle: { ...unthrottled, session: few } }), { excludeTestServices: true })((it) => {
    it.effect("limits guesses of the password at an open browser", () =>
      Effect.gen(function* () {
        const fay = yield* newcomer("fay@example.com")
        const wrong = { current: "a wrong password", password: next }
        for (let attempt = 0; attempt < 3; attempt += 1)
          assert.strictEqual((yield* fay.fill("/account", wrong, "/account/password")).status, 422)
        const right = { current: goodPassword, password: next }
        for (const refused of [
          yield* fay.fill("/account", right, "/account/password"),
          yield* fay.fill("/account/delete", { password: goodPassword, sure: "yes" })
        ]) {
          assert.strictEqual(refused.status, 429)
          assert.isAbove(Number(refused.headers["retry-after"]), 60)
        }
        assert.strictEqual((yield* fay.get("/account")).status, 200)
      })
    )
  })
})

const reset = Effect.fnUntraced(function* (email: string, hours: number) {
  const account = yield* accountOf(email)
  return yield* behind(
    Effect.flatMap(PasswordResets, ({ create }) =>
      Effect.flatMap(DateTime.now, (now) => create(account, DateTime.add(now, { hours })))
    ).pipe(Effect.map(Option.getOrThrow))
  )
})

describe("a code of the operator", () => {
  layer(AccountService.layer(), { excludeTestServices: true })((it) => {
    it.effect("sets a new password once, and ends every session", () =>
      Effect.gen(function* () {
        const email = "gil@example.com"
        const gil = yield* newcomer(email)
        const code = yield* reset(email, 1)
        const lost = yield* browser()
        const form = { email: " GIL@example.com ", password: next }
        const weak = yield* lost.fill("/reset-password", { ...form, code, password: "short" })
        assert.include(weak.body, "Use at least 10 characters.")
        assert.notInclude(weak.body, code)
        const set = yield* lost.fill("/reset-password", { ...form, code: ` ${code} ` })
        assert.strictEqual(set.headers.location, "/dashboard?done=password")
        assert.include((yield* lost.get("/dashboard?done=password")).body, "The password is set")
        assert.strictEqual((yield* gil.get("/dashboard")).headers.location, "/sign-in")
        const again = yield* (yield* browser()).fill("/reset-password", { ...form, code, password: goodPassword })
        assert.strictEqual(again.status, 422)
        assert.include(again.body, "This code is unknown, used or too old")
        assert.deepStrictEqual([yield* signsIn(email, goodPassword), yield* signsIn(email, next)], [false, true])
        const kinds = yield* toKinds(yield* accountOf(email))
        assert.include(kinds, "password-reset-created operator null")
        assert.include(kinds, "password-reset account 203.0.113.7")
        const { log } = yield* AccountService
        assert.notInclude(log.join("\n"), code)
      })
    )

    it.effect(
      "is invalid for another account, after its expiry, after a newer code, or after a change of the password",
      () =>
        Effect.gen(function* () {
          const [one, two] = ["hal@example.com", "ida@example.com"]
          const hal = yield* newcomer(one)
          yield* newcomer(two)
          const attempt = Effect.fnUntraced(function* (email: string, code: string) {
            const lost = yield* browser()
            return (yield* lost.fill("/reset-password", { email, code, password: next })).status
          })
          const first = yield* reset(one, 1)
          assert.strictEqual(yield* attempt(two, first), 422)
          const second = yield* reset(one, 1)
          assert.strictEqual(yield* attempt(one, first), 422)
          const changed = "the horse has another battery"
          yield* hal.fill("/account", { current: goodPassword, password: changed }, "/account/password")
          assert.strictEqual(yield* attempt(one, second), 422)
          assert.strictEqual(yield* attempt(one, yield* reset(one, -1)), 422)
          for (const nonsense of ["", "x", "x".repeat(43), "\0"])
            assert.strictEqual(yield* attempt(one, nonsense), 422, nonsense)
          assert.deepStrictEqual([yield* signsIn(one, next), yield* signsIn(one, changed)], [false, true])
          assert.isTrue(yield* signsIn(two, goodPassword))
        })
    )

    it.effect("is used by one of many who send it at the same time", () =>
      Effect.gen(function* () {
        const email = "joe@example.com"
        yield* newcomer(email)
        const code = yield* reset(email, 1)
        const browsers = yield* Effect.forEach(Array.from({ length: 8 }), () => browser())
        const sent = yield* Effect.forEach(
          browsers,
          (one, index) => one.fill("/reset-password", { email, code, password: `${next} ${index}` }),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(sent.filter(({ status }) => status === 303).length, 1)
        assert.strictEqual(sent.filter(({ status }) => status === 422).length, 7)
        const rows = yield* sql((client) => client`select 1 from password_reset`)
        assert.strictEqual(rows.length, 0)
      })
    )

    it.effect("does not change a disabled account, and is invalid once the account is enabled", () =>
      Effect.gen(function* () {
        const email = "kim@example.com"
        yield* newcomer(email)
        const account = yield* accountOf(email)
        const code = yield* reset(email, 1)
        yield* behind(Effect.flatMap(Accounts, ({ disable }) => disable(account)))
        const lost = yield* browser()
        assert.strictEqual((yield* lost.fill("/reset-password", { email, code, password: next })).status, 422)
        assert.strictEqual((yield* lost.get("/dashboard")).headers.location, "/sign-in")
        assert.isFalse(yield* signsIn(email, next))
        yield* behind(Effect.flatMap(Accounts, ({ enable }) => enable(account)))
        assert.strictEqual((yield* lost.fill("/reset-password", { email, code, password: next })).status, 422)
        assert.deepStrictEqual([yield* signsIn(email, next), yield* signsIn(email, goodPassword)], [false, true])
      })
    )
  })
})
