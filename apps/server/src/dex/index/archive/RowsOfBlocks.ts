import type { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { ParquetColumn } from "../../../internal/files/ParquetFile.ts"
import type { StoreError } from "../../../internal/StoreError.ts"

/** Blocks of an index, both inclusive. */
export interface BlockRange {
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
  /** The rows behind the last one that was read, or the first ones. */
  readonly read: (
    sql: SqlClient.SqlClient,
    range: BlockRange,
    last: Row | undefined
  ) => Effect.Effect<ReadonlyArray<Row>, StoreError>
}
