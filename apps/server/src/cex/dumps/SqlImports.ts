import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import type { NewTrade } from "../tape/Tape.ts"

const StoredDifference = Schema.Struct({
  sequence: Schema.Int,
  /** Undefined if no trade with this id is stored near the time of the file's. */
  stored: Schema.optional(Schema.String),
  found: Schema.String
})

/** A trade of a file that is stored with other content. */
export type StoredDifference = typeof StoredDifference.Type

const Row = Schema.Struct({
  file: Schema.String,
  rows: Schema.Int,
  /** The lowest and the highest id of the whole file. */
  firstId: Schema.NullOr(Schema.Int),
  lastId: Schema.NullOr(Schema.Int),
  isComplete: Schema.Boolean,
  /** How many of its trades the tape has otherwise, and the first of them. */
  different: Schema.Int,
  differences: Schema.fromJsonString(Schema.Array(StoredDifference))
})
const decodeRows = Schema.decodeUnknownEffect(Schema.Array(Row))

/** How many rows of a file are imported. */
export type ImportedFile = typeof Row.Type

/** The rows of each file that earlier imports have stored, by its SHA-256. */
export const findImported = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, series: number) {
  const found = yield* sql`select file, rows::float8 as rows, first_id::float8 as "firstId",
      last_id::float8 as "lastId", is_complete as "isComplete", different::float8 as different, differences
    from tape_import where series = ${series}::int`
  return new Map((yield* decodeRows(found)).map((row) => [row.file, row]))
})

/** Belongs into the transaction of the trades. */
export const saveImported = (
  sql: SqlClient.SqlClient,
  series: number,
  { different, differences, file, firstId, isComplete, lastId, rows }: ImportedFile
) =>
  sql`insert into tape_import (series, file, rows, first_id, last_id, is_complete, different, differences)
    values (${series}::int, ${file}, ${rows}::bigint, ${firstId}::bigint, ${lastId}::bigint, ${isComplete},
      ${different}::bigint, ${JSON.stringify(differences)})
    on conflict (series, file) do update set rows = excluded.rows, is_complete = excluded.is_complete,
      different = excluded.different, differences = excluded.differences`

const decodeDroppedBefore = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ time: Schema.Int })]))

/** The end of the days that retention has dropped (Unix ms). */
export const findDroppedBefore = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, series: number) {
  const found = yield* sql`select dropped_before::float8 as time from tape_series where id = ${series}::int`
  const [{ time }] = yield* decodeDroppedBefore(found)
  return time
})

const decodeStored = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ rows: Schema.NullOr(Schema.String) })]))

/** The compared members of a trade. */
export const toContent = ({ price, side, size, timestamp }: Pick<NewTrade, "price" | "side" | "size" | "timestamp">) =>
  `${timestamp} ${price} ${size} ${side === "buy"}`

/** The stored ones of these trades, by sequence, as contents. One that is stored at a quite different time is not found. */
export const findStored = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  series: number,
  trades: ReadonlyArray<NewTrade>
) {
  const stored = new Map<number, string>()
  if (trades.length === 0) return stored
  let [from, to] = [Infinity, -Infinity]
  for (const { timestamp } of trades) {
    if (timestamp < from) from = timestamp
    if (timestamp > to) to = timestamp
  }
  const found = yield* sql`select string_agg(
      sequence || ' ' || timestamp || ' ' || price || ' ' || size || ' ' || is_buy, ';') as rows
    from tape_trade where series = ${series}::int and timestamp between ${from}::bigint and ${to}::bigint
      and sequence = any(${`{${trades.map(({ sequence }) => sequence).join(",")}}`}::bigint[])`
  const [{ rows }] = yield* decodeStored(found)
  for (const row of rows?.split(";") ?? []) {
    const end = row.indexOf(" ")
    stored.set(Number(row.slice(0, end)), row.slice(end + 1))
  }
  return stored
})
