import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { SignInThrottle } from "../../src/accounts/SignInThrottle.ts"
import { AuditLog } from "../../src/auth/AuditLog.ts"
import { Limiter } from "../../src/auth/limits/Limiter.ts"
import { Usage } from "../../src/auth/usage/Usage.ts"
import { RedisLink } from "../../src/store/RedisLink.ts"
import { embeddedDatabase } from "../OwnDatabase.ts"
import { usageInMemory } from "../RunningService.ts"

const world = SignInThrottle.layer.pipe(
  Layer.provide(Limiter.layer),
  Layer.provideMerge(AuditLog.layer),
  Layer.provide(Usage.layer.pipe(Layer.provide(usageInMemory))),
  Layer.provide(RedisLink.layerNone),
  Layer.provideMerge(embeddedDatabase)
)

const email = "target@example.com"
const attempts = 20_000
/** As many as the limiter holds. */
const held = 100_000

const decodeRead = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ rows: Schema.Int })]))

/** The rows of the audit log that an operation reads. */
const rowsRead = <A, E, R>(operation: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const read = sql`select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows
      from pg_stat_xact_user_tables where relname = 'audit_event'`
    return yield* sql.withTransaction(
      Effect.gen(function* () {
        const [before] = yield* Effect.flatMap(read, decodeRead)
        yield* operation
        const [after] = yield* Effect.flatMap(read, decodeRead)
        return after.rows - before.rows
      })
    )
  })

layer(world, { excludeTestServices: true, timeout: 60_000 })("an account with many failed attempts", (it) => {
  it.effect("costs an attempt no more than another one", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { record } = yield* AuditLog
      const { signIn } = yield* SignInThrottle
      yield* sql`insert into account (id, email, password) values ('target', ${email}, 'x')`
      yield* sql`insert into audit_event (kind, actor, account, address, detail)
        select 'sign-in-failed', 'nobody', 'target', '10.0.' || (number % 200) || '.' || (number % 241), ''
        from generate_series(1, ${attempts}::int) as number`
      yield* sql`analyze audit_event`
      const failed = record({
        kind: "sign-in-failed",
        actor: "nobody",
        account: "target",
        address: "10.0.3.4"
      })
      assert.isBelow(yield* rowsRead(failed), 250)
      assert.isBelow(yield* rowsRead(signIn("10.0.3.4", email)), 10)
    })
  )
  it.effect("stays refused, however many accounts one address tries", () =>
    Effect.gen(function* () {
      const { signIn } = yield* SignInThrottle
      for (let attempt = 0; attempt < 100; attempt += 1) yield* signIn(`10.1.0.${attempt}`, "guessed@example.com")
      assert.isTrue(Option.isSome(yield* signIn("10.2.0.1", "guessed@example.com")))
      for (let other = 0; other <= held; other += 1) yield* signIn("10.3.0.1", `${other}@example.com`)
      assert.isTrue(Option.isSome(yield* signIn("10.2.0.2", "guessed@example.com")))
    })
  )
})
