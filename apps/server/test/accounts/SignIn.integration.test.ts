import { assert, describe, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { Invitations } from "../../src/accounts/Invitations.ts"
import { hashToken } from "../../src/accounts/SecretToken.ts"
import { Sessions } from "../../src/accounts/Sessions.ts"
import { AccountService, behind, unthrottled } from "./AccountService.ts"
import { browser, goodPassword, newcomer, tokenIn } from "./FormBrowser.ts"

const session = "chaintape_session"
const wrong = "The e-mail address or the password is wrong."

const sql = <A, E>(use: (client: SqlClient.SqlClient) => Effect.Effect<A, E>) =>
  behind(Effect.flatMap(SqlClient.SqlClient, use))

describe("signing in", () => {
  layer(AccountService.layer(), { excludeTestServices: true })((it) => {
    it.effect("takes the right password, in any spelling of the address, and no other", () =>
      Effect.gen(function* () {
        yield* newcomer("ann@example.com")
        const ann = yield* browser()
        for (const password of ["", "x", `${goodPassword} `, goodPassword.toUpperCase(), "x".repeat(10_000), "\0"]) {
          const refused = yield* ann.fill("/sign-in", { email: "ann@example.com", password })
          assert.strictEqual(refused.status, 422)
          assert.include(refused.body, wrong)
          assert.isFalse(ann.jar.has(session))
          assert.notInclude(refused.body, "correct horse")
        }
        const taken = yield* ann.fill("/sign-in", { email: " ANN@example.com ", password: goodPassword })
        assert.strictEqual(taken.headers.location, "/dashboard")
        assert.strictEqual((yield* ann.get("/dashboard")).status, 200)
      })
    )

    it.effect("gives the same response for an address without an account", () =>
      Effect.gen(function* () {
        yield* newcomer("known@example.com")
        const any = yield* browser()
        const unknown = yield* any.fill("/sign-in", { email: "unknown@example.com", password: goodPassword })
        const known = yield* any.fill("/sign-in", { email: "known@example.com", password: "another password" })
        assert.strictEqual(unknown.status, known.status)
        assert.strictEqual(unknown.body.replace("unknown@", "known@"), known.body)
      })
    )

    it.effect("creates a session with a new token, and ends the previous one", () =>
      Effect.gen(function* () {
        yield* newcomer("bea@example.com")
        const bea = yield* browser()
        const planted = "p".repeat(43)
        bea.jar.set(session, planted)
        yield* bea.fill("/sign-in", { email: "bea@example.com", password: goodPassword })
        const first = bea.jar.get(session) ?? ""
        assert.notStrictEqual(first, planted)
        assert.match(first, /^[\w-]{43}$/)
        const copy = yield* browser()
        copy.jar.set(session, first)
        assert.strictEqual((yield* copy.get("/dashboard")).status, 200)
        const { token: _, ...form } = { token: "", email: "bea@example.com", password: goodPassword }
        const visit = yield* browser()
        yield* visit.get("/sign-in")
        for (const [name, value] of visit.jar) bea.jar.set(name, value)
        const shown = tokenIn(yield* visit.get("/sign-in"))
        yield* bea.send({ path: "/sign-in", fields: { ...form, token: shown } })
        assert.notStrictEqual(bea.jar.get(session), first)
        assert.strictEqual((yield* copy.get("/dashboard")).headers.location, "/sign-in")
      })
    )

    it.effect("ends at sign-out, also for a copied cookie", () =>
      Effect.gen(function* () {
        const cat = yield* newcomer("cat@example.com")
        const copy = yield* browser()
        copy.jar.set(session, cat.jar.get(session) ?? "")
        const token = tokenIn(yield* cat.get("/dashboard"))
        const out = yield* cat.fill("/sign-out", {})
        assert.strictEqual(out.headers.location, "/sign-in")
        assert.isFalse(cat.jar.has(session))
        assert.strictEqual((yield* copy.get("/dashboard")).headers.location, "/sign-in")
        const late = yield* copy.send({ path: "/dashboard/keys", fields: { token, name: "late" } })
        assert.strictEqual(late.headers.location, "/sign-in?done=unsent")
        assert.include(
          (yield* copy.get("/sign-in?done=unsent")).body,
          "You are not signed in, so this form changed nothing."
        )
      })
    )

    it.effect("ends after 14 days", () =>
      Effect.gen(function* () {
        const dan = yield* newcomer("dan@example.com")
        const digest = hashToken(dan.jar.get(session) ?? "")
        yield* sql(
          (client) => client`update account_session set expires_at = now() + interval '1 hour' where digest = ${digest}`
        )
        assert.strictEqual((yield* dan.get("/dashboard")).status, 200)
        yield* sql(
          (client) =>
            client`update account_session set expires_at = now() - interval '1 second' where digest = ${digest}`
        )
        assert.strictEqual((yield* dan.get("/dashboard")).headers.location, "/sign-in")
      })
    )

    it.effect("keeps at most 20 sessions of an account, and none that has ended", () =>
      Effect.gen(function* () {
        yield* newcomer("eli@example.com")
        const [row] = yield* sql((client) => client`select id from account where email = 'eli@example.com'`)
        const account = String(row?.["id"])
        const first = yield* behind(Effect.flatMap(Sessions, ({ begin }) => begin(account, undefined)))
        yield* Effect.forEach(Array.from({ length: 20 }), () =>
          behind(Effect.flatMap(Sessions, ({ begin }) => begin(account, undefined)))
        )
        const rows = yield* sql((client) => client`select 1 from account_session where account = ${account}`)
        assert.strictEqual(rows.length, 20)
        assert.isTrue(Option.isNone(yield* behind(Effect.flatMap(Sessions, ({ find }) => find(first)))))
      })
    )

    it.effect("begins beside 20 sessions that are newer by their times, because the clock was set back", () =>
      Effect.gen(function* () {
        yield* newcomer("leo@example.com")
        const [row] = yield* sql((client) => client`select id from account where email = 'leo@example.com'`)
        const account = String(row?.["id"])
        yield* Effect.forEach(Array.from({ length: 20 }), () =>
          behind(Effect.flatMap(Sessions, ({ begin }) => begin(account, undefined)))
        )
        yield* sql(
          (client) =>
            client`update account_session set created_at = created_at + interval '1 hour' where account = ${account}`
        )
        const begun = yield* behind(Effect.flatMap(Sessions, ({ begin }) => begin(account, undefined)))
        assert.isTrue(Option.isSome(yield* behind(Effect.flatMap(Sessions, ({ find }) => find(begun)))))
        const rows = yield* sql((client) => client`select 1 from account_session where account = ${account}`)
        assert.strictEqual(rows.length, 20)
      })
    )

    it.effect("stores no password and no session", () =>
      Effect.gen(function* () {
        const fox = yield* newcomer("fox@example.com")
        const rows = yield* sql((client) =>
          Effect.all([
            client`select * from account`,
            client`select * from account_session`,
            client`select kind, actor, account, key, address, detail from audit_event`
          ])
        )
        const stored = JSON.stringify(rows)
        assert.notInclude(stored, goodPassword)
        assert.notInclude(stored, fox.jar.get(session) ?? "none")
        const { log } = yield* AccountService
        assert.notInclude(log.join("\n"), goodPassword)
        assert.notInclude(log.join("\n"), fox.jar.get(session) ?? "none")
      })
    )

    it.effect(
      "sets cookies that scripts cannot read, with the prefix and only for TLS where the browser speaks it",
      () =>
        Effect.gen(function* () {
          const gil = yield* browser()
          const { headers } = yield* gil.fill("/sign-up", { email: "gil@example.com", password: goodPassword })
          const [plain = ""] = (headers["set-cookie"] ?? []).filter((line) => line.startsWith(`${session}=`))
          for (const part of ["HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=1209600"]) assert.include(plain, part)
          assert.notInclude(plain, "Secure")
          const { host } = new URL((yield* AccountService).origin)
          const ham = yield* browser()
          const shown = tokenIn(yield* ham.get("/sign-in"))
          const tls = { origin: `https://${host}`, "x-forwarded-proto": "https" }
          const refused = yield* ham.send({
            path: "/sign-in",
            fields: { token: shown, email: "gil@example.com", password: goodPassword },
            headers: tls
          })
          // A cookie that was set without TLS is not accepted with it.
          assert.strictEqual(refused.status, 403)
          const visit = ham.jar.get("chaintape_visit") ?? ""
          ham.jar.set("__Host-chaintape_visit", visit)
          const taken = yield* ham.send({
            path: "/sign-in",
            fields: { token: shown, email: "gil@example.com", password: goodPassword },
            headers: tls
          })
          assert.strictEqual(taken.status, 303)
          const [secure = ""] = (taken.headers["set-cookie"] ?? []).filter((line) =>
            line.startsWith(`__Host-${session}=`)
          )
          for (const part of ["HttpOnly", "SameSite=Lax", "Path=/", "Secure"]) assert.include(secure, part)
          assert.notInclude(secure, "Domain")
          assert.strictEqual((yield* ham.get("/dashboard")).status, 200)
        })
    )

    it.effect("works behind a proxy that sends no TLS headers, and sets a session cookie for TLS only", () =>
      Effect.gen(function* () {
        yield* newcomer("han@example.com")
        const han = yield* browser()
        const { host } = new URL((yield* AccountService).origin)
        const token = tokenIn(yield* han.get("/sign-in"))
        yield* han.send({
          path: "/sign-in",
          fields: { token, email: "han@example.com", password: goodPassword },
          headers: { origin: `https://${host}` }
        })
        assert.deepStrictEqual([...han.jar.keys()], [`__Host-${session}`])
        const dashboard = yield* han.get("/dashboard")
        assert.strictEqual(dashboard.status, 200)
        yield* han.send({ path: "/sign-out", fields: { token: tokenIn(dashboard) } })
        assert.strictEqual(han.jar.size, 0)
      })
    )

    it.effect("says that a page is from before the browser signed in, and that its form changed nothing", () =>
      Effect.gen(function* () {
        const lou = yield* newcomer("lou@example.com")
        yield* lou.fill("/sign-out", {})
        const fields = { email: "lou@example.com", password: goodPassword, token: tokenIn(yield* lou.get("/sign-in")) }
        assert.strictEqual((yield* lou.send({ path: "/sign-in", fields })).headers.location, "/dashboard")
        const refused = yield* lou.send({ path: "/sign-in", fields })
        assert.strictEqual(refused.status, 403)
        assert.include(refused.body, "the browser has signed in or out since")
        assert.include(refused.body, "Nothing was changed")
        assert.strictEqual((yield* lou.get("/dashboard")).status, 200)
      })
    )

    it.effect("refuses all forms from other sites, outdated forms and forms without a token", () =>
      Effect.gen(function* () {
        const { origin } = yield* AccountService
        const ida = yield* newcomer("ida@example.com")
        const token = tokenIn(yield* ida.get("/dashboard"))
        const visitor = yield* browser()
        const visit = tokenIn(yield* visitor.get("/sign-in"))
        const forms = [
          { from: ida, path: "/dashboard/keys", fields: { token, name: "x" } },
          { from: ida, path: "/sign-out", fields: { token } },
          { from: ida, path: "/dashboard/keys/abc/revoke", fields: { token } },
          { from: ida, path: "/dashboard/keys/abc/rotate", fields: { token } },
          {
            from: visitor,
            path: "/sign-in",
            fields: { token: visit, email: "ida@example.com", password: goodPassword }
          },
          {
            from: visitor,
            path: "/sign-up",
            fields: { token: visit, email: "new@example.com", password: goodPassword }
          }
        ]
        for (const { fields, from, path } of forms) {
          const attempts = [
            { fields, headers: { origin: "https://evil.example" } },
            { fields, headers: { origin: "null" } },
            { fields, headers: { origin: `${origin}.evil.example` } },
            { fields, headers: { origin: undefined, "sec-fetch-site": undefined } },
            { fields, headers: { "sec-fetch-site": "cross-site" } },
            { fields, headers: { "sec-fetch-site": "same-site" } },
            { fields, headers: { "sec-fetch-site": "none" } },
            { fields: { ...fields, token: "" } },
            { fields: { ...fields, token: "x".repeat(43) } },
            { fields: { ...fields, token: from === ida ? visit : token } }
          ]
          for (const attempt of attempts) {
            const refused = yield* from.send({ path, ...attempt })
            assert.strictEqual(refused.status, 403, `${path} ${JSON.stringify(attempt)}`)
          }
        }
        assert.strictEqual((yield* ida.get("/dashboard")).status, 200)
        assert.isFalse(visitor.jar.has(session))
      })
    )
  })
})

const few = { attempts: 3, window: "10 minutes" } as const

describe("too many tries", () => {
  layer(AccountService.layer({ throttle: { ...unthrottled, accountFromAddress: few } }), { excludeTestServices: true })(
    (it) => {
      it.effect("at one account from one address are refused, known or not, and no others are", () =>
        Effect.gen(function* () {
          yield* newcomer("jon@example.com")
          for (const email of ["jon@example.com", "nobody@example.com"]) {
            const thief = yield* browser("198.51.100.1")
            const fields = { email, password: "a wrong password" }
            for (let attempt = 0; attempt < 3; attempt += 1)
              assert.strictEqual((yield* thief.fill("/sign-in", fields)).status, 422)
            const refused = yield* thief.fill("/sign-in", { email, password: goodPassword })
            assert.strictEqual(refused.status, 429)
            assert.isAbove(Number(refused.headers["retry-after"]), 60)
            assert.include(refused.body, "There were too many tries.")
          }
          const jon = yield* browser("198.51.100.2")
          assert.strictEqual(
            (yield* jon.fill("/sign-in", { email: "jon@example.com", password: goodPassword })).status,
            303
          )
        })
      )
    }
  )

  layer(AccountService.layer({ throttle: { ...unthrottled, account: few } }), { excludeTestServices: true })((it) => {
    it.effect("at one account from many addresses are turned away, and do not lock its holder out", () =>
      Effect.gen(function* () {
        const email = "lena@example.com"
        const home = "198.51.100.30"
        const open = yield* newcomer(email, home)
        const signIn = (address: string, password: string) =>
          Effect.flatMap(browser(address), (visitor) => visitor.fill("/sign-in", { email, password }))
        assert.strictEqual((yield* signIn(home, goodPassword)).status, 303)
        for (let attempt = 0; attempt < 3; attempt += 1)
          assert.strictEqual((yield* signIn(`203.0.113.${attempt}`, "a wrong password")).status, 422)
        assert.strictEqual((yield* signIn("203.0.113.9", goodPassword)).status, 429)
        // The holder: at the address of an earlier sign-in, at an open browser, with a reset code.
        assert.strictEqual((yield* signIn(home, "a wrong password")).status, 422)
        assert.strictEqual((yield* signIn(home, goodPassword)).status, 303)
        const next = "another good password of hers"
        const changed = yield* open.fill("/account", { current: goodPassword, password: next }, "/account/password")
        assert.strictEqual(changed.status, 303)
        const elsewhere = yield* browser("203.0.113.10")
        const wrongCode = { email, code: "a wrong code", password: "yet another good password" }
        assert.strictEqual((yield* elsewhere.fill("/reset-password", wrongCode)).status, 422)
      })
    )
  })

  layer(AccountService.layer({ throttle: { ...unthrottled, address: few, signUp: few } }), {
    excludeTestServices: true
  })((it) => {
    it.effect("from one address, or from one block of IPv6, are turned away", () =>
      Effect.gen(function* () {
        for (const [index, address] of ["2001:db8::1", "2001:db8::2", "2001:db8::3"].entries()) {
          const fields = { email: `x${index}@example.com`, password: "a wrong password" }
          assert.strictEqual((yield* (yield* browser(address)).fill("/sign-in", fields)).status, 422)
        }
        const next = yield* browser("2001:db8::4")
        assert.strictEqual((yield* next.fill("/sign-in", { email: "y@example.com", password: "wrong" })).status, 429)
      })
    )

    it.effect("to make accounts are turned away", () =>
      Effect.gen(function* () {
        for (const name of ["a", "b", "c"]) yield* newcomer(`${name}@example.com`, "198.51.100.9")
        const more = yield* browser("198.51.100.9")
        assert.strictEqual(
          (yield* more.fill("/sign-up", { email: "d@example.com", password: goodPassword })).status,
          429
        )
      })
    )
  })
})

describe("a service that asks for an invitation", () => {
  layer(AccountService.layer({ policy: "invitation" }), { excludeTestServices: true })((it) => {
    it.effect("creates one account for each, and reveals no addresses without an invitation", () =>
      Effect.gen(function* () {
        const create = (note: string) =>
          behind(Effect.flatMap(Invitations, (invitations) => invitations.create({ note, expiresAt: undefined })))
        const invitation = yield* create("kim")
        const kim = yield* browser()
        const form = { email: "kim@example.com", password: goodPassword }
        for (const bad of ["", "nonsense", "x".repeat(43)]) {
          const refused = yield* kim.fill("/sign-up", { ...form, invitation: bad })
          assert.strictEqual(refused.status, 422)
          assert.include(refused.body, "This invitation is unknown, used or too old.")
        }
        assert.strictEqual((yield* kim.fill("/sign-up", { ...form, invitation: ` ${invitation} ` })).status, 303)
        const second = yield* browser()
        const again = yield* second.fill("/sign-up", { ...form, email: "lee@example.com", invitation })
        assert.strictEqual(again.status, 422)
        const probe = yield* second.fill("/sign-up", { ...form, invitation })
        assert.include(probe.body, "This invitation is unknown")
        assert.notInclude(probe.body, "Sign in, if you have an account.")
        // An address that has an account does not use the invitation.
        const other = yield* create("lee")
        assert.strictEqual((yield* second.fill("/sign-up", { ...form, invitation: other })).status, 422)
        const taken = yield* second.fill("/sign-up", { ...form, email: "lee@example.com", invitation: other })
        assert.strictEqual(taken.status, 303)
      })
    )

    it.effect("creates one account if several requests use an invitation at once", () =>
      Effect.gen(function* () {
        const invitation = yield* behind(
          Effect.flatMap(Invitations, (invitations) => invitations.create({ note: "", expiresAt: undefined }))
        )
        const replies = yield* Effect.forEach(
          [1, 2, 3, 4],
          (number) =>
            Effect.flatMap(browser(), (one) =>
              one.fill("/sign-up", { email: `race-${number}@example.com`, password: goodPassword, invitation })
            ),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(replies.map(({ status }) => status).sort(), [303, 422, 422, 422])
        const rows = yield* sql((client) => client`select 1 from account where email like 'race-%'`)
        assert.strictEqual(rows.length, 1)
      })
    )
  })
})

describe("a service that makes no accounts", () => {
  layer(AccountService.layer({ policy: "closed" }), { excludeTestServices: true })((it) => {
    it.effect("explains this on its pages and refuses the form", () =>
      Effect.gen(function* () {
        const mia = yield* browser()
        assert.include((yield* mia.get("/sign-up")).body, "there are no new ones here")
        assert.notInclude((yield* mia.get("/sign-in")).body, "/sign-up")
        yield* mia.fill("/sign-in", { email: "mia@example.com", password: goodPassword }, "/sign-up")
        assert.isFalse(mia.jar.has(session))
        assert.strictEqual((yield* sql((client) => client`select 1 from account`)).length, 0)
      })
    )
  })
})
