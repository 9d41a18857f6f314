import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** A live stream asks for the rewinds of its index since the last one that it knows. */
export const dexRewindIndex = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create index dex_rewind_deployment on dex_rewind (deployment, id)`
})
