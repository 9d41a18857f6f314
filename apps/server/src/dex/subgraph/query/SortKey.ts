/** How the rows of a schema are sorted by a field of the interface. */
export type SortKey<Row> =
  /** By a field of the schema, which has the same order. */
  | { readonly by: "field"; readonly field: string; readonly value: (row: Row) => string }
  /** By a decimal that follows from several fields, so that the subgraph cannot sort by it. */
  | { readonly by: "derived"; readonly value: (row: Row) => string }
  /** All rows have the same value. */
  | { readonly by: "constant" }
  /** The schema has no value. */
  | { readonly by: "unknown" }
