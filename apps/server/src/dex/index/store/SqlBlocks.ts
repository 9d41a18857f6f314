import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { decodeFirstRow, decodeRows } from "../../../internal/sql/decodeRows.ts"
import type { IndexedBlock, BlockProof } from "../IndexedBlock.ts"
import type { Checkpoint, ProofPosition } from "./EntityStore.ts"
import { toInsertColumns, totalsColumns } from "./SqlColumns.ts"
import { toPieces } from "./SqlVersions.ts"

/** By their numbers in the column `proof`. */
const proofs = ["none", "block", "chain", "stated"] as const satisfies ReadonlyArray<BlockProof>

const toProofNumber = (proof: BlockProof): number => proofs.indexOf(proof)

const decodePosition = decodeFirstRow(
  Schema.Struct({ number: Schema.NullOr(Schema.Int), hash: Schema.NullOr(Schema.String), rewinds: Schema.Int })
)
const decodeNextBlocks = decodeRows(
  Schema.Struct({ number: Schema.Int, hash: Schema.String, proof: Schema.Literals([0, 1, 2, 3]) })
)

export const readProof = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, deployment: number, limit: number) {
  const position = yield* decodePosition(
    sql`select proven as number, proven_hash as hash, rewinds from dex_index where id = ${deployment}`
  )
  if (position === undefined) return undefined
  const { hash, number, rewinds } = position
  const next = yield* decodeNextBlocks(sql`select number, hash, proof from dex_block
    where deployment = ${deployment} and number > ${number ?? -1} order by number limit ${limit}`)
  return {
    proven: number === null || hash === null ? undefined : { number, hash },
    next: next.map((block) => ({ ...block, proof: proofs[block.proof] })),
    rewinds
  } satisfies ProofPosition
})

export const writeProof = (sql: SqlClient.SqlClient, deployment: number, block: Checkpoint, rewinds: number) =>
  sql`update dex_index set proven = ${block.number}::int, proven_hash = ${block.hash}
    where id = ${deployment} and rewinds = ${rewinds}::int and coalesce(proven, -1) < ${block.number}::int`

/** A proven index stays proven while only blocks are appended that are proven and follow it. */
export const extendProof = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  deployment: number,
  checkpoint: Checkpoint | undefined,
  blocks: ReadonlyArray<IndexedBlock>
) {
  const last = blocks.at(-1)
  if (last === undefined || !blocks.every(({ proof }) => proof === "chain")) return
  const isFirst = checkpoint === undefined
  yield* sql`update dex_index set proven = ${last.number}::int, proven_hash = ${last.hash}
    where id = ${deployment} and proven is not distinct from ${isFirst ? null : checkpoint.number}::int`
})

/** After the blocks above `number` were removed. */
export const rewindProof = (sql: SqlClient.SqlClient, deployment: number, number: number) =>
  sql`update dex_index set (proven, proven_hash) = (
      select number, hash from dex_block where deployment = ${deployment} and number <= ${number}
      order by number desc limit 1
    ) where id = ${deployment} and proven > ${number}::int`

const BlockRow = Schema.Struct({ number: Schema.Int, hash: Schema.String })

const decodeBlocks = decodeRows(BlockRow)
const decodeBlock = decodeFirstRow(BlockRow)

const totals = toInsertColumns(totalsColumns)

/** The newest block, which is the checkpoint. */
export const newestBlock = (sql: SqlClient.SqlClient, deployment: number) =>
  decodeBlock(sql`select number, hash from dex_block where deployment = ${deployment} order by number desc limit 1`)

/** The blocks between two numbers, both inclusive. */
export const blocksBetween = (sql: SqlClient.SqlClient, deployment: number, from: number, to: number) =>
  decodeBlocks(
    sql`select number, hash from dex_block
      where deployment = ${deployment} and number between ${from} and ${to} order by number`
  )

/** Writes the blocks, and the totals after them. */
export const appendBlocks = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  deployment: number,
  blocks: ReadonlyArray<IndexedBlock>
) {
  for (const piece of toPieces(blocks)) {
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
