import { Effect } from "effect"
import { add } from "../../../internal/ExactDecimal.ts"
import type { TradeOrderField } from "../../DexQueries.ts"
import type { SwapRow } from "../../DexSource.ts"
import { toResponseSchema } from "../query/PinnedReads.ts"
import type { SortKey } from "../query/SortKey.ts"
import type { SubgraphContext, TradeReaders } from "../query/SubgraphReader.ts"
import { getTradeReferences, readTrades } from "../query/SubgraphTrades.ts"
import type { TradeTable } from "../query/SubgraphTrades.ts"
import { SwapRecord } from "./PairRecords.ts"

type PairSwap = typeof SwapRecord.Type

const subtract = (value: string, taken: string): string =>
  taken === "0" ? value : add(value, taken.startsWith("-") ? taken.slice(1) : `-${taken}`)

/** The amounts that the pair received, less those that it paid. */
const toAmount0 = (row: PairSwap): string => subtract(row.amount0In, row.amount0Out)
const toAmount1 = (row: PairSwap): string => subtract(row.amount1In, row.amount1Out)

const keys: { readonly [Field in TradeOrderField]?: SortKey<PairSwap> } = {
  amount0: { by: "derived", value: toAmount0 },
  amount1: { by: "derived", value: toAmount1 },
  amountUSD: { by: "field", field: "amountUSD", value: ({ amountUSD }) => amountUSD },
  logIndex: { by: "field", field: "logIndex", value: ({ logIndex }) => logIndex },
  origin: { by: "field", field: "from", value: ({ origin }) => origin },
  timestamp: { by: "field", field: "timestamp", value: ({ timestamp }) => timestamp },
  sender: { by: "field", field: "sender", value: ({ sender }) => sender },
  recipient: { by: "field", field: "to", value: ({ recipient }) => recipient },
  sqrtPriceX96: { by: "constant" }
}

const ownFields = "id amount0In amount0Out amount1In amount1Out amountUSD logIndex timestamp sender"

const swaps: TradeTable<PairSwap> = {
  entity: "Swap",
  poolField: "pair",
  required: [...ownFields.split(" "), "from", "to", "pair", "transaction"],
  selection: `${ownFields} origin: from recipient: to ${getTradeReferences("pair")}`,
  response: toResponseSchema(SwapRecord),
  sortKey: (field) => keys[field]
}

const toSwap = (row: PairSwap): SwapRow => ({
  id: `${row.transaction.id}#${row.logIndex}`,
  amount0: toAmount0(row),
  amount1: toAmount1(row),
  amountUSD: row.amountUSD,
  logIndex: row.logIndex,
  origin: row.origin,
  timestamp: row.timestamp,
  pool: { token0: row.pool.token0, token1: row.pool.token1 },
  transactionId: row.transaction.id,
  sender: row.sender,
  recipient: row.recipient,
  sqrtPriceX96: ""
})

/** Swaps only: the schema does not state who sent the transaction of a mint or burn. */
export const pairTradeReaders = (context: SubgraphContext): TradeReaders => ({
  burn: () => Effect.fail(context.schema.lacks("Burn", "origin")),
  mint: () => Effect.fail(context.schema.lacks("Mint", "origin")),
  swap: (scope, query) => Effect.map(readTrades(context, swaps, scope, query), (rows) => rows.map(toSwap))
})
