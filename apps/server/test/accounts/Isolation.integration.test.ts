import { assert, describe, layer } from "@effect/vitest"
import { DateTime, Effect, Option, Schedule, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Accounts } from "../../src/accounts/Accounts.ts"
import { PasswordResets } from "../../src/accounts/PasswordResets.ts"
import { AccountKeys } from "../../src/auth/keys/AccountKeys.ts"
import { casesOf } from "../Cases.ts"
import { call } from "../HttpCall.ts"
import type { Reply } from "../HttpCall.ts"
import { AccountService, behind } from "./AccountService.ts"
import type { FormBrowser } from "./FormBrowser.ts"
import { createKey, goodPassword, idsIn, keyIn, newcomer, tokenIn } from "./FormBrowser.ts"

const Who = Schema.Literals(["one", "two"])
type Who = typeof Who.Type

const forms = ["create", "rotate", "revoke", "password", "sign-out-everywhere", "delete"] as const

const pages = ["dashboard", "new-key", "account"] as const

/** A request that the person's own page sends, so that there is something to attack. */
const Proper = Schema.Struct({
  who: Who,
  act: Schema.Literals([...forms, ...pages, "create", "rotate", "revoke", "reset", "replay"]),
  target: Who,
  which: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 5 }))
})

/** One request of one of two people. It may name and carry the other one's values. */
const Step = Schema.Struct({
  ...Proper.fields,
  act: Schema.Literals([...forms, ...pages, "look", "reset", "replay"]),
  /** The owner of the form's password. */
  password: Schema.Literals(["one", "two", "wrong"]),
  token: Schema.Literals(["one", "two", "none", "nonsense"]),
  origin: Schema.Literals(["own", "foreign", "null", "absent"]),
  site: Schema.Literals(["same-origin", "cross-site", "same-site", "absent"])
})
type Step = typeof Step.Type

const Walk = Schema.Array(Schema.Union([Proper, Step])).check(Schema.isMinLength(6), Schema.isMaxLength(14))

const complete = (step: (typeof Walk.Type)[number]): Step =>
  "token" in step ? step : { ...step, token: step.who, password: step.who, origin: "own", site: "same-origin" }

const sentByOwner = (act: (typeof forms)[number]): Step => complete({ who: "one", act, target: "one", which: 0 })

/** A submitted form, and the password that it requires. */
interface Post {
  readonly send: () => ReturnType<FormBrowser["send"]>
  readonly password: string
}

interface Person {
  readonly browser: FormBrowser
  readonly email: string
  /** A reset code for this account. */
  readonly code: string
  account: string
  password: string
  token: string
  /** Every key that its pages have shown. */
  readonly keys: Array<string>
  readonly posts: Array<Post>
}

let people = 0
let passwords = 0

const accountOf = (email: string) =>
  behind(Effect.flatMap(Accounts, ({ findByEmail }) => Effect.map(findByEmail(email), Option.getOrThrow)))

const codeFor = (account: string) =>
  behind(
    Effect.flatMap(PasswordResets, ({ create }) =>
      Effect.flatMap(DateTime.now, (now) => create(account, DateTime.add(now, { hours: 1 })))
    ).pipe(Effect.map(Option.getOrThrow))
  )

const person = Effect.fnUntraced(function* (name: string) {
  people += 1
  const email = `${name}-${people}@example.com`
  const browser = yield* newcomer(email, `198.51.100.${people % 200}`)
  const token = tokenIn(yield* browser.get("/dashboard"))
  const account = yield* accountOf(email)
  const keys = [yield* createKey(browser, `${name} first`), yield* createKey(browser, `${name} second`)]
  const code = yield* codeFor(account)
  const made: Person = { account, browser, email, code, password: goodPassword, token, keys, posts: [] }
  return made
})

/** Signs the person in again if the last request has ended its session, or up if it has deleted its account. */
const refresh = Effect.fnUntraced(function* (of: Person) {
  const { browser, email, password } = of
  let page = yield* browser.get("/dashboard")
  for (const path of ["/sign-in", "/sign-up"]) {
    if (page.status === 200) break
    yield* browser.fill(path, { email, password })
    page = yield* browser.get("/dashboard")
  }
  assert.strictEqual(page.status, 200)
  of.token = tokenIn(page)
  const account = yield* accountOf(email)
  const isNew = account !== of.account
  of.account = account
  return isNew
})

const idOf = (key: string) => key.slice("chaintape_".length, "chaintape_".length + 10)

