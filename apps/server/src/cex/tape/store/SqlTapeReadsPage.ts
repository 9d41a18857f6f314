import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import type { TapeTrade } from "../Tape.ts"

/** The start of a page and its direction. */
export interface PageWanted {
  readonly series: number
  readonly direction: "forward" | "backward"
  /** Unix milliseconds. */
  readonly timestamp: number
  readonly sequence: number
  /** Sequences, both inclusive. */
  readonly from: number
  readonly to: number
  readonly rows: number
  /** Only trades at or after this time (Unix ms), so that older days are not scanned. */
  readonly notBefore?: number | undefined
}

/**
 * A page is one row: the ids as an array, everything else as one text. Compared with a row per trade this takes most of
 * the work off the thread that serves requests, and the product is computed by the database.
 */
const Page = Schema.Tuple([
  Schema.Struct({ ids: Schema.NullOr(Schema.Array(Schema.String)), rows: Schema.NullOr(Schema.String) })
])

const decodePage = Schema.decodeUnknownEffect(Page)

const betweenRows = ";"
const betweenFields = " "

const trade = (id: string, row: string): TapeTrade => {
  const [timestamp = "", sequence = "", price = "", size = "", cost = "", isBuy = "", receivedAt = ""] =
    row.split(betweenFields)
  return {
    id,
    timestamp: Number(timestamp),
    sequence: Number(sequence),
    price,
    size,
    cost,
    side: isBuy === "t" ? "buy" : "sell",
    receivedAt: Number(receivedAt)
  }
}

/** Up to `rows` trades, in the page's direction. */
export const readPage = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, wanted: PageWanted) {
  const { direction, from, notBefore, rows, sequence, series, timestamp, to } = wanted
  const isForward = direction === "forward"
  const order = sql.literal(isForward ? "timestamp, sequence" : "timestamp desc, sequence desc")
  // The bound on the time alone lets the planner prune days.
  const behind = isForward
    ? sql`timestamp >= ${timestamp}::bigint and (timestamp, sequence) > (${timestamp}::bigint, ${sequence}::bigint)`
    : sql`timestamp <= ${timestamp}::bigint and (timestamp, sequence) < (${timestamp}::bigint, ${sequence}::bigint)`
  const recent = notBefore === undefined ? sql`true` : sql`timestamp >= ${notBefore}::bigint`
  const found = yield* sql`select array_agg(id) as ids, string_agg(concat_ws(${betweenFields},
      timestamp, sequence, price, size, trim_scale(price * size), is_buy, received_at), ${betweenRows}) as rows
    from (
      select id, timestamp, sequence, price, size, is_buy, received_at from tape_trade
      where series = ${series}::int and ${behind} and ${recent} and sequence between ${from}::bigint and ${to}::bigint
      order by ${order} limit ${rows}::int
    ) as page`
  const [{ ids, rows: text }] = yield* decodePage(found)
  if (ids === null || text === null) return []
  const lines = text.split(betweenRows)
  return ids.map((id, at) => trade(id, lines[at] ?? ""))
})
