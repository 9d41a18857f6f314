import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AccountService } from "../accounts/AccountService.ts"
import { createKey, idsIn, newcomer } from "../accounts/FormBrowser.ts"

/** A name after which everything on its line would run from right to left. */
const reversing = "note\u202Ebook"

/** The same for a page that isolates names: each ends an isolation before it reverses the text. */
const escaping = ["\u2069", "\u2029", "\u2068\u2069\u2069"].map((end) => `note${end}\u202Ebook`)

/** A page without its attributes, and without the names that are isolated from the text around them. */
const withoutIsolated = (body: string): string =>
  body.replaceAll(/ [\w-]+="[^"]*"/g, "").replaceAll(/<bdi>[^<\u2029\u2069]*<\/bdi>|\u2068[^<\u2029\u2069]*\u2069/g, "")

describe("the name of a key", () => {
  layer(AccountService.layer(), { excludeTestServices: true })((it) => {
    it.effect("does not change the direction of the text around it", () =>
      Effect.gen(function* () {
        const ann = yield* newcomer("ann@example.com")
        const sent = yield* ann.fill("/dashboard", { name: reversing, lifetime: "0" }, "/dashboard/keys")
        const shown = yield* ann.get(String(sent.headers.location))
        assert.include(shown.body, `“<bdi>${reversing}</bdi>” is ready`)
        const [first = ""] = idsIn(yield* ann.get("/dashboard"))
        yield* ann.fill(`/dashboard/keys/${first}/rotate`, {})
        const pages = [
          shown,
          yield* ann.get(`/dashboard/keys/${first}/rotate`),
          yield* ann.get(`/dashboard/keys/${first}/revoke`),
          yield* ann.get(`/dashboard?done=revoked&key=${first}`)
        ]
        for (const { body } of pages) {
          assert.include(body, reversing)
          assert.notInclude(withoutIsolated(body), "\u202E")
        }
      })
    )

    it.effect("does not end its isolation", () =>
      Effect.gen(function* () {
        const cleo = yield* newcomer("cleo@example.com")
        for (const name of escaping) yield* cleo.fill("/dashboard", { name, lifetime: "0" }, "/dashboard/keys")
        const dashboard = yield* cleo.get("/dashboard")
        const ids = idsIn(dashboard)
        assert.strictEqual(ids.length, escaping.length)
        const revoke = yield* Effect.forEach(ids, (id) => cleo.get(`/dashboard/keys/${id}/revoke`))
        for (const { body } of [dashboard, ...revoke]) {
          assert.include(body, reversing)
          assert.notInclude(withoutIsolated(body), "\u202E")
        }
      })
    )

    it.effect("has a character that can be seen", () =>
      Effect.gen(function* () {
        const bea = yield* newcomer("bea@example.com")
        for (const name of ["\u200B\u200B", "\u2060", "\u200E \u202E", "\u3164", "\u115F\uFE0F", "\u2800"]) {
          const refused = yield* bea.fill("/dashboard", { name, lifetime: "0" }, "/dashboard/keys")
          assert.strictEqual(refused.status, 422, JSON.stringify(name))
          assert.include(refused.body, "Use characters that can be seen for the name.")
        }
        assert.deepStrictEqual(idsIn(yield* bea.get("/dashboard")), [])
        // Families of emoji and Persian words contain joiners.
        for (const name of [
          "\u{1F468}\u200D\u{1F469}\u200D\u{1F467}",
          "\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645"
        ])
          assert.match(yield* createKey(bea, name), /^chaintape_/)
      })
    )
  })
})
