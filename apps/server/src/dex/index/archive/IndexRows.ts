import { Schema } from "effect"
import type { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { ParquetColumn } from "../../../internal/files/ParquetFile.ts"
import { decodeRows } from "../../../internal/sql/decodeRows.ts"
import type { StoreError } from "../../../internal/StoreError.ts"
import { toProofNumber } from "../store/SqlBlocks.ts"

/** Blocks of an index, both inclusive. */
interface BlockRange {
  /** In the tables. */
  readonly deployment: number
  readonly from: number
  readonly to: number
  /** The block up to which every block is proven. */
  readonly proven: number
  /** The most rows of one read. */
  readonly limit: number
}

/** Rows that belong to blocks, in the order of an archive. */
export interface RowsOfBlocks<Row> {
  readonly columns: ReadonlyArray<ParquetColumn<Row>>
  /** The rows after the last one that was read, or the first ones. */
  readonly read: (
    sql: SqlClient.SqlClient,
    range: BlockRange,
    last: Row | undefined
  ) => Effect.Effect<ReadonlyArray<Row>, StoreError>
}

const Text = Schema.NullOr(Schema.String)
const Tick = Schema.NullOr(Schema.Int)

const DexTradeRow = Schema.Struct({
  kind: Schema.String,
  block: Schema.Int,
  log: Schema.Int,
  timestamp: Schema.Int,
  pool: Schema.String,
  token0: Schema.String,
  token1: Schema.String,
  transaction: Schema.String,
  origin: Schema.String,
  sender: Text,
  recipient: Text,
  owner: Text,
  amount0: Schema.String,
  amount1: Schema.String,
  amountUSD: Schema.String,
  amount: Text,
  sqrtPriceX96: Text,
  tickLower: Tick,
  tickUpper: Tick
})

/** A trade of a deployment as the index has it. Decimals are text in plain notation. */
type DexTrade = typeof DexTradeRow.Type

const decodeTrades = decodeRows(DexTradeRow)

const tradeColumns: ReadonlyArray<ParquetColumn<DexTrade>> = [
  { name: "id", type: "text", get: ({ log, transaction }) => `${transaction}#${log}` },
  { name: "kind", type: "text", get: ({ kind }) => kind },
  { name: "block_number", type: "integer", get: ({ block }) => block },
  { name: "log_index", type: "integer", get: ({ log }) => log },
  { name: "timestamp", type: "time", get: ({ timestamp }) => timestamp * 1000 },
  { name: "pool", type: "text", get: ({ pool }) => pool },
  { name: "token0", type: "text", get: ({ token0 }) => token0 },
  { name: "token1", type: "text", get: ({ token1 }) => token1 },
  { name: "transaction_id", type: "text", get: ({ transaction }) => transaction },
  { name: "origin", type: "text", get: ({ origin }) => origin },
  { name: "sender", type: "optional text", get: ({ sender }) => sender },
  { name: "recipient", type: "optional text", get: ({ recipient }) => recipient },
  { name: "owner", type: "optional text", get: ({ owner }) => owner },
  { name: "amount0", type: "text", get: ({ amount0 }) => amount0 },
  { name: "amount1", type: "text", get: ({ amount1 }) => amount1 },
  { name: "amount_usd", type: "text", get: ({ amountUSD }) => amountUSD },
  { name: "amount", type: "optional text", get: ({ amount }) => amount },
  { name: "sqrt_price_x96", type: "optional text", get: ({ sqrtPriceX96 }) => sqrtPriceX96 },
  { name: "tick_lower", type: "optional integer", get: ({ tickLower }) => tickLower },
  { name: "tick_upper", type: "optional integer", get: ({ tickUpper }) => tickUpper }
]

/** The swaps, mints and burns of blocks, by block, then by log index. */
export const dexTradeRows: RowsOfBlocks<DexTrade> = {
  columns: tradeColumns,
  read: (sql, { deployment, from, limit, to }, last) => {
    const [block, log] = last === undefined ? [from - 1, 2_147_483_647] : [last.block, last.log]
    return decodeTrades(sql`select kind, block_number as block, log_index as log, timestamp::float8 as timestamp, pool,
        token0, token1, transaction_id as transaction, origin, sender, recipient, owner, amount0::text as amount0,
        amount1::text as amount1, amount_usd::text as "amountUSD", amount::text as amount,
        sqrt_price_x96::text as "sqrtPriceX96", tick_lower as "tickLower", tick_upper as "tickUpper"
      from dex_trade
      where deployment = ${deployment} and block_number <= ${to}::int and (block_number, log_index) > (${block}::int, ${log}::int)
      order by block_number, log_index limit ${limit}::int`)
  }
}

const BlockRow = Schema.Struct({
  number: Schema.Int,
  hash: Schema.String,
  /** Null if the index does not have the block before, or its link to it is not proven. */
  parentHash: Schema.NullOr(Schema.String),
  timestamp: Schema.Int,
  proven: Schema.Boolean
})

/** A block that the index has. */
type StoredBlock = typeof BlockRow.Type

const decodeBlocks = decodeRows(BlockRow)

const blockColumns: ReadonlyArray<ParquetColumn<StoredBlock>> = [
  { name: "number", type: "integer", get: ({ number }) => number },
  { name: "hash", type: "text", get: ({ hash }) => hash },
  { name: "parent_hash", type: "optional text", get: ({ parentHash }) => parentHash },
  { name: "timestamp", type: "time", get: ({ timestamp }) => timestamp * 1000 },
  { name: "proven", type: "boolean", get: ({ proven }) => proven }
]

/** The proof of a block whose parent is the row before it. */
const chained = toProofNumber("chain")

/** The blocks that the index has, by number. */
export const blockRows: RowsOfBlocks<StoredBlock> = {
  columns: blockColumns,
  read: (sql, { deployment, from, limit, proven, to }, last) =>
    decodeBlocks(sql`select b.number, b.hash, b.timestamp::float8 as timestamp, b.number <= ${proven}::int as proven,
        case when b.number <= ${proven}::int or b.proof = ${chained}::smallint then parent.hash end as "parentHash"
      from dex_block b left join dex_block parent on parent.deployment = ${deployment} and parent.number = b.number - 1
      where b.deployment = ${deployment} and b.number >= ${last === undefined ? from : last.number + 1}::int
        and b.number <= ${to}::int
      order by b.number limit ${limit}::int`)
}
