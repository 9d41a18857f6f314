import { Effect, Option, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { decodeFirstRow, decodeRows } from "../../../internal/sql/decodeRows.ts"
import type { IndexedBlock, BlockProof, IndexedTrade } from "../IndexedBlock.ts"
import type { Checkpoint, ProofPosition } from "./EntityStore.ts"
import {
  columnsByKind,
  initialPriceColumns,
  pairPriceColumns,
  tickRangeColumns,
  toInsertColumns,
  totalsColumns
} from "./SqlColumns.ts"
import type { SqlColumn } from "./SqlColumns.ts"
import { toPieces, currentVersion } from "./SqlVersions.ts"

/** By their numbers in the column `proof`. */
const proofs = ["none", "block", "chain", "stated"] as const satisfies ReadonlyArray<BlockProof>

export const toProofNumber = (proof: BlockProof): number => proofs.indexOf(proof)

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

const trades = toInsertColumns({
  ...columnsByKind.burn,
  ...columnsByKind.mint,
  ...columnsByKind.swap,
  ...tickRangeColumns,
  ...pairPriceColumns,
  kind: { name: "kind", type: "text" },
  blockNumber: { name: "block_number", type: "int" },
  token0: { name: "token0", type: "text" },
  token1: { name: "token1", type: "text" }
} satisfies Record<string, SqlColumn>)

interface Sides {
  readonly token0: string
  readonly token1: string
}

const SidesRow = Schema.Struct({ id: Schema.String, token0: Schema.String, token1: Schema.String })
const decodeSides = decodeRows(SidesRow)

const toStoredTrade = ({ row, ...trade }: IndexedTrade, blockNumber: number, sides: Sides | undefined) => ({
  ...row,
  ...trade,
  blockNumber,
  token0: sides?.token0,
  token1: sides?.token1
})

/** The tokens of the pools in which the blocks trade, read from the table for pools that the blocks do not change. */
const readPoolTokens = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  deployment: number,
  blocks: ReadonlyArray<IndexedBlock>
) {
  const known = new Map<string, Sides>(blocks.flatMap(({ pools }) => pools.map((pool) => [pool.id, pool] as const)))
  const traded = new Set(blocks.flatMap(({ trades }) => trades.map(({ row }) => row.pool)))
  const unknown = [...traded].filter((pool) => !known.has(pool))
  if (unknown.length === 0) return known
  const rows = yield* decodeSides(sql`select id, token0, token1 from dex_pool
      where deployment = ${deployment} and id = any(${unknown}::text[]) and valid_to = ${currentVersion}`)
  for (const row of rows) known.set(row.id, row)
  return known
})

/** Writes the trades of blocks whose pools are already written. */
export const appendTrades = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  deployment: number,
  blocks: ReadonlyArray<IndexedBlock>
) {
  const sides = yield* readPoolTokens(sql, deployment, blocks)
  const rows = blocks.flatMap(({ number, trades }) =>
    trades.map((trade) => toStoredTrade(trade, number, sides.get(trade.row.pool)))
  )
  for (const piece of toPieces(rows)) {
    yield* sql`insert into dex_trade (deployment, ${sql.literal(trades.columns)})
      select ${deployment}::int, ${sql.literal(trades.values)}
      from json_to_recordset(${JSON.stringify(piece)}::text::json) as r(${sql.literal(trades.type)})
      on conflict (deployment, block_number, log_index) do nothing`
  }
})

const prices = toInsertColumns(initialPriceColumns)

/** Writes the initial prices of the pools of blocks. */
export const appendInitialPrices = (
  sql: SqlClient.SqlClient,
  deployment: number,
  blocks: ReadonlyArray<IndexedBlock>
) => {
  const rows = blocks.flatMap(({ initialPrices, number }) =>
    initialPrices.map((price) => ({ ...price, blockNumber: number }))
  )
  if (rows.length === 0) return Effect.void
  return sql`insert into dex_initial_price (deployment, ${sql.literal(prices.columns)})
    select ${deployment}::int, ${sql.literal(prices.values)}
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as r(${sql.literal(prices.type)})`
}

/** Removes the blocks above `number`, with their totals, trades and initial prices. */
export const removeBlocks = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, deployment: number, number: number) {
  yield* sql`delete from dex_block where deployment = ${deployment} and number > ${number}`
  yield* sql`delete from dex_totals where deployment = ${deployment} and valid_from > ${number}`
  yield* sql`delete from dex_trade where deployment = ${deployment} and block_number > ${number}`
  yield* sql`delete from dex_initial_price where deployment = ${deployment} and block_number > ${number}`
})

const decodePosition = decodeFirstRow(
  Schema.Struct({ number: Schema.NullOr(Schema.Int), hash: Schema.NullOr(Schema.String), rewindCount: Schema.Int })
)
const decodeNextBlocks = decodeRows(
  Schema.Struct({ number: Schema.Int, hash: Schema.String, proof: Schema.Literals([0, 1, 2, 3]) })
)

export const readProof = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, deployment: number, limit: number) {
  const position = yield* decodePosition(
    sql`select proven as number, proven_hash as hash, rewinds as "rewindCount" from dex_index where id = ${deployment}`
  )
  if (position === undefined) return Option.none()
  const { hash, number, rewindCount } = position
  const next = yield* decodeNextBlocks(sql`select number, hash, proof from dex_block
    where deployment = ${deployment} and number > ${number ?? -1} order by number limit ${limit}`)
  return Option.some<ProofPosition>({
    proven: number === null || hash === null ? undefined : { number, hash },
    next: next.map((block) => ({ ...block, proof: proofs[block.proof] })),
    rewindCount
  })
})

export const writeProof = (sql: SqlClient.SqlClient, deployment: number, block: Checkpoint, rewindCount: number) =>
  sql`update dex_index set proven = ${block.number}::int, proven_hash = ${block.hash}
    where id = ${deployment} and rewinds = ${rewindCount}::int and coalesce(proven, -1) < ${block.number}::int`

/** A proven index stays proven while only blocks are appended that are proven and follow it. */
export const extendProof = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  deployment: number,
  checkpoint: Checkpoint | undefined,
  blocks: ReadonlyArray<IndexedBlock>
) {
  const last = blocks.at(-1)
  if (last === undefined || !blocks.every(({ proof }) => proof === "chain")) return
  yield* sql`update dex_index set proven = ${last.number}::int, proven_hash = ${last.hash}
    where id = ${deployment} and proven is not distinct from ${checkpoint?.number ?? null}::int`
})

/** After the blocks above `number` were removed. */
export const rewindProof = (sql: SqlClient.SqlClient, deployment: number, number: number) =>
  sql`update dex_index set (proven, proven_hash) = (
      select number, hash from dex_block where deployment = ${deployment} and number <= ${number}
      order by number desc limit 1
    ) where id = ${deployment} and proven > ${number}::int`
