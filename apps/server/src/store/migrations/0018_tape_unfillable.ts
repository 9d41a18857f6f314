import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Finds the gaps of a tape that the exchange does not fill, among all its events. */
export const tapeUnfillable = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create index tape_event_unfillable on tape_event (series, to_sequence) where kind = 'unfillable'`
})