const ofAccount = ({ account }: Person) => behind(Effect.flatMap(AccountKeys, ({ list }) => list(account)))

const secretIn = (reply: Reply, keys: ReadonlyArray<string>) =>
  keys.some((key) => JSON.stringify(reply).includes(key.slice(20)) || reply.body.includes(idOf(key)))

const headersFor = ({ origin, site }: Step, own: string) => ({
  origin: { own, foreign: "https://evil.example", null: "null", absent: undefined }[origin],
  "sec-fetch-site": site === "absent" ? undefined : site
})

/** Whether the person's own page sends this form. */
const isOwn = ({ origin, site, token, who }: Step) =>
  token === who &&
  (origin === "own" || origin === "absent") &&
  (site === "same-origin" || site === "absent") &&
  !(origin === "absent" && site === "absent")

const ofAccounts: ReadonlyArray<Step["act"]> = ["password", "sign-out-everywhere", "delete"]

const pathOf = (act: Step["act"], targetId: string) => {
  if (act === "create") return "/dashboard/keys"
  return ofAccounts.includes(act) ? `/account/${act}` : `/dashboard/keys/${targetId}/${act}`
}

/** Remembers the password if the form has set it. */
const sent = Effect.fnUntraced(function* (actor: Person, { password, send }: Post) {
  const reply = yield* send()
  if (reply.headers.location?.endsWith("?done=password") === true) actor.password = password
  return reply
})

const post = Effect.fnUntraced(function* (step: Step, actor: Person, targetId: string, all: Record<Who, Person>) {
  const { origin } = yield* AccountService
  const path = pathOf(step.act, targetId)
  passwords += 1
  const next = `a password of number ${passwords}`
  const tokens = { one: all.one.token, two: all.two.token, none: "", nonsense: "x".repeat(43) }
  const known = { one: all.one.password, two: all.two.password, wrong: "a password of nobody" }[step.password]
  const fields = {
    token: tokens[step.token],
    name: "made",
    lifetime: "0",
    current: known,
    password: step.act === "password" ? next : known,
    sure: "yes"
  }
  const made = { password: next, send: () => actor.browser.send({ path, fields, headers: headersFor(step, origin) }) }
  actor.posts.push(made)
  return yield* sent(actor, made)
})

/** The actor's own code, for the account of the target. */
const reset = (actor: Person, { email }: Person) => {
  passwords += 1
  const password = `a password of number ${passwords}`
  const send = () => actor.browser.fill("/reset-password", { email, code: actor.code, password })
  return sent(actor, { password, send })
}

const isForm = ({ act }: Step) => forms.some((form) => form === act)

const look = (step: Step, actor: Person, targetId: string) =>
  actor.browser.get(
    { dashboard: "/dashboard", "new-key": "/dashboard/new-key", account: "/account" }[String(step.act)] ??
      `/dashboard/keys/${targetId}/${step.which % 2 === 0 ? "rotate" : "revoke"}`
  )

const request = Effect.fnUntraced(function* (step: Step, all: Record<Who, Person>) {
  const actor = all[step.who]
  const ids = (yield* ofAccount(all[step.target])).map(({ id }) => id)
  const targetId = ids[step.which % ids.length] ?? "none"
  if (step.act === "reset") return yield* reset(actor, all[step.target])
  const replayed = actor.posts[step.which % actor.posts.length]
  if (step.act === "replay" && replayed !== undefined) return yield* sent(actor, replayed)
  return isForm(step) ? yield* post(step, actor, targetId, all) : yield* look(step, actor, targetId)
})

/** The keys, the password and the sessions of an account. */
const snapshot = Effect.fnUntraced(function* (of: Person) {
  const keys = yield* ofAccount(of)
  const stored = yield* behind(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql`select email, password, disabled_at, digest from account
        left join account_session on account_session.account = account.id where id = ${of.account} order by digest`
    )
  )
  return JSON.stringify([stored, keys.map(({ id, name, revokedAt }) => [id, name, revokedAt !== undefined])])
})

const other = { one: "two", two: "one" } as const

