import { Effect, Schema } from "effect"
import type { ParquetColumn } from "../../../internal/files/ParquetFile.ts"
import type { RowsOfBlocks } from "./RowsOfBlocks.ts"

const Row = Schema.Struct({
  number: Schema.Int,
  hash: Schema.String,
  /** Null if the index does not have the block before, or its link to it is not proven. */
  parentHash: Schema.NullOr(Schema.String),
  timestamp: Schema.Int,
  proven: Schema.Boolean
})

/** A block that the index has. */
type StoredBlock = typeof Row.Type

const decodeRows = Schema.decodeUnknownEffect(Schema.Array(Row))

const columns: ReadonlyArray<ParquetColumn<StoredBlock>> = [
  { name: "number", type: "integer", get: ({ number }) => number },
  { name: "hash", type: "text", get: ({ hash }) => hash },
  { name: "parent_hash", type: "optional text", get: ({ parentHash }) => parentHash },
  { name: "timestamp", type: "time", get: ({ timestamp }) => timestamp * 1000 },
  { name: "proven", type: "boolean", get: ({ proven }) => proven }
]

/** Of a block: its parent is the row before it, as the column `proof` numbers it. */
const chained = 2

/** The blocks that the index has, by number. */
export const blockRows: RowsOfBlocks<StoredBlock> = {
  columns,
  read: Effect.fnUntraced(function* (sql, { deployment, from, limit, proven, to }, last) {
    const rows =
      yield* sql`select b.number, b.hash, b.timestamp::float8 as timestamp, b.number <= ${proven}::int as proven,
        case when b.number <= ${proven}::int or b.proof = ${chained}::smallint then parent.hash end as "parentHash"
      from dex_block b left join dex_block parent on parent.deployment = ${deployment} and parent.number = b.number - 1
      where b.deployment = ${deployment} and b.number >= ${last === undefined ? from : last.number + 1}::int
        and b.number <= ${to}::int
      order by b.number limit ${limit}::int`
    return yield* decodeRows(rows)
  })
}
