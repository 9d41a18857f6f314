import type { Schema } from "effect"
import type { DexSourceError } from "../../DexSource.ts"
import type { OrderedRows } from "./OrderedRows.ts"
import type { CollectionAnswer, PinnedReads, Where } from "./PinnedReads.ts"
import type { Entity } from "./SubgraphSchema.ts"

interface Collection<Row> {
  readonly entity: Entity
  readonly selection: string
  readonly answer: Schema.ConstraintDecoder<CollectionAnswer<Row>>
  readonly where: Where
}

/** Reads a collection in the order of a field, and the rows that have one value of it in the order of their ids. */
export const orderedReads = <Row>(
  reads: PinnedReads,
  { answer, entity, selection, where }: Collection<Row>,
  { direction, field }: { readonly direction: "asc" | "desc"; readonly field: string }
): Pick<OrderedRows<Row, DexSourceError>, "page" | "ties"> => ({
  page: ({ first, past, skip }) =>
    reads.collection({
      entity,
      selection,
      answer,
      where: past === undefined ? where : { ...where, [`${field}_${direction === "asc" ? "gt" : "lt"}`]: past },
      orderBy: field,
      direction,
      first,
      skip
    }),
  ties: ({ afterId, first, value }) =>
    reads.collection({
      entity,
      selection,
      answer,
      where: { ...where, [field]: value, ...(afterId === undefined ? {} : { id_gt: afterId }) },
      orderBy: "id",
      direction: "asc",
      first,
      skip: 0
    })
})
