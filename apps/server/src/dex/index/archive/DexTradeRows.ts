import { Effect, Schema } from "effect"
import type { ParquetColumn } from "../../../internal/files/ParquetFile.ts"
import type { RowsOfBlocks } from "./RowsOfBlocks.ts"

const Text = Schema.NullOr(Schema.String)
const Tick = Schema.NullOr(Schema.Int)

const Row = Schema.Struct({
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
type DexTrade = typeof Row.Type

const decodeRows = Schema.decodeUnknownEffect(Schema.Array(Row))

const columns: ReadonlyArray<ParquetColumn<DexTrade>> = [
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
  columns,
  read: Effect.fnUntraced(function* (sql, { deployment, from, limit, to }, last) {
    const [block, log] = last === undefined ? [from - 1, 2_147_483_647] : [last.block, last.log]
    const rows =
      yield* sql`select kind, block_number as block, log_index as log, timestamp::float8 as timestamp, pool, token0,
        token1, transaction_id as transaction, origin, sender, recipient, owner, amount0::text as amount0,
        amount1::text as amount1, amount_usd::text as "amountUSD", amount::text as amount,
        sqrt_price_x96::text as "sqrtPriceX96", tick_lower as "tickLower", tick_upper as "tickUpper"
      from dex_trade
      where deployment = ${deployment} and block_number <= ${to}::int and (block_number, log_index) > (${block}::int, ${log}::int)
      order by block_number, log_index limit ${limit}::int`
    return yield* decodeRows(rows)
  })
}