/** After each request: the other one's keys are unchanged, and none of them was shown. */
const walk = Effect.fnUntraced(function* (walked: ReadonlyArray<Step>) {
  const all = { one: yield* person("one"), two: yield* person("two") }
  const counts = { changes: 0, passwords: 0, deleted: 0 }
  for (const step of walked) {
    const { password } = all[step.who]
    const before = { one: yield* snapshot(all.one), two: yield* snapshot(all.two) }
    const reply = yield* request(step, all)
    const after = { one: yield* snapshot(all.one), two: yield* snapshot(all.two) }
    assert.strictEqual(after[other[step.who]], before[other[step.who]], JSON.stringify(step))
    assert.isFalse(secretIn(reply, all[other[step.who]].keys), JSON.stringify(step))
    const isOwnReset = step.act === "reset" && step.target === step.who
    if (step.act !== "replay" && !isOwnReset && !(isForm(step) && isOwn(step)))
      assert.strictEqual(after[step.who], before[step.who], JSON.stringify(step))
    assert.isBelow(reply.status, 500)
    const shown = keyIn(reply)
    if (shown !== "") all[step.who].keys.push(shown)
    if (after[step.who] !== before[step.who]) counts.changes += 1
    if (all[step.who].password !== password) counts.passwords += 1
    if (yield* refresh(all[step.who])) counts.deleted += 1
  }
  return counts
})

const walks = casesOf("CHAINTAPE_ACCOUNT_WALKS", { few: 25, many: 200 })

describe("two accounts", () => {
  layer(AccountService.layer(), { excludeTestServices: true })((it) => {
    const counted = { requests: 0, changes: 0, refused: 0 }

    it.effect.prop(
      "no sequence of requests lets one see, use or revoke the other's keys, or change the other's account",
      [Walk],
      ([given]) =>
        Effect.gen(function* () {
          const walked = given.map(complete)
          const { changes } = yield* walk(walked)
          counted.requests += walked.length
          counted.changes += changes
          counted.refused += walked.filter((step) => !isOwn(step)).length
        }),
      { arbitrary: { runs: walks }, timeout: 180_000 }
    )

    it.effect("the sequences include successful changes and refused requests", () =>
      Effect.sync(() => {
        assert.isAbove(counted.changes, walks / 3, JSON.stringify(counted))
        assert.isAbove(counted.refused, walks / 3, JSON.stringify(counted))
      })
    )

    it.effect("each form that its owner sends changes the owner's account", () =>
      Effect.gen(function* () {
        const counts = yield* walk(forms.map(sentByOwner))
        assert.deepStrictEqual(counts, { changes: forms.length, passwords: 1, deleted: 1 })
      })
    )

    it.effect("a key that was handed over in one browser is not shown in another, nor in the next session", () =>
      Effect.gen(function* () {
        const one = yield* newcomer("handed@example.com")
        const two = yield* newcomer("thief@example.com")
        yield* one.fill("/dashboard", { name: "mine", lifetime: "0" }, "/dashboard/keys")
        const cookie = one.jar.get("chaintape_new_key") ?? ""
        assert.isAbove(cookie.length, 40)
        two.jar.set("chaintape_new_key", cookie)
        const stolen = yield* two.get("/dashboard/new-key")
        assert.include(stolen.body, "The key was shown")
        assert.strictEqual(keyIn(stolen), "")
        assert.notInclude(Buffer.from(cookie, "base64url").toString("latin1"), "chaintape_")
      })
    )

    it.effect("an id in another form is not found", () =>
      Effect.gen(function* () {
        const one = yield* newcomer("odd@example.com")
        for (const id of ["%00", "..", "%2e%2e", "a%2Fb", "'", "x".repeat(500), "%F0%9F%98%80"]) {
          const sent = yield* one.fill("/dashboard", {}, `/dashboard/keys/${id}/revoke`)
          assert.strictEqual(sent.status, 404, id)
          assert.strictEqual((yield* one.get(`/dashboard/keys/${id}/rotate`)).status, 404, id)
        }
      })
    )

    it.effect("the keys of a disabled account are refused, and it is signed out", () =>
      Effect.gen(function* () {
        const { origin } = yield* AccountService
        const one = yield* newcomer("disabled@example.com")
        const key = yield* createKey(one, "key")
        assert.strictEqual(idsIn(yield* one.get("/dashboard")).length, 1)
        const account = yield* behind(
          Effect.flatMap(Accounts, (accounts) => accounts.findByEmail("disabled@example.com"))
        )
        yield* behind(
          Effect.flatMap(Accounts, (accounts) => accounts.disable(account._tag === "Some" ? account.value : ""))
        )
        assert.strictEqual((yield* one.get("/dashboard")).headers.location, "/sign-in")
        yield* call(origin, { path: "/v2/cex/exchanges", headers: { "api-key": key } }).pipe(
          Effect.repeat({ until: ({ status }) => status === 401, schedule: Schedule.spaced("50 millis") }),
          Effect.timeout("60 seconds")
        )
      })
    )
  })
})
