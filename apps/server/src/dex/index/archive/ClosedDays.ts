import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { dayMs, toDate } from "../../../internal/day.ts"
import { decodeFirstRow, decodeRows } from "../../../internal/sql/decodeRows.ts"
import type { IndexDetails } from "./IndexArchive.ts"

const daySeconds = dayMs / 1000

/** How far an index is. */
const Extent = Schema.Struct({
  /** In the tables. */
  deployment: Schema.Int,
  /** The newest final block; -1 if there is none. */
  finalized: Schema.Int,
  /** The block up to which every block is proven; -1 before the first. */
  proven: Schema.Int
})

export type Extent = typeof Extent.Type

const decodeExtent = decodeFirstRow(Extent)

/** Undefined if the store has no index with this key. */
export const findExtent = (sql: SqlClient.SqlClient, key: string) =>
  decodeExtent(
    sql`select id as deployment, finalized, coalesce(proven, -1) as proven from dex_index where key = ${key}`
  )

const decodeHashes = decodeRows(Schema.Struct({ number: Schema.Int, hash: Schema.String }))

/** The hashes of those of the blocks that the index has. */
export const findHashes = (sql: SqlClient.SqlClient, { deployment }: Extent, blocks: ReadonlyArray<number>) =>
  decodeHashes(sql`select number, hash from dex_block
      where deployment = ${deployment} and number = any(${`{${blocks.join(",")}}`}::int[]) order by number`)

const DayRow = Schema.Struct({ day: Schema.Int, first: Schema.Int, last: Schema.Int, hash: Schema.String })
const decodeDays = decodeRows(DayRow)

/** A closed day of an index. */
export interface IndexDay extends IndexDetails {
  /** `yyyy-mm-dd`. */
  readonly day: string
}

/** The last day of an archive that never changes. */
export interface SettledDay {
  /** `yyyy-mm-dd`; empty if there is none. */
  readonly day: string
  /** Its last block; -1 if there is none. */
  readonly to: number
}

/**
 * The closed days of an index after a settled one. Blocks of the settled day above its last one, which an index has that
 * read other ranges, have no rows: they belong to the next day. A day is closed once a block of a later day is final, and, if
 * proofs are required, proven: no reorg can then change which block is the last of the day.
 */
export const findClosedDays = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { deployment, finalized, proven }: Extent,
  { isProofRequired, settled }: { readonly settled: SettledDay; readonly isProofRequired: boolean }
) {
  const closedAndProven = Math.min(finalized, proven)
  const limit = isProofRequired ? closedAndProven : finalized
  const rows = yield* decodeDays(sql`select days.day, days.first, days.last, b.hash from (
        select (timestamp / ${daySeconds}::bigint)::int as day, min(number) as first, max(number) as last
        from dex_block
        where deployment = ${deployment} and number > ${settled.to}::int and number <= ${limit}::int group by 1
      ) as days join dex_block b on b.deployment = ${deployment} and b.number = days.last order by days.day`)
  const days = rows.filter(({ day }) => toDate(day * dayMs) > settled.day)
  return days.slice(0, -1).map(({ day, first, hash, last }, at): IndexDay => {
    const before = days[at - 1]?.last ?? settled.to
    const next = days[at + 1]?.first ?? Infinity
    return {
      day: toDate(day * dayMs),
      from: before < 0 ? first : before + 1,
      to: last,
      hash,
      proven: next <= closedAndProven
    }
  })
})
