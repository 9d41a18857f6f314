import { Array as Arr, Effect, Layer, Option, Schema, Semaphore } from "effect"
import { SqlClient } from "effect/sql"
import { withFence } from "../../../ownership/Lease.ts"
import type { Continuity } from "../../TradeFlow.ts"
import { Interval, Series, Tape } from "../Tape.ts"
import { append, intervalsJson } from "./SqlTapeAppend.ts"
import { makeDays } from "./SqlTapeDays.ts"
import { dropBefore } from "./SqlTapeRetention.ts"

const decodeSeries = Schema.decodeUnknownEffect(Schema.Array(Series))

const findSeries = (sql: SqlClient.SqlClient, exchange: string, market: string) =>
  Effect.flatMap(
    sql`select id, exchange, market, continuity, first_id::float8 as "firstId", version::float8 as version,
        ${intervalsJson(sql, sql`series = tape_series.id`)} as coverage
      from tape_series where exchange = ${exchange} and market = ${market}`,
    decodeSeries
  ).pipe(Effect.map(Arr.head))

const decodeIntervals = Schema.decodeUnknownEffect(Schema.Array(Interval))

/** The current intervals of a series. */
export const readCoverage = (sql: SqlClient.SqlClient, series: number) =>
  Effect.flatMap(
    sql`select from_sequence::float8 as from, to_sequence::float8 as to,
        from_time::float8 as "fromTime", to_time::float8 as "toTime"
      from tape_coverage where series = ${series}::int order by from_sequence`,
    decodeIntervals
  )

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
  const series = Option.getOrUndefined(yield* findSeries(sql, exchange, market))
  if (series === undefined) {
    return yield* Effect.die(new Error(`The recording of ${exchange} ${market} was deleted while it was opened.`))
  }
  if (series.continuity === continuity) return series
  return yield* Effect.die(
    new Error(
      `The recording of ${exchange} ${market} holds trades by "${series.continuity}", ` +
        `so it cannot continue with "${continuity}".`
    )
  )
})

/** The tape in a SQL store. */
export const layer: Layer.Layer<Tape, never, SqlClient.SqlClient> = Layer.effect(
  Tape,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const days = makeDays(sql)
    // One change after the other: a reader waits for at most one, however many markets are recorded.
    const turn = yield* Semaphore.make(1)
    return Tape.of({
      open: Effect.fn("SqlTape.open")((exchange, market, continuity, firstId) =>
        openSeries(sql, exchange, market, continuity, firstId)
      ),
      // No text of the database contains NUL, and it fails a query with one.
      find: Effect.fn("SqlTape.find")((exchange, market) =>
        market.includes("\0") ? Effect.succeedNone : findSeries(sql, exchange, market)
      ),
      append: Effect.fn("SqlTape.append")(
        function* (series, change) {
          yield* days.ensure(change.trades.map(({ timestamp }) => timestamp))
          return yield* withFence(sql, append(sql, series, change))
        },
        turn.withPermit,
        // A cached table may be gone: dropped by another process, or never committed.
        Effect.tapError(() => days.forget)
      ),
      dropBefore: Effect.fn("SqlTape.dropBefore")((time) => Effect.ensuring(dropBefore(sql, time), days.forget))
    })
  })
)
