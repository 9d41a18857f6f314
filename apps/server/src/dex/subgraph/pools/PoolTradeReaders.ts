import { Effect } from "effect"
import type { Schema } from "effect"
import type { TradeKind } from "../../DexSource.ts"
import { toResponseSchema } from "../query/PinnedReads.ts"
import type { CollectionResponse } from "../query/PinnedReads.ts"
import type { SubgraphContext, TradeReaders } from "../query/SubgraphReader.ts"
import { BurnRecord, MintRecord, SwapRecord } from "../query/SubgraphRecord.ts"
import { readTrades } from "../query/SubgraphTrades.ts"
import type { TradeTable } from "../query/SubgraphTrades.ts"
import { getTradeSelection, tradeFields } from "./Selection.ts"
import type { FieldName } from "./Selection.ts"

type Traded = typeof BurnRecord.Type | typeof MintRecord.Type | typeof SwapRecord.Type

const responses = {
  burn: toResponseSchema(BurnRecord),
  mint: toResponseSchema(MintRecord),
  swap: toResponseSchema(SwapRecord)
}

const getText = (row: { readonly [field: string]: unknown }, field: string): string => {
  const value = row[field]
  return typeof value === "string" ? value : ""
}

const toTable = <Row extends Traded>(
  kind: TradeKind,
  entity: TradeTable<Row>["entity"],
  response: Schema.ConstraintDecoder<CollectionResponse<Row>>,
  toName: FieldName
): TradeTable<Row> => {
  const names: ReadonlyArray<string> = tradeFields[kind]
  return {
    entity,
    response,
    poolField: "pool",
    required: [...names.map((field) => toName(entity, field)), "pool", "transaction"],
    selection: getTradeSelection(kind, (field) => toName(entity, field)),
    sortKey: (field) =>
      names.includes(field)
        ? { by: "field", field: toName(entity, field), value: (row) => getText(row, field) }
        : undefined
  }
}

const toTrade = <Row extends Traded>({ pool, transaction, ...row }: Row) => ({
  ...row,
  id: `${transaction.id}#${row.logIndex}`,
  pool: { token0: pool.token0, token1: pool.token1 },
  transactionId: transaction.id
})

/** Readers of the trades of each kind. */
export const poolTradeReaders = (context: SubgraphContext, toName: FieldName): TradeReaders => {
  const burns = toTable("burn", "Burn", responses.burn, toName)
  const mints = toTable("mint", "Mint", responses.mint, toName)
  const swaps = toTable("swap", "Swap", responses.swap, toName)
  return {
    burn: (scope, query) => Effect.map(readTrades(context, burns, scope, query), (rows) => rows.map(toTrade)),
    mint: (scope, query) => Effect.map(readTrades(context, mints, scope, query), (rows) => rows.map(toTrade)),
    swap: (scope, query) => Effect.map(readTrades(context, swaps, scope, query), (rows) => rows.map(toTrade))
  }
}
