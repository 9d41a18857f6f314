import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Lease, take } from "../../src/ownership/Lease.ts"

const inMemory = Lease.of({ name: "test", epoch: 1, maxIdleMs: 0 })

/** A lease for writes to a store in memory, which is never taken over. */
export const withLease = Effect.provideService(Lease, inMemory)

/** A lease in the store of the test. */
export const leaseInStore = Layer.effect(
  Lease,
  Effect.flatMap(SqlClient.SqlClient, (sql) => take(sql, "test", "test"))
)
