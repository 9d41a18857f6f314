import { Effect, Result, Schema } from "effect"
import type { Page } from "../../DexQueries.ts"
import { NotKnown } from "../../DexSource.ts"
import type { DexSourceError } from "../../DexSource.ts"
import { DecimalText } from "../query/DecimalText.ts"
import { readWindow } from "../query/OrderedRows.ts"
import type { OrderedRows } from "../query/OrderedRows.ts"
import { toResponseSchema } from "../query/PinnedReads.ts"
import type { PinnedReads } from "../query/PinnedReads.ts"
import type { SubgraphSchema } from "../query/SubgraphSchema.ts"

const TickRecord = Schema.Struct({
  id: Schema.String,
  tick: DecimalText,
  liquidityGross: DecimalText,
  liquidityNet: DecimalText
})
const response = toResponseSchema(TickRecord)

const fields = ["id", "pool", "tickIdx", "liquidityGross", "liquidityNet"]

/** The initialized ticks of a pool. A subgraph stores a tick forever, with zero liquidity once it is not initialized. */
export const readTicks = Effect.fnUntraced(function* (
  { reads, schema }: { readonly reads: PinnedReads; readonly schema: SubgraphSchema },
  pool: string,
  page: Page
) {
  if (!fields.every((field) => schema.has("Tick", field))) {
    return Result.fail(new NotKnown({ message: "The subgraph does not state the ticks of pools." }))
  }
  const where = { pool: pool.toLowerCase(), liquidityGross_gt: "0" }
  const common = {
    entity: "Tick",
    selection: "id tick: tickIdx liquidityGross liquidityNet",
    response,
    direction: "asc"
  } as const
  const rows: OrderedRows<typeof TickRecord.Type, DexSourceError> = {
    value: ({ tick }) => tick,
    id: ({ id }) => id,
    compareTies: () => 0,
    run: ({ id }) => id,
    page: ({ first, past, skip }) =>
      reads.collection({
        ...common,
        where: past === undefined ? where : { ...where, tickIdx_gt: past },
        orderBy: "tickIdx",
        first,
        skip
      }),
    ties: ({ afterId, first, value }) =>
      reads.collection({
        ...common,
        where: { ...where, tickIdx: value, ...(afterId === undefined ? {} : { id_gt: afterId }) },
        orderBy: "id",
        first,
        skip: 0
      })
  }
  const found = yield* readWindow(rows, page)
  return Result.succeed(found.map(({ liquidityGross, liquidityNet, tick }) => ({ tick, liquidityGross, liquidityNet })))
})
