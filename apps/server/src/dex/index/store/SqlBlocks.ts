import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import type { IndexedBlock } from "../IndexedBlock.ts"
import { toInsertColumns, totalsColumns } from "./SqlColumns.ts"
import { toProofNumber } from "./SqlProofs.ts"
import { pieces } from "./SqlVersions.ts"

const BlockRow = Schema.Struct({ number: Schema.Int, hash: Schema.String })

const decodeBlocks = Schema.decodeUnknownEffect(Schema.Array(BlockRow))

const totals = toInsertColumns(totalsColumns)

/** The newest block, which is the checkpoint. */
export const newestBlock = (sql: SqlClient.SqlClient, deployment: number) =>
  Effect.map(
    Effect.flatMap(
      sql`select number, hash from dex_block where deployment = ${deployment} order by number desc limit 1`,
      decodeBlocks
    ),
    ([block]) => block
  )

export const blocksFrom = (sql: SqlClient.SqlClient, deployment: number, from: number) =>
  Effect.flatMap(
    sql`select number, hash from dex_block where deployment = ${deployment} and number >= ${from} order by number`,
    decodeBlocks
  )

/** Writes the blocks, and the totals after them. */
export const appendBlocks = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  deployment: number,
  blocks: ReadonlyArray<IndexedBlock>
) {
  for (const piece of pieces(blocks)) {
    const rows = piece.map(({ hash, number, proof, timestamp }) => ({
      number,
      hash,
      timestamp,
      proof: toProofNumber(proof)
    }))
    yield* sql`insert into dex_block (deployment, number, hash, timestamp, proof)
      select ${deployment}::int, r.number, r.hash, r.timestamp, r.proof
      from json_to_recordset(${JSON.stringify(rows)}::text::json)
        as r(number int, hash text, timestamp bigint, proof smallint)`
    const changes = piece.flatMap(({ deployment, number }) =>
      deployment === undefined ? [] : [{ ...deployment, validFrom: number }]
    )
    yield* sql`insert into dex_totals (deployment, valid_from, ${sql.literal(totals.columns)})
      select ${deployment}::int, r."validFrom", ${sql.literal(totals.values)}
      from json_to_recordset(${JSON.stringify(changes)}::text::json) as r("validFrom" int, ${sql.literal(totals.type)})`
  }
})
