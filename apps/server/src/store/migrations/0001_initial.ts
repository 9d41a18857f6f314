import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const initial = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // `id` is the beginning of the key's SHA-256, `digest` all of it: the key itself is not stored.
  yield* sql`create table api_key (
    id text primary key,
    digest text not null,
    name text not null,
    created_at timestamptz not null default now(),
    revoked_at timestamptz,
    expires_at timestamptz
  )`
})
