import { Effect, Result, Schema } from "effect"
import type { Page } from "../../DexQueries.ts"
import { UnknownValueError } from "../../DexSource.ts"
import { DecimalText } from "../query/DecimalText.ts"
import { readWindow } from "../query/OrderedRows.ts"
import { toResponseSchema } from "../query/PinnedReads.ts"
import { orderedRows } from "../query/SubgraphEntities.ts"
import type { EntityRequest } from "../query/SubgraphEntities.ts"
import type { SubgraphContext } from "../query/SubgraphReader.ts"

const TickRecord = Schema.Struct({
  id: Schema.String,
  tick: DecimalText,
  liquidityGross: DecimalText,
  liquidityNet: DecimalText
})

const ticks: Omit<EntityRequest<typeof TickRecord.Type>, "where"> = {
  entity: "Tick",
  selection: "id tick: tickIdx liquidityGross liquidityNet",
  response: toResponseSchema(TickRecord),
  order: { field: "tickIdx", direction: "asc", value: ({ tick }) => tick }
}

const fields = ["id", "pool", "tickIdx", "liquidityGross", "liquidityNet"]

/** The initialized ticks of a pool. A subgraph stores a tick forever, with zero liquidity once it is not initialized. */
export const readTicks = Effect.fnUntraced(function* ({ reads, schema }: SubgraphContext, pool: string, page: Page) {
  if (!fields.every((field) => schema.has("Tick", field))) {
    return Result.fail(new UnknownValueError({ message: "The subgraph does not state the ticks of pools." }))
  }
  const where = { pool: pool.toLowerCase(), liquidityGross_gt: "0" }
  const found = yield* readWindow(orderedRows(reads, { ...ticks, where }), page)
  return Result.succeed(found.map(({ liquidityGross, liquidityNet, tick }) => ({ tick, liquidityGross, liquidityNet })))
})
