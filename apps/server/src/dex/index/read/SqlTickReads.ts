import { Effect, Result, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { decodeOnlyRow } from "../../../internal/sql/decodeRows.ts"
import type { Page } from "../../DexQueries.ts"
import { UnknownValueError } from "../../DexSource.ts"
import type { SqlSnapshot } from "./SqlSnapshot.ts"

const Tick = Schema.Struct({ tick: Schema.String, liquidityGross: Schema.String, liquidityNet: Schema.String })
const Found = Schema.Struct({
  /** The pool is older than the index. */
  isSeeded: Schema.NullOr(Schema.Boolean),
  /** The pool is a pair. */
  lacksTicks: Schema.NullOr(Schema.Boolean),
  /** A mint or burn has no range: it was stored by a version that did not store them. */
  lacksRange: Schema.NullOr(Schema.Boolean),
  ticks: Schema.Array(Tick)
})
const decodeFound = decodeOnlyRow(Found)

const notKnown = (pool: string, why: string) =>
  Result.fail(new UnknownValueError({ message: `The ticks of the pool "${pool}" are not known: ${why}` }))

const noTicks = (pool: string) =>
  Result.fail(
    new UnknownValueError({
      message:
        `The pool "${pool}" has no ticks: its protocol has no concentrated liquidity, so that all of its liquidity is in ` +
        "range at every price."
    })
  )

/**
 * Equal bounds are an order that is filled at its tick, and no liquidity. Pools from before the first block are created
 * by it, before its first log.
 */
const findTicks = (sql: SqlClient.SqlClient, snapshot: SqlSnapshot, pool: string, { limit, skip }: Page) => {
  const { block, deployment, timestamp } = snapshot
  return decodeFound(sql`with change as materialized (
        select tick_lower, tick_upper, case kind when 'mint' then amount else -amount end as amount from dex_trade
        where deployment = ${deployment} and pool = ${pool} and kind in ('mint', 'burn')
          and (tick_lower is null or tick_lower <> tick_upper)
          and timestamp <= ${timestamp}::bigint and block_number <= ${block}
      ), bound as (
        select tick_lower as tick, amount as gross, amount as net from change
        union all select tick_upper, amount, -amount from change
      ), page as (
        select tick, sum(gross)::text as gross, sum(net)::text as net from bound where tick is not null
        group by tick having sum(gross) <> 0 order by tick limit ${limit}::bigint offset ${skip}::bigint
      )
      select
        (select created_at_log_index < 0 from dex_pool where deployment = ${deployment} and id = ${pool}
          order by valid_from limit 1) as "isSeeded",
        (select sqrt_price is null from dex_pool where deployment = ${deployment} and id = ${pool}
          order by valid_from limit 1) as "lacksTicks",
        (select bool_or(tick_lower is null) from change) as "lacksRange",
        coalesce((select json_agg(
            json_build_object('tick', tick::text, 'liquidityGross', gross, 'liquidityNet', net) order by tick
          ) from page), '[]'::json) as ticks`)
}

/** The initialized ticks of a pool: they follow from its mints and burns, if all of them are stored. */
export const getTicks = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  snapshot: SqlSnapshot,
  pool: string,
  page: Page
) {
  const found = yield* findTicks(sql, snapshot, pool, page)
  if (found.lacksTicks === true) return noTicks(pool)
  if (found.isSeeded === true) return notKnown(pool, "it is older than the first block of the index.")
  if (found.lacksRange === true) return notKnown(pool, "the index was built before it stored them. Build it again.")
  return Result.succeed(found.ticks)
})
