import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** For pages sorted by a field without an index: they read the versions of one epoch up to the block, and sort. */
export const dexReads = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create index dex_token_epoch on dex_token (deployment, epoch, valid_from)`
  yield* sql`create index dex_pool_epoch on dex_pool (deployment, epoch, valid_from)`
})
