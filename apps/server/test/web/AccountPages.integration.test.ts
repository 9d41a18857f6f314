import { connect } from "node:net"
import type { Socket } from "node:net"
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { AccountService } from "../accounts/AccountService.ts"
import { browser, createKey, goodPassword, idsIn, newcomer, tokenIn } from "../accounts/FormBrowser.ts"
import { call } from "../HttpCall.ts"

const paths = [
  "/sign-up",
  "/sign-in",
  "/sign-out",
  "/reset-password",
  "/account",
  "/account/password",
  "/account/sign-out-everywhere",
  "/account/delete",
  "/dashboard",
  "/dashboard/new-key",
  "/dashboard/keys"
]

const readOnlyPaths = ["/account", "/dashboard", "/dashboard/new-key"]

describe("the pages of accounts", () => {
  layer(AccountService.layer(), { excludeTestServices: true })((it) => {
    it.effect("lead from the start page to a key that works", () =>
      Effect.gen(function* () {
        const ada = yield* browser()
        const { origin } = yield* AccountService
        const start = yield* ada.get("/")
        assert.include(start.body, 'href="/sign-up"')
        assert.include(start.body, 'href="/sign-in"')
        const signedUp = yield* ada.fill("/sign-up", { email: " Ada@Example.COM ", password: goodPassword })
        assert.strictEqual(signedUp.status, 303)
        assert.strictEqual(signedUp.headers.location, "/dashboard?done=welcome")
        const dashboard = yield* ada.get("/dashboard?done=welcome")
        assert.include(dashboard.body, "Your account is ready")
        assert.include(dashboard.body, "ada@example.com")
        const key = yield* createKey(ada, "notebook")
        assert.match(key, /^chaintape_\w{42}$/)
        const answer = yield* call(origin, { path: "/v2/cex/exchanges", headers: { "api-key": key } })
        assert.strictEqual(answer.status, 200)
      })
    )

    it.effect("stay available while an address never finishes its forms", () =>
      Effect.gen(function* () {
        const { origin } = yield* AccountService
        const { host, hostname, port } = new URL(origin)
        const half =
          `POST /sign-in HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://${host}\r\nContent-Length: 9\r\n` +
          "Content-Type: application/x-www-form-urlencoded\r\nX-Forwarded-For: 203.0.113.66\r\n\r\n"
        let answered = 0
        const begin = Effect.callback<Socket>((resume) => {
          const socket = connect(Number(port), hostname, () => socket.write(half))
          socket.once("data", () => (answered += 1))
          socket.on("error", () => {})
          resume(Effect.succeed(socket))
        })
        yield* Effect.forEach(
          Array.from({ length: 300 }),
          () => Effect.acquireRelease(begin, (socket) => Effect.sync(() => socket.destroy())),
          { discard: true }
        )
        const mia = yield* browser("203.0.113.67")
        // Eight of them are waited for.
        yield* Effect.repeat(Effect.void, {
          while: () => answered < 292,
          schedule: Schedule.spaced("20 millis"),
          times: 250
        })
        const signedUp = yield* mia.fill("/sign-up", { email: "mia@example.com", password: goodPassword })
        assert.deepStrictEqual([answered, signedUp.status], [292, 303])
        const refused = yield* (yield* browser("203.0.113.66")).fill("/sign-up", { email: "x@example.com" })
        assert.deepStrictEqual([refused.status, refused.headers["retry-after"]], [429, "1"])
      }).pipe(Effect.scoped)
    )

    it.effect("show a key once, and nowhere else", () =>
      Effect.gen(function* () {
        const bob = yield* newcomer("bob@example.com")
        const sent = yield* bob.fill("/dashboard", { name: "once", lifetime: "0" }, "/dashboard/keys")
        assert.strictEqual(sent.status, 303)
        assert.strictEqual(sent.headers.location, "/dashboard/new-key")
        assert.notInclude(JSON.stringify(sent), "chaintape_k")
        const looked = yield* bob.get("/dashboard/new-key", "HEAD")
        assert.strictEqual(looked.status, 200)
        const shown = yield* bob.get("/dashboard/new-key")
        const [key = ""] = /chaintape_\w{42}/.exec(shown.body) ?? []
        assert.include(shown.body, `curl -H "api-key: ${key}" "http://127.0.0.1:`)
        assert.strictEqual(shown.headers["cache-control"], "no-store")
        const again = yield* bob.get("/dashboard/new-key")
        assert.include(again.body, "The key was shown")
        assert.notInclude(again.body, key)
        const dashboard = yield* bob.get("/dashboard")
        assert.notInclude(dashboard.body, key)
        assert.include(dashboard.body, key.slice(-4))
        const { log } = yield* AccountService
        assert.notInclude(log.join("\n"), key.slice(20))
      })
    )

    it.effect("rotate and revoke after a question", () =>
      Effect.gen(function* () {
        const { origin } = yield* AccountService
        const cy = yield* newcomer("cy@example.com")
        const first = yield* createKey(cy, "first")
        const [id = ""] = idsIn(yield* cy.get("/dashboard"))
        const question = yield* cy.get(`/dashboard/keys/${id}/rotate`)
        assert.match(question.body, /goes on working until you\s+revoke it/)
        const rotated = yield* cy.fill(`/dashboard/keys/${id}/rotate`, {})
        assert.strictEqual(rotated.headers.location, "/dashboard/new-key")
        const both = yield* cy.get("/dashboard")
        assert.strictEqual(idsIn(both).length, 2)
        const [other = ""] = idsIn(both).filter((one) => one !== id)
        for (const one of [id, other]) assert.include(both.body, `aria-label="Revoke first, chaintape_${one}…`)
        // Both keys have the same name: the question states which of them it is about, and which one stays.
        const sure = yield* cy.get(`/dashboard/keys/${id}/revoke`)
        assert.match(sure.body, new RegExp(`The key to revoke is <code>chaintape_${id}…${first.slice(-4)}</code>`))
        assert.match(sure.body, new RegExp(`another key, which stays valid:[^]*<li><code>chaintape_${other}…`))
        const revoked = yield* cy.fill(`/dashboard/keys/${id}/revoke`, {})
        assert.strictEqual(revoked.headers.location, `/dashboard?done=revoked&key=${id}`)
        assert.strictEqual(idsIn(yield* cy.get("/dashboard")).length, 1)
        const dashboard = yield* cy.get(String(revoked.headers.location))
        assert.match(
          dashboard.body,
          new RegExp(
            `The key is revoked\\.[^]*It is “<bdi>first</bdi>”, <code>chaintape_${id}…${first.slice(-4)}</code>\\.`
          )
        )
        for (const words of ["Key created", "Key rotated", "Key revoked", "203.0.113.7"])
          assert.include(dashboard.body, words)
        const answer = yield* call(origin, { path: "/v2/cex/exchanges", headers: { "api-key": first } })
        assert.strictEqual(answer.status, 401)
      })
    )

    it.effect("show an event of a kind and an actor that only a newer version knows", () =>
      Effect.gen(function* () {
        const { parts } = yield* AccountService
        const uma = yield* newcomer("uma@example.com")
        const sql = Context.get(parts, SqlClient.SqlClient)
        yield* sql`insert into audit_event (kind, actor, account, detail)
          select 'key-frozen', 'scheduler', id, '' from account where email = 'uma@example.com'`
        const dashboard = yield* uma.get("/dashboard")
        assert.strictEqual(dashboard.status, 200)
        for (const words of ["key-frozen", "Account created"]) assert.include(dashboard.body, words)
      })
    )

    it.effect("name no expired key as valid, and rotate none", () =>
      Effect.gen(function* () {
        const { parts } = yield* AccountService
        const eve = yield* newcomer("nora@example.com")
        yield* createKey(eve, "same")
        const [expired = ""] = idsIn(yield* eve.get("/dashboard"))
        yield* createKey(eve, "same")
        const [valid = ""] = idsIn(yield* eve.get("/dashboard")).filter((id) => id !== expired)
        const question = `/dashboard/keys/${valid}/revoke`
        assert.include((yield* eve.get(question)).body, "another key, which stays valid:")
        const sql = Context.get(parts, SqlClient.SqlClient)
        yield* sql`update api_key set expires_at = now() - interval '1 second' where id = ${expired}`
        assert.notInclude((yield* eve.get(question)).body, "another key")
        assert.strictEqual((yield* eve.get(`/dashboard/keys/${expired}/rotate`)).status, 404)
        assert.strictEqual((yield* eve.get(`/dashboard/keys/${expired}/revoke`)).status, 200)
      })
    )

    it.effect("name the errors of a form, at the field and above it, and retain the valid input", () =>
      Effect.gen(function* () {
        const dee = yield* browser()
        const wrong = yield* dee.fill("/sign-up", { email: "dee@example.com", password: "short" })
        assert.strictEqual(wrong.status, 422)
        assert.include(wrong.body, '<a href="#password">Use at least 10 characters.</a>')
        assert.match(
          wrong.body,
          /id="password"[^>]* aria-invalid="true"[^>]* aria-describedby="password-hint password-issue"/
        )
        assert.include(wrong.body, 'value="dee@example.com"')
        assert.match(wrong.body, /role="alert" tabindex="-1" autofocus/)
        assert.match(wrong.body, /<title>Error: Sign up/)
        const both = yield* dee.fill("/sign-up", { email: "nobody", password: "1234567890" })
        assert.include(both.body, "2 things are not right")
        const taken = yield* newcomer("taken@example.com")
        assert.isTrue(taken.jar.has("chaintape_session"))
        const second = yield* dee.fill("/sign-up", { email: "TAKEN@example.com", password: goodPassword })
        assert.strictEqual(second.status, 422)
        assert.include(second.body, "Sign in, if you have an account")
        assert.isFalse(dee.jar.has("chaintape_session"))
      })
    )

    it.effect("refuse a key without a name, with a scope that does not exist, or with another end", () =>
      Effect.gen(function* () {
        const eve = yield* newcomer("eve@example.com")
        for (const fields of [
          { name: "  " },
          { name: "x".repeat(61) },
          { name: "a\u0000b" },
          { name: "a", scope: "everything" },
          { name: "a", lifetime: "-1" },
          { name: "a", lifetime: "1e9" }
        ]) {
          const refused = yield* eve.fill("/dashboard", fields, "/dashboard/keys")
          assert.strictEqual(refused.status, 422, JSON.stringify(fields))
        }
        assert.deepStrictEqual(idsIn(yield* eve.get("/dashboard")), [])
        yield* createKey(eve, "<script>alert(1)</script>", { scope: "dex", lifetime: "30" })
        const dashboard = yield* eve.get("/dashboard")
        assert.notInclude(dashboard.body, "<script>alert")
        assert.include(dashboard.body, "&lt;script&gt;alert(1)")
        assert.include(dashboard.body, ">dex</td>")
      })
    )

    it.effect("send those who are not signed in to the page where they can be, and the others away from it", () =>
      Effect.gen(function* () {
        const stranger = yield* browser()
        for (const path of ["/dashboard", "/dashboard/new-key", "/dashboard/keys/abc/revoke", "/sign-out"]) {
          const sent = yield* stranger.get(path)
          assert.strictEqual(sent.status, 303)
          assert.strictEqual(sent.headers.location, "/sign-in")
        }
        const zoe = yield* newcomer("zoe@example.com")
        for (const path of ["/sign-in", "/sign-up"])
          assert.strictEqual((yield* zoe.get(path)).headers.location, "/dashboard")
      })
    )

    it.effect("forbid caches and frames, and send forms to this service only", () =>
      Effect.gen(function* () {
        const gus = yield* newcomer("gus@example.com")
        const stranger = yield* browser()
        for (const reply of [
          yield* gus.get("/dashboard"),
          yield* stranger.get("/sign-in"),
          yield* stranger.get("/sign-up"),
          yield* gus.get("/dashboard/new-key"),
          yield* gus.get("/dashboard/keys/none/revoke")
        ]) {
          const policy = reply.headers["content-security-policy"]?.toString() ?? ""
          assert.include(policy, "default-src 'none'")
          assert.include(policy, "form-action 'self'")
          assert.include(policy, "frame-ancestors 'none'")
          assert.notInclude(policy, "unsafe")
          assert.strictEqual(reply.headers["cache-control"], "no-store")
          assert.strictEqual(reply.headers["x-frame-options"], "DENY")
          assert.strictEqual(reply.headers["referrer-policy"], "same-origin")
          assert.strictEqual(reply.headers["x-content-type-options"], "nosniff")
          assert.strictEqual(reply.headers["cross-origin-opener-policy"], "same-origin")
          assert.strictEqual(reply.headers["cross-origin-resource-policy"], "same-origin")
          assert.notMatch(reply.body, / (style|on\w+)="/)
        }
      })
    )

    it.effect("are not compressed, because their length would reveal secrets", () =>
      Effect.gen(function* () {
        const { origin } = yield* AccountService
        const headers = { "accept-encoding": "br, gzip" }
        assert.strictEqual((yield* call(origin, { path: "/", headers })).headers["content-encoding"], "br")
        assert.isUndefined((yield* call(origin, { path: "/sign-in", headers })).headers["content-encoding"])
      })
    )

    it.effect("change nothing by GET and HEAD, and refuse other methods with those that are allowed", () =>
      Effect.gen(function* () {
        const hal = yield* newcomer("hal@example.com")
        yield* createKey(hal, "kept")
        const [id = ""] = idsIn(yield* hal.get("/dashboard"))
        for (const path of [...paths, `/dashboard/keys/${id}/rotate`, `/dashboard/keys/${id}/revoke`]) {
          for (const method of ["GET", "HEAD"]) assert.isBelow((yield* hal.get(path, method)).status, 400, path)
          const refused = yield* hal.get(path, "DELETE")
          assert.strictEqual(refused.status, 405, path)
          const readOnly = readOnlyPaths.includes(path)
          assert.strictEqual(refused.headers.allow, readOnly ? "GET, HEAD, OPTIONS" : "GET, HEAD, POST, OPTIONS", path)
          assert.strictEqual((yield* hal.get(path, "OPTIONS")).status, 204, path)
        }
        assert.deepStrictEqual(idsIn(yield* hal.get("/dashboard")), [id])
        assert.strictEqual((yield* hal.get("/dashboard/nothing")).status, 404)
      })
    )

    it.effect("read forms of at most 16 kB, and only forms", () =>
      Effect.gen(function* () {
        const ivy = yield* newcomer("ivy@example.com")
        const token = tokenIn(yield* ivy.get("/dashboard"))
        const large = yield* ivy.send({ path: "/dashboard/keys", fields: { token, name: "x".repeat(17_000) } })
        assert.strictEqual(large.status, 413)
        for (const type of ["application/json", "multipart/form-data; boundary=x", "text/plain", undefined]) {
          const refused = yield* ivy.send({
            path: "/dashboard/keys",
            fields: { token, name: "x" },
            headers: { "content-type": type }
          })
          assert.strictEqual(refused.status, 415, type)
        }
        const odd = yield* ivy.send({ path: "/dashboard/keys", fields: { token, name: "x", unknown: "ignored" } })
        assert.strictEqual(odd.status, 303)
      })
    )
  })
})
