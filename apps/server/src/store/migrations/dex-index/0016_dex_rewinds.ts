import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** When an index was rewound: to which block, its newest block before, and whether the same blocks were written again. */
export const dexRewinds = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create table dex_rewind (
    id bigint generated always as identity primary key,
    deployment int not null,
    at bigint not null,
    ancestor int not null,
    head int not null,
    is_repair boolean not null
  )`
})
