import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { Accounts } from "../../src/accounts/Accounts.ts"
import { OwnAccount } from "../../src/accounts/OwnAccount.ts"
import { PasswordResets } from "../../src/accounts/PasswordResets.ts"
import { Sessions } from "../../src/accounts/Sessions.ts"
import { AccountKeys } from "../../src/auth/keys/AccountKeys.ts"
import { casesOf } from "../Cases.ts"
import { makeDice } from "../cex/tape/record/FakeMarket.ts"
import { accountParts } from "./AccountService.ts"

const sequences = casesOf("DISABLING", { few: 20, many: 200 })
const steps = 12
const address = "192.0.2.1"
const first = "correct horse, battery staple"

/** An account, what its holder and its operator can do, and what may be valid after a disablement. */
const makeWorld = (name: string) =>
  Effect.gen(function* () {
    const [accounts, own, resets, sessions, keys] = [
      yield* Accounts,
      yield* OwnAccount,
      yield* PasswordResets,
      yield* Sessions,
      yield* AccountKeys
    ]
    const email = `${name}@example.com`
    const account = yield* accounts.signUp({ email, password: first, invitation: "", address })
    const holder = { account, address }
    let password = first
    let changes = 0
    let isDisabled = false
    const tokens: Array<string> = []
    const codes: Array<string> = []
    const keysMade: Array<string> = []

    const newPassword = () => `another battery, another horse, ${++changes}`
    const actions = [
      Effect.gen(function* () {
        const found = yield* accounts.verify({ email, password, address })
        assert.strictEqual(Option.isSome(found), !isDisabled)
        // As a sign-in whose account is disabled after its password was verified.
        tokens.push(yield* sessions.begin(account, undefined))
      }),
      Effect.gen(function* () {
        const code = yield* resets.create(account, DateTime.add(yield* DateTime.now, { hours: 1 }))
        assert.strictEqual(Option.isNone(code), isDisabled)
        if (Option.isSome(code)) codes.push(code.value)
      }),
      Effect.gen(function* () {
        const code = codes.pop()
        const next = newPassword()
        const used = code === undefined ? Option.none() : yield* resets.use({ code, email, password: next, address })
        if (isDisabled) assert.isTrue(Option.isNone(used))
        if (Option.isSome(used)) password = next
      }),
      Effect.gen(function* () {
        const next = newPassword()
        const changed = yield* own.changePassword(holder, password, next)
        assert.strictEqual(changed, !isDisabled)
        if (changed) password = next
      }),
      Effect.gen(function* () {
        const made = yield* keys.create(holder, { name: "one", scopes: undefined, expiresAt: undefined })
        if (isDisabled) assert.isTrue(Option.isNone(made))
        if (Option.isSome(made)) keysMade.push(made.value.stored.id)
      }),
      Effect.gen(function* () {
        const id = keysMade.at(-1)
        const made = id === undefined ? Option.none() : yield* keys.rotate(holder, id)
        if (isDisabled) assert.isTrue(Option.isNone(made))
      }),
      Effect.suspend(() => {
        isDisabled = true
        return accounts.disable(account)
      }),
      Effect.gen(function* () {
        const wasDisabled = isDisabled
        isDisabled = false
        yield* accounts.enable(account)
        if (!wasDisabled) return
        for (const token of tokens.splice(0)) assert.isTrue(Option.isNone(yield* sessions.find(token)))
        for (const code of codes.splice(0)) {
          assert.isTrue(Option.isNone(yield* resets.use({ code, email, password: newPassword(), address })))
        }
        assert.isTrue(Option.isSome(yield* accounts.verify({ email, password, address })))
      })
    ]
    return actions
  })

describe("a disabled account", () => {
  it.live("has no valid code or session from before or during its disablement", () =>
    Effect.gen(function* () {
      for (let seed = 0; seed < sequences; seed++) {
        const dice = makeDice(seed)
        const actions = yield* makeWorld(`kim-${seed}`)
        const [disable, enable] = [actions.at(-2), actions.at(-1)]
        for (let step = 0; step < steps; step++) yield* actions[dice(actions.length)] ?? Effect.void
        yield* disable ?? Effect.void
        for (let step = 0; step < 3; step++) yield* actions[dice(actions.length - 2)] ?? Effect.void
        yield* enable ?? Effect.void
      }
    }).pipe(Effect.provide(Layer.fresh(accountParts())))
  )

  it.live("gets no session if its password changed while it was verified", () =>
    Effect.gen(function* () {
      const [accounts, own, sessions] = [yield* Accounts, yield* OwnAccount, yield* Sessions]
      const email = "kim@example.com"
      const account = yield* accounts.signUp({ email, password: first, invitation: "", address })
      const verified = Option.getOrThrow(yield* accounts.verify({ email, password: first, address }))
      const before = yield* sessions.begin(account, undefined, verified.password)
      assert.isTrue(Option.isSome(yield* sessions.find(before)))
      assert.isTrue(yield* own.changePassword({ account, address }, first, "another battery, another horse"))
      const after = yield* sessions.begin(account, undefined, verified.password)
      assert.isTrue(Option.isNone(yield* sessions.find(after)))
      assert.isTrue(Option.isNone(yield* sessions.find(before)))
    }).pipe(Effect.provide(Layer.fresh(accountParts())))
  )

  it.live.skipIf(process.env["DATABASE_URL"] === undefined)(
    "gets no session from a sign-in that runs at the same time (DATABASE_URL)",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [accounts, sessions] = [yield* Accounts, yield* Sessions]
        for (let round = 0; round < 30; round++) {
          const email = `lou-${round}@example.com`
          const account = yield* accounts.signUp({ email, password: first, invitation: "", address })
          yield* Effect.all(
            [sessions.begin(account, undefined), accounts.disable(account), sessions.begin(account, undefined)],
            { concurrency: "unbounded" }
          )
          assert.deepStrictEqual(yield* sql`select 1 from account_session where account = ${account}`, [])
        }
      }).pipe(Effect.provide(Layer.fresh(accountParts({ server: process.env["DATABASE_URL"] }))))
  )
})
