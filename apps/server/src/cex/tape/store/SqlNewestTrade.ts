import { Array as Arr, Clock, Effect, Option, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { dayMs } from "../../../internal/day.ts"
import type { StoreError } from "../../../internal/StoreError.ts"
import { SourceTrade } from "../../ExchangeSource.ts"

const decodeRows = Schema.decodeUnknownEffect(Schema.Array(SourceTrade))

const readSince = (
  sql: SqlClient.SqlClient,
  exchange: string,
  market: string,
  bound: Statement.Fragment
): Effect.Effect<Option.Option<SourceTrade>, StoreError> =>
  // A trade that is more than a day older than the last sequence of its run is never the run's newest trade.
  sql`select newest.* from (
      select tape_series.id, run.from_sequence, run.to_sequence, run.to_time
      from tape_series cross join lateral (
        select from_sequence, to_sequence, to_time from tape_coverage
        where series = tape_series.id order by from_sequence desc limit 1
      ) as run
      where exchange = ${exchange} and market = ${market}
    ) as head cross join lateral (
      select id, timestamp::float8 as timestamp, price::text as price, size::text as size,
        trim_scale(price * size)::text as cost, case when is_buy then 'buy' else 'sell' end as side
      from tape_trade
      where series = head.id and tape_trade.timestamp >= head.to_time - ${dayMs}::bigint
        and ${bound} and sequence between head.from_sequence and head.to_sequence
      order by tape_trade.timestamp desc, sequence desc limit 1
    ) as newest`.pipe(Effect.flatMap(decodeRows), Effect.map(Arr.head))

/**
 * The newest trade of the newest run of a market, in one statement. It is looked for in the last day first: only a bound that
 * the planner knows spares it all other days.
 */
export const readNewestTrade = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  exchange: string,
  market: string
) {
  const recent = (yield* Clock.currentTimeMillis) - dayMs
  const found = yield* readSince(sql, exchange, market, sql`tape_trade.timestamp >= ${recent}::bigint`)
  return Option.isSome(found) ? found : yield* readSince(sql, exchange, market, sql`true`)
})
