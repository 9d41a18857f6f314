import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, Effect, Layer, Option, Redacted, Schedule } from "effect"
import type { Scope } from "effect"
import { SqlClient } from "effect/sql"
import { Accounts } from "../../src/accounts/Accounts.ts"
import { AuditLog } from "../../src/accounts/AuditLog.ts"
import { Invitations } from "../../src/accounts/Invitations.ts"
import { Passwords } from "../../src/accounts/Passwords.ts"
import { Sessions } from "../../src/accounts/Sessions.ts"
import { createKey, revokeKey } from "../../src/cli/operator/OperatorKeys.ts"
import { AccountKeys } from "../../src/keys/AccountKeys.ts"
import { ApiKeys } from "../../src/keys/ApiKeys.ts"
import { cheap } from "../accounts/AccountService.ts"
import { addAccount, keysOver } from "../keys/KeyDatabase.ts"
import { embeddedDatabase } from "../OwnDatabase.ts"

/** Two instances of a service over one store, which nobody tells anything: no Redis. */
const twoInstances = Effect.gen(function* () {
  const database = Layer.succeed(SqlClient.SqlClient, yield* SqlClient.SqlClient)
  const built = [yield* Layer.build(keysOver(database)), yield* Layer.build(keysOver(database))] as const
  const accepting = (key: Redacted.Redacted) =>
    Effect.map(
      Effect.forEach(built, (instance) => Context.get(instance, ApiKeys).verify(Redacted.value(key))),
      (found) => found.filter(Option.isSome).length
    )
  /** How long it takes until no instance accepts the key, while its caller goes on asking. */
  const refusedAfter = (key: Redacted.Redacted) =>
    Effect.gen(function* () {
      const started = yield* Clock.currentTimeMillis
      yield* accepting(key).pipe(
        Effect.repeat({ until: (count: number) => count === 0, schedule: Schedule.spaced("20 millis") }),
        Effect.timeout("10 seconds")
      )
      return (yield* Clock.currentTimeMillis) - started
    })
  return { accepting, accountKeys: Context.get(built[0], AccountKeys), refusedAfter }
})

/** What is promised is five seconds. */
const promised = 5000

const accounts = Accounts.layer("closed").pipe(
  Layer.provide([Passwords.layerOf(cheap), Sessions.layer, Invitations.layer]),
  Layer.provide(AuditLog.layer)
)

const onDatabase = <A, E>(test: Effect.Effect<A, E, SqlClient.SqlClient | Scope.Scope>) =>
  Effect.scoped(test).pipe(Effect.provide(embeddedDatabase))

const wanted = { name: "one", scopes: undefined, expiresAt: undefined }

describe("what an operator does in the store", () => {
  it.live(
    "is known to every running instance within five seconds, though nobody tells it",
    () =>
      onDatabase(
        Effect.gen(function* () {
          yield* addAccount("ada")
          const { accepting, accountKeys, refusedAfter } = yield* twoInstances
          const own = yield* createKey(wanted)
          const ofAda = Option.getOrThrow(yield* accountKeys.create("ada", wanted))
          const ofBob = Option.getOrThrow(yield* Effect.andThen(addAccount("bob"), accountKeys.create("bob", wanted)))
          for (const key of [own.key, ofAda.key, ofBob.key]) assert.strictEqual(yield* accepting(key), 2)
          for (const [key, id] of [
            [own.key, own.id],
            [ofAda.key, ofAda.stored.id]
          ] as const) {
            yield* revokeKey(id)
            assert.isBelow(yield* refusedAfter(key), promised)
          }
          assert.strictEqual(yield* accepting(ofBob.key), 2)
          yield* Effect.flatMap(Accounts, ({ disable }) => disable("bob")).pipe(Effect.provide(accounts))
          assert.isBelow(yield* refusedAfter(ofBob.key), promised)
        })
      ),
    60_000
  )

  it.live("is written down, each thing once", () =>
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
})
