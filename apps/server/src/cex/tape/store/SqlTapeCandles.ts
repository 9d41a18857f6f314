import { timeframeSeconds } from "@chaintape/core/cex/Timeframe"
import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import type { CandlesWanted } from "../../ExchangeSource.ts"
import type { CandleMark, CandlePage } from "../CandlePage.ts"
import type { TapeError } from "../Tape.ts"

const minuteMs = 60_000

const Sequence = Schema.NullOr(Schema.Int)

const Page = Schema.Tuple([
  Schema.Struct({
    count: Schema.Int,
    isLinked: Schema.Boolean,
    rows: Schema.NullOr(Schema.String),
    first: Schema.NullOr(Schema.String),
    last: Schema.NullOr(Schema.String),
    marks: Schema.NullOr(Schema.String),
    before: Sequence,
    after: Sequence
  })
])

const decodePage = Schema.decodeUnknownEffect(Page)

const toMark = (text: string): CandleMark => {
  const [start, trades, openSequence, closeSequence] = text.split(" ").map(Number)
  return {
    start: start ?? NaN,
    trades: trades ?? NaN,
    openSequence: openSequence ?? NaN,
    closeSequence: closeSequence ?? NaN
  }
}

/** Minutes never overlap in time, so the first of a candle has its open and the last its close. */
const toBuckets = (sql: SqlClient.SqlClient, frame: number) =>
  frame === minuteMs
    ? sql`select start, open, high, low, close, volume, trades, open_sequence, close_sequence from minutes`
    : sql`select start / ${frame}::bigint * ${frame}::bigint as start,
        (array_agg(open order by start))[1] as open, max(high) as high, min(low) as low,
        (array_agg(close order by start desc))[1] as close, trim_scale(sum(volume)) as volume, sum(trades) as trades,
        min(open_sequence) as open_sequence, max(close_sequence) as close_sequence
      from minutes group by 1`

/**
 * A page of candles in one statement, and thus of one state. The body is built by the database: a row per candle would
 * cost the thread that serves requests more than everything else.
 */
export const readCandlePage = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  series: number,
  { from, limit, take, timeframe, to }: CandlesWanted
): Effect.fn.Return<CandlePage, TapeError> {
  const frame = timeframeSeconds[timeframe] * 1000
  const order = sql.literal(take === "first" ? "start" : "start desc")
  // The minutes of `limit` candles are at most these.
  const minutes = limit * (frame / minuteMs)
  const found = yield* sql`
    with minutes as (
      select * from tape_minute
      where series = ${series}::int and start >= ${from}::bigint and start < ${to + frame}::bigint
      order by ${order} limit ${minutes}::bigint
    ), buckets as (
      ${toBuckets(sql, frame)} order by ${order} limit ${limit}::int
    ), candles as (
      select *, lag(close_sequence) over (order by start) as previous,
        start || ' ' || trades || ' ' || open_sequence || ' ' || close_sequence as mark from buckets
    ), page as (
      select count(*) as count, min(start) as first_start, max(start) as last_start,
        coalesce(bool_and(trades = close_sequence - open_sequence + 1
          and (previous is null or previous + 1 = open_sequence)), true) as is_linked,
        string_agg('{"t":' || start || ',"o":' || open || ',"h":' || high || ',"l":' || low || ',"c":' || close
          || ',"v":' || volume || '}', ',' order by start) as rows
      from candles
    )
    select count::float8 as count, is_linked as "isLinked", rows,
      (select mark from candles order by start limit 1) as first,
      (select mark from candles order by start desc limit 1) as last,
      case when is_linked then null else (select string_agg(mark, ';' order by start) from candles) end as marks,
      (select close_sequence::float8 from tape_minute
        where series = ${series}::int and start < coalesce(first_start, ${from}::bigint)
        order by start desc limit 1) as before,
      (select open_sequence::float8 from tape_minute
        where series = ${series}::int and start >= coalesce(last_start, ${to}::bigint) + ${frame}::bigint
        order by start limit 1) as after
    from page`
  const [{ after, before, count, first, isLinked, last, marks, rows }] = yield* decodePage(found)
  const ends = first === null || last === null ? undefined : ([toMark(first), toMark(last)] as const)
  return {
    count,
    rows: rows ?? "",
    ends,
    breaks: marks === null || isLinked ? undefined : marks.split(";").map(toMark),
    before: before ?? undefined,
    after: after ?? undefined
  }
})
