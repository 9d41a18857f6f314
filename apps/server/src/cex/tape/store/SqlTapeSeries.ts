import { Effect, Option, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { Continuity } from "../../TradeFlow.ts"
import type { Series } from "../Tape.ts"

export const IntervalRow = Schema.Struct({
  from: Schema.Int,
  to: Schema.Int,
  fromTime: Schema.Int,
  toTime: Schema.Int
})

const SeriesRow = Schema.Struct({
  id: Schema.Int,
  exchange: Schema.String,
  market: Schema.String,
  continuity: Schema.Literals(["sequence", "overlap"]),
  firstId: Schema.NullOr(Schema.Int),
  version: Schema.Int,
  coverage: Schema.Array(IntervalRow)
})

const decodeSeries = Schema.decodeUnknownEffect(Schema.Array(SeriesRow))

/** The rows of `tape_coverage` under a condition, as one JSON value: ascending. */
export const intervalsJson = (sql: SqlClient.SqlClient, condition: Statement.Fragment) =>
  sql`(select coalesce(json_agg(json_build_object(
      'from', from_sequence, 'to', to_sequence, 'fromTime', from_time, 'toTime', to_time
    ) order by from_sequence), '[]') from tape_coverage where ${condition})`

export const findSeries = (sql: SqlClient.SqlClient, exchange: string, market: string) =>
  Effect.flatMap(
    sql`select id, exchange, market, continuity, first_id::float8 as "firstId", version::float8 as version,
        ${intervalsJson(sql, sql`series = tape_series.id`)} as coverage
      from tape_series where exchange = ${exchange} and market = ${market}`,
    decodeSeries
  ).pipe(Effect.map(([row]): Option.Option<Series> => Option.fromUndefinedOr(row)))

/**
 * The first id is always the newest known. A series without trades takes the requested continuity; one with trades
 * keeps its own.
 */
export const openSeries = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  exchange: string,
  market: string,
  continuity: Continuity,
  firstId: Series["firstId"]
) {
  yield* sql`insert into tape_series (exchange, market, continuity, first_id)
    values (${exchange}, ${market}, ${continuity}, ${firstId}::bigint)
    on conflict (exchange, market) do update set continuity = excluded.continuity, first_id = excluded.first_id
    where (tape_series.continuity, tape_series.first_id) is distinct from (excluded.continuity, excluded.first_id)
      and (tape_series.continuity = excluded.continuity
        or not exists (select from tape_coverage where series = tape_series.id))`
  const series = yield* Effect.flatMap(findSeries(sql, exchange, market), Effect.fromOption).pipe(
    Effect.catchTag("NoSuchElementError", () =>
      Effect.die(new Error(`The recording of ${exchange} ${market} was deleted while it was opened.`))
    )
  )
  if (series.continuity === continuity) return series
  return yield* Effect.die(
    new Error(
      `The recording of ${exchange} ${market} holds trades by "${series.continuity}", ` +
        `so it cannot continue with "${continuity}".`
    )
  )
})
