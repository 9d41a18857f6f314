import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Option, Redacted } from "effect"
import type { Scope } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Accounts } from "../../src/accounts/Accounts.ts"
import { AccountStore } from "../../src/accounts/AccountStore.ts"
import { Invitations } from "../../src/accounts/Invitations.ts"
import { PasswordResets } from "../../src/accounts/PasswordResets.ts"
import { Passwords } from "../../src/accounts/Passwords.ts"
import { Sessions } from "../../src/accounts/Sessions.ts"
import { AuditLog } from "../../src/auth/AuditLog.ts"
import { AccountKeys } from "../../src/auth/keys/AccountKeys.ts"
import { ApiKeys } from "../../src/auth/keys/ApiKeys.ts"
import { createKey, revokeKey, setPlan } from "../../src/cli/operator/OperatorKeys.ts"
import { cheap } from "../accounts/AccountService.ts"
import { addAccount, keysOver, toHolder } from "../auth/keys/KeyDatabase.ts"
import { embeddedDatabase } from "../OwnDatabase.ts"

/** Two instances of a service on one store, without notifications: no Redis. */
const twoInstances = Effect.gen(function* () {
  const database = Layer.succeed(SqlClient.SqlClient, yield* SqlClient.SqlClient)
  const built = [yield* Layer.build(keysOver(database)), yield* Layer.build(keysOver(database))] as const
  const accepting = (key: Redacted.Redacted) =>
    Effect.map(
      Effect.forEach(built, (instance) => Context.get(instance, ApiKeys).verify(Redacted.value(key))),
      (found) => found.filter(Option.isSome).length
    )
  return { accepting, accountKeys: Context.get(built[0], AccountKeys) }
})

const accounts = Accounts.layer("closed").pipe(
  Layer.provide(PasswordResets.layer),
  Layer.provide([AccountStore.layer, Passwords.layerTest(cheap), Sessions.layer, Invitations.layer]),
  Layer.provide(AuditLog.layer)
)

const onDatabase = <A, E>(test: Effect.Effect<A, E, SqlClient.SqlClient | Scope.Scope>) =>
  Effect.scoped(test).pipe(Effect.provide(embeddedDatabase))

const wanted = { name: "one", scopes: undefined, expiresAt: undefined }

describe("changes of an operator in the store", () => {
  it.effect("are known to every running instance within five seconds, without a message between them", () =>
    onDatabase(
      Effect.gen(function* () {
        yield* addAccount("ada")
        const { accepting, accountKeys } = yield* twoInstances
        const ofOperator = yield* createKey(wanted)
        const ofAccount = Option.getOrThrow(yield* accountKeys.create(toHolder("ada"), wanted))
        const disable = Effect.flatMap(Accounts, (all) => all.disable("ada")).pipe(Effect.provide(accounts))
        for (const { change, key } of [
          { key: ofOperator.key, change: revokeKey(ofOperator.id) },
          { key: ofAccount.key, change: revokeKey(ofAccount.stored.id) },
          { key: Option.getOrThrow(yield* accountKeys.create(toHolder("ada"), wanted)).key, change: disable }
        ]) {
          assert.strictEqual(yield* accepting(key), 2)
          yield* change
          // The instances have cached it: the change is not known at once.
          assert.strictEqual(yield* accepting(key), 2)
          yield* TestClock.adjust("5 seconds")
          assert.strictEqual(yield* accepting(key), 0)
        }
      })
    )
  )

  it.live("are recorded in the audit log, once each", () =>
    onDatabase(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { id } = yield* createKey(wanted)
        yield* revokeKey(id)
        yield* revokeKey(id)
        yield* revokeKey("nobody")
        const rows = yield* sql`select kind, actor, account, key, detail from audit_event order by id`
        const event = { actor: "operator", account: null, key: id, detail: "one" }
        assert.deepStrictEqual(rows, [
          { ...event, kind: "key-created" },
          { ...event, kind: "key-revoked" }
        ])
      })
    )
  )

  it.live("to the key of an account are events of this account", () =>
    onDatabase(
      Effect.gen(function* () {
        yield* addAccount("ada")
        const { accountKeys } = yield* twoInstances
        const { stored } = Option.getOrThrow(yield* accountKeys.create(toHolder("ada"), wanted))
        yield* setPlan(stored.id, "large")
        yield* revokeKey(stored.id)
        const events = yield* Effect.flatMap(AuditLog, ({ ofAccount }) => ofAccount("ada", 2)).pipe(
          Effect.provide(AuditLog.layer)
        )
        assert.deepStrictEqual(
          events.map(({ actor, detail, key, kind }) => [kind, actor, key, detail]),
          [
            ["key-revoked", "operator", stored.id, "one"],
            ["key-plan-changed", "operator", stored.id, "large: one"]
          ]
        )
      })
    )
  )
})
