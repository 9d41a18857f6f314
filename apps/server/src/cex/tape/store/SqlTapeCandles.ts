import { timeframeSeconds } from "@chaintape/core"
import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import type { StoreError } from "../../../internal/StoreError.ts"
import type { CandlesWanted } from "../../ExchangeSource.ts"
import type { CandleMark, CandlePage } from "../CandlePage.ts"
import { minuteMs } from "../ledger/Minutes.ts"

const Mark = Schema.Tuple([Schema.Int, Schema.Int, Schema.Int, Schema.Int])

const Page = Schema.Struct({
  count: Schema.Int,
  rows: Schema.NullOr(Schema.String),
  first: Schema.NullOr(Mark),
  last: Schema.NullOr(Mark),
  marks: Schema.NullOr(Schema.Array(Mark)),
  before: Schema.NullOr(Schema.Int),
  after: Schema.NullOr(Schema.Int)
})

const decodePage = Schema.decodeUnknownEffect(Schema.Tuple([Page]))

const toMark = ([start, trades, openSequence, closeSequence]: typeof Mark.Type): CandleMark => ({
  start,
  trades,
  openSequence,
  closeSequence
})

/**
 * Minutes merged to candles. They never overlap in time, so the first gives the open and the last the close: the least and
 * the greatest pair of a start and a price, for which nothing is sorted.
 */
const toBuckets = (sql: SqlClient.SqlClient, frame: number) =>
  frame === minuteMs
    ? sql`select start, open, high, low, close, volume, trades, open_sequence, close_sequence from minutes`
    : sql`select start / ${frame}::bigint * ${frame}::bigint as start, (min(array[start, open]))[2] as open,
        max(high) as high, min(low) as low, (max(array[start, close]))[2] as close,
        trim_scale(sum(volume)) as volume, sum(trades) as trades,
        min(open_sequence) as open_sequence, max(close_sequence) as close_sequence
      from minutes group by 1`

/**
 * A page of candles in one statement, and thus of one state. The body is built by the database: a row per candle would
 * cost the thread that serves requests more than everything else. One pass makes all of it: `buckets` are not stored for
 * the second use, which only a page with a break makes.
 */
export const readCandlePage = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  series: number,
  { from, limit, take, timeframe, to }: CandlesWanted
): Effect.fn.Return<CandlePage, StoreError> {
  const frame = timeframeSeconds[timeframe] * 1000
  const order = sql.literal(take === "first" ? "start" : "start desc")
  // The minutes of `limit` candles are at most these.
  const minutes = limit * (frame / minuteMs)
  const mark = sql.literal("array[start, trades, open_sequence, close_sequence]")
  const found = yield* sql`
    with minutes as (
      select * from tape_minute
      where series = ${series}::int and start >= ${from}::bigint and start < ${to + frame}::bigint
      order by ${order} limit ${minutes}::bigint
    ), buckets as not materialized (
      ${toBuckets(sql, frame)} order by ${order} limit ${limit}::int
    ), candles as (
      select *, lag(close_sequence) over (order by start) as previous from buckets
    ), page as (
      select count(*) as count, min(start) as first_start, max(start) as last_start,
        coalesce(bool_and(trades = close_sequence - open_sequence + 1
          and (previous is null or previous + 1 = open_sequence)), true) as is_linked,
        min(${mark}) as first_mark, max(${mark}) as last_mark,
        string_agg('{"t":' || start || ',"o":' || open || ',"h":' || high || ',"l":' || low || ',"c":' || close
          || ',"v":' || volume || '}', ',' order by start) as rows
      from candles
    )
    select count::float8 as count, rows,
      array_to_json(first_mark) as first, array_to_json(last_mark) as last,
      case when is_linked then null else (select json_agg(${mark} order by start) from buckets) end as marks,
      (select close_sequence::float8 from tape_minute
        where series = ${series}::int and start < coalesce(first_start, ${from}::bigint)
        order by start desc limit 1) as before,
      (select open_sequence::float8 from tape_minute
        where series = ${series}::int and start >= coalesce(last_start, ${to}::bigint) + ${frame}::bigint
        order by start limit 1) as after
    from page`
  const [{ after, before, count, first, last, marks, rows }] = yield* decodePage(found)
  const ends = first === null || last === null ? undefined : ([toMark(first), toMark(last)] as const)
  return {
    count,
    rows: rows ?? "",
    ends,
    breaks: marks?.map(toMark),
    before: before ?? undefined,
    after: after ?? undefined
  }
})
