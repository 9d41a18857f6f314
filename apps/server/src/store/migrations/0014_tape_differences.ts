import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The trades of an imported file that the tape has otherwise: how many, and the first of them as JSON. */
export const tapeDifferences = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table tape_import
    add column different bigint not null default 0,
    add column differences text not null default '[]'`
})
