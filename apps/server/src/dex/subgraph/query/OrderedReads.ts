import type { DexSourceError } from "../../DexSource.ts"
import type { OrderedRows } from "./OrderedRows.ts"
import { inIdOrder } from "./PinnedReads.ts"
import type { Collection, PinnedReads, Where } from "./PinnedReads.ts"

/** Reads a collection in the order of a field, and the rows that have one value of it in the order of their ids. */
export const orderedReads = <Row>(
  reads: PinnedReads,
  { response, entity, selection }: Collection<Row>,
  where: Where,
  { direction, field }: { readonly direction: "asc" | "desc"; readonly field: string }
): Pick<OrderedRows<Row, DexSourceError>, "page" | "ties"> => ({
  page: ({ first, past, skip }) =>
    reads.collection({
      entity,
      selection,
      response,
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
      response,
      where: { ...where, [field]: value, ...(afterId === undefined ? {} : { id_gt: afterId }) },
      ...inIdOrder,
      first
    })
})
