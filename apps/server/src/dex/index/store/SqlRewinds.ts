import { Clock, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { decodeRows } from "../../../internal/sql/decodeRows.ts"
import type { Incident } from "../../../status/Incidents.ts"
import { IndexIncidents } from "../../../status/Incidents.ts"
import type { Checkpoint } from "./EntityStore.ts"

/**
 * Records that an index goes back to a block, and continues with others. It must run while the blocks above it are stored:
 * if one of them comes again, the chain is the same, and the index is repaired.
 */
export const appendRewind = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  deployment: number,
  ancestor: number,
  blocks: ReadonlyArray<Checkpoint>
) {
  const at = yield* Clock.currentTimeMillis
  const hashes = JSON.stringify(blocks.map(({ hash }) => hash))
  yield* sql`insert into dex_rewind (deployment, at, ancestor, head, is_repair)
    select ${deployment}::int, ${at}::bigint, ${ancestor}::int, max(number),
      bool_or(hash in (select json_array_elements_text(${hashes}::text::json)))
    from dex_block where deployment = ${deployment} and number > ${ancestor} having count(*) > 0`
})

const Row = Schema.Struct({
  at: Schema.Int,
  subject: Schema.String,
  ancestor: Schema.Int,
  head: Schema.Int,
  isRepair: Schema.Boolean
})

const decodeRewinds = decodeRows(Row)

const toIncident = ({ ancestor, at, head, isRepair, subject }: typeof Row.Type): Incident => {
  const count = head - ancestor
  const blocks = count === 1 ? `Block ${head}` : `Blocks ${ancestor + 1} to ${head}`
  const were = count === 1 ? "was" : "were"
  return isRepair
    ? { at, subject, kind: "repair", detail: `${blocks} of the same chain ${were} read again.` }
    : { at, subject, kind: "reorg", detail: `${blocks} ${were} replaced by another branch of the chain.` }
}

/** The reorgs that the indexes followed, and their repairs. */
export const layer = Layer.effect(
  IndexIncidents,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return {
      newest: Effect.fn("IndexIncidents.newest")((limit: number) =>
        Effect.map(
          decodeRewinds(sql`select r.at::float8 as at, i.key as subject, r.ancestor, r.head, r.is_repair as "isRepair"
              from dex_rewind r join dex_index i on i.id = r.deployment order by r.id desc limit ${limit}`),
          (rows) => rows.map(toIncident)
        )
      )
    }
  })
)
