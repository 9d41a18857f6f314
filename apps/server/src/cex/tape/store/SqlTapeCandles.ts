import { type Timeframe, timeframeSeconds } from "@chaintape/core"
import { Effect, Option, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import type { StoreError } from "../../../internal/StoreError.ts"
import type { CandlesWanted } from "../../ExchangeSource.ts"
import type { CandleMark, CandlePage } from "../CandlePage.ts"
import type { TapeCandle } from "../Tape.ts"

const minuteMs = 60_000

const Sequence = Schema.NullOr(Schema.Int)

const Mark = Schema.Tuple([Schema.Int, Schema.Int, Schema.Int, Schema.Int])

const Page = Schema.Tuple([
  Schema.Struct({
    count: Schema.Int,
    rows: Schema.NullOr(Schema.String),
    first: Schema.NullOr(Mark),
    last: Schema.NullOr(Mark),
    marks: Schema.NullOr(Schema.Array(Mark)),
    before: Sequence,
    after: Sequence
  })
])

const Candle = Schema.Struct({
  start: Schema.Int,
  open: Schema.String,
  high: Schema.String,
  low: Schema.String,
  close: Schema.String,
  volume: Schema.String,
  trades: Schema.Int,
  openSequence: Schema.Int,
  closeSequence: Schema.Int
})

const decodePage = Schema.decodeUnknownEffect(Page)
const decodeCandles = Schema.decodeUnknownEffect(Schema.Array(Candle))

const toMark = ([start, trades, openSequence, closeSequence]: typeof Mark.Type): CandleMark => ({
  start,
  trades,
  openSequence,
  closeSequence
})

/**
 * Merges minutes. They never overlap in time, so the first gives the open and the last the close: the least and the greatest
 * pair of a start and a price, for which nothing is sorted.
 */
const merged = (sql: SqlClient.SqlClient) =>
  sql.literal(`(min(array[start, open]))[2] as open, max(high) as high, min(low) as low,
    (max(array[start, close]))[2] as close, trim_scale(sum(volume)) as volume, sum(trades) as trades`)

const toBuckets = (sql: SqlClient.SqlClient, frame: number) =>
  frame === minuteMs
    ? sql`select start, open, high, low, close, volume, trades, open_sequence, close_sequence from minutes`
    : sql`select start / ${frame}::bigint * ${frame}::bigint as start, ${merged(sql)},
        min(open_sequence) as open_sequence, max(close_sequence) as close_sequence
      from minutes group by 1`

/** The newest candle, with the sequences of its first and its last trade by time. */
export const readLastCandle = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  series: number,
  timeframe: Timeframe
): Effect.fn.Return<Option.Option<TapeCandle>, StoreError> {
  const frame = timeframeSeconds[timeframe] * 1000
  const found = yield* sql`
    with minutes as (
      select * from tape_minute where series = ${series}::int and start >= (
        select max(start) / ${frame}::bigint * ${frame}::bigint from tape_minute where series = ${series}::int
      )
    ), candle as (
      select min(start) / ${frame}::bigint * ${frame}::bigint as start, ${merged(sql)},
        (array_agg(open_sequence order by start))[1] as open_sequence,
        (array_agg(close_sequence order by start desc))[1] as close_sequence
      from minutes having count(*) > 0
    )
    select start::float8 as start, open::text as open, high::text as high, low::text as low, close::text as close,
      volume::text as volume, trades::float8 as trades,
      open_sequence::float8 as "openSequence", close_sequence::float8 as "closeSequence"
    from candle`
  const [candle] = yield* decodeCandles(found)
  return Option.fromUndefinedOr(candle)
})

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
