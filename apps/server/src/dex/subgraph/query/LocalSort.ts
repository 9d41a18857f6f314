import { Effect } from "effect"
import { compare } from "../../../internal/ExactDecimal.ts"
import type { Page } from "../../DexQueries.ts"
import type { OrderedRows } from "./OrderedRows.ts"
import type { SubgraphEndpoint } from "./SubgraphEndpoint.ts"
import type { Entity } from "./SubgraphSchema.ts"

const pageSize = 1000
const maxRows = 5000

/** All rows, in the order of `rows`, which must be that of their ids; undefined if there are too many. */
const readAll = Effect.fnUntraced(function* <Row, E>(rows: Pick<OrderedRows<Row, E>, "page" | "id">) {
  const read: Array<Row> = []
  for (;;) {
    const last = read.at(-1)
    const page = yield* rows.page({ past: last === undefined ? undefined : rows.id(last), first: pageSize, skip: 0 })
    read.push(...page)
    if (read.length > maxRows) return undefined
    if (page.length < pageSize) return read
  }
})

/** A window of rows by a value that the subgraph does not have: all rows are read, and sorted here. */
export const readLocallySorted = Effect.fnUntraced(function* <Row, E>(
  endpoint: SubgraphEndpoint,
  rows: Pick<OrderedRows<Row, E>, "page" | "id" | "compareTies" | "isWanted">,
  by: {
    readonly entity: Entity
    readonly field: string
    readonly direction: "asc" | "desc"
    readonly value: (row: Row) => string
  },
  { limit, skip }: Page
) {
  const all = yield* readAll(rows)
  if (all === undefined) {
    return yield* endpoint.failed(
      "BadResponse",
      `cannot sort by "${by.field}", which its type "${by.entity}" lacks, and has more than the ${maxRows} rows that the ` +
        "service sorts itself"
    )
  }
  const sign = by.direction === "asc" ? 1 : -1
  return all
    .filter(rows.isWanted ?? (() => true))
    .sort((a, b) => sign * compare(by.value(a), by.value(b)) || rows.compareTies(a, b))
    .slice(skip, skip + limit)
})
