import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Failed attempts are deleted by age and by number: strangers make them. */
export const auditAttempts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create index audit_event_attempt on audit_event (id)
    where kind in ('sign-in-failed', 'password-refused')`
  yield* sql`create index audit_event_attempt_address on audit_event (address, id)
    where kind in ('sign-in-failed', 'password-refused')`
})
