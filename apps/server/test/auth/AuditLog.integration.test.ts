import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { AuditLog } from "../../src/auth/AuditLog.ts"
import type { NewAuditEvent } from "../../src/auth/AuditLog.ts"
import { embeddedDatabase } from "../OwnDatabase.ts"

const limits = { ofAddress: 5, ofAll: 50, days: 90 }
const world = AuditLog.layerTest(limits).pipe(Layer.provideMerge(embeddedDatabase))

const event = (kind: NewAuditEvent["kind"], address: string): NewAuditEvent => ({
  kind,
  actor: "nobody",
  address
})

const decodeCounts = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ address: Schema.NullOr(Schema.String), kind: Schema.String, count: Schema.Int }))
)

/** The number of events by kind and address. */
const counts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* Effect.flatMap(
    sql`select address, kind, count(*)::int as count from audit_event group by address, kind order by address, kind`,
    decodeCounts
  )
  return new Map(rows.map(({ address, count, kind }) => [`${kind} ${address}`, count]))
})

layer(world, { excludeTestServices: true })("failed attempts in the audit log", (it) => {
  it.effect("are deleted by number and by age, and nothing else is", () =>
    Effect.gen(function* () {
      const { record } = yield* AuditLog
      const sql = yield* SqlClient.SqlClient
      for (let index = 0; index < 12; index += 1) {
        yield* record(event("sign-in-failed", "192.0.2.1"))
        yield* record(event("password-refused", "192.0.2.2"))
        yield* record(event("key-created", "192.0.2.1"))
      }
      const first = yield* counts
      assert.strictEqual(first.get("sign-in-failed 192.0.2.1"), limits.ofAddress)
      assert.strictEqual(first.get("password-refused 192.0.2.2"), limits.ofAddress)
      assert.strictEqual(first.get("key-created 192.0.2.1"), 12)
      yield* sql`update audit_event set at = at - interval '91 days'`
      yield* record(event("sign-in-failed", "192.0.2.3"))
      const aged = yield* counts
      assert.deepStrictEqual(
        [...aged],
        [
          ["key-created 192.0.2.1", 12],
          ["sign-in-failed 192.0.2.3", 1]
        ]
      )
      // From as many addresses as there are.
      for (let index = 0; index < 200; index += 1) yield* record(event("sign-in-failed", `198.51.100.${index}`))
      const found = yield* counts
      const attempts = [...found].filter(([name]) => name.startsWith("sign-in-failed"))
      assert.isAtMost(attempts.length, limits.ofAll)
      assert.isTrue(found.has("sign-in-failed 198.51.100.199"))
      assert.strictEqual(found.get("key-created 192.0.2.1"), 12)
    })
  )
})
