import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { call } from "../HttpCall.ts"
import { AccountService, behind } from "./AccountService.ts"
import { browser, createKey, FormBrowser, goodPassword, idsIn, keyIn, newcomer, tokenIn } from "./FormBrowser.ts"

const server = process.env["DATABASE_URL"]

const maxKeys = 20

/** A second window of a browser: it has the same cookies. */
const windowOf = (of: FormBrowser) =>
  Effect.map(AccountService, ({ origin }) => {
    const another = new FormBrowser(origin)
    for (const [name, value] of of.jar) another.jar.set(name, value)
    return another
  })

const isGood = (key: string) =>
  Effect.flatMap(AccountService, ({ origin }) =>
    Effect.map(call(origin, { path: "/v2/cex/exchanges", headers: { "api-key": key } }), ({ status }) => status === 200)
  )

const liveKeys = (email: string) =>
  behind(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql`select 1 from api_key join account on account.id = api_key.account
        where email = ${email} and revoked_at is null`
    )
  ).pipe(Effect.map((rows) => rows.length))

const atOnce = <A, E, R>(all: ReadonlyArray<Effect.Effect<A, E, R>>) => Effect.all(all, { concurrency: "unbounded" })

describe.each([
  ["the embedded database", undefined],
  ["a PostgreSQL server (DATABASE_URL)", server]
])("requests that race, on %s", (name, url) => {
  const isLacking = name.includes("DATABASE_URL") && url === undefined
  layer(AccountService.layer({ server: url }), { excludeTestServices: true, timeout: "60 seconds" })((it) => {
    it.effect.skipIf(isLacking)("create at most the allowed number of keys, new and rotated ones together", () =>
      Effect.gen(function* () {
        const email = "ada@example.com"
        const ada = yield* newcomer(email)
        for (let number = 0; number < maxKeys - 3; number++) yield* createKey(ada, `key ${number}`)
        const dashboard = yield* ada.get("/dashboard")
        const token = tokenIn(dashboard)
        const [first = "", second = ""] = idsIn(dashboard)
        const form = (path: string, fields: Record<string, string>) =>
          Effect.flatMap(windowOf(ada), (one) => one.send({ path, fields: { token, ...fields } }))
        yield* atOnce([
          ...Array.from({ length: 8 }, (_, number) =>
            form("/dashboard/keys", { name: `more ${number}`, lifetime: "0" })
          ),
          ...Array.from({ length: 4 }, () => form(`/dashboard/keys/${first}/rotate`, {})),
          ...Array.from({ length: 4 }, () => form(`/dashboard/keys/${second}/rotate`, {}))
        ])
        assert.strictEqual(yield* liveKeys(email), maxKeys)
      })
    )

    it.effect.skipIf(isLacking)("leave no valid key of an account that is deleted while it creates keys", () =>
      Effect.gen(function* () {
        const shown: Array<string> = []
        for (let round = 0; round < 3; round++) {
          const email = `eve-${round}@example.com`
          const eve = yield* newcomer(email)
          const windows = yield* Effect.forEach(Array.from({ length: 10 }), () => windowOf(eve))
          const token = tokenIn(yield* eve.get("/dashboard"))
          const made = windows.map((one, number) =>
            Effect.gen(function* () {
              const sent = yield* one.send({
                path: "/dashboard/keys",
                fields: { token, name: `key ${number}`, lifetime: "0" }
              })
              return keyIn(yield* one.get(sent.headers.location ?? "/missing"))
            })
          )
          const remove = eve.fill("/account/delete", { password: goodPassword, sure: "yes" })
          const [keys] = yield* Effect.all([atOnce(made), remove], { concurrency: "unbounded" })
          shown.push(...keys)
          const left = yield* behind(
            Effect.flatMap(
              SqlClient.SqlClient,
              (sql) => sql`select 1 from api_key where revoked_at is null
                and (account is null or account not in (select id from account))`
            )
          )
          assert.lengthOf(left, 0)
          assert.strictEqual(yield* liveKeys(email), 0)
        }
        const good = yield* Effect.filter(
          shown.filter((key) => key !== ""),
          isGood
        )
        assert.deepStrictEqual(good, [])
      })
    )

    it.effect.skipIf(isLacking)("create one account for all spellings of an address", () =>
      Effect.gen(function* () {
        const written = ["kim@example.com", "KIM@example.com", " Kim@Example.COM ", "\u212Aim@example.com"]
        const replies = yield* atOnce(
          written.map((email) =>
            Effect.flatMap(browser(), (one) => one.fill("/sign-up", { email, password: goodPassword }))
          )
        )
        assert.deepStrictEqual(replies.map(({ status }) => status).sort(), [303, 422, 422, 422])
      })
    )

    it.effect.skipIf(isLacking)("change a password once, and end every other session", () =>
      Effect.gen(function* () {
        const email = "joe@example.com"
        const joe = yield* newcomer(email)
        const other = yield* browser()
        yield* other.fill("/sign-in", { email, password: goodPassword })
        const token = tokenIn(yield* joe.get("/account"))
        const others = tokenIn(yield* other.get("/account"))
        const passwords = ["first new battery staple", "second new battery staple"]
        const change = (of: FormBrowser, its: string, password: string) =>
          of.send({ path: "/account/password", fields: { token: its, current: goodPassword, password } })
        const replies = yield* atOnce([
          change(joe, token, passwords[0] ?? ""),
          change(other, others, passwords[1] ?? ""),
          ...Array.from({ length: 8 }, () => other.get("/dashboard"))
        ])
        const changed = replies.slice(0, 2).filter(({ headers }) => headers.location === "/account?done=password")
        assert.lengthOf(changed, 1)
        const sessions = yield* behind(
          Effect.flatMap(
            SqlClient.SqlClient,
            (sql) => sql`select 1 from account_session where account = (select id from account where email = ${email})`
          )
        )
        assert.lengthOf(sessions, 1)
        const signed = yield* Effect.forEach([goodPassword, ...passwords], (password) =>
          Effect.flatMap(browser(), (one) => one.fill("/sign-in", { email, password }))
        )
        assert.lengthOf(
          signed.filter(({ status }) => status === 303),
          1
        )
      })
    )
  })
})
