import { Effect, Option, Result, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { NotKnown } from "../../DexSource.ts"
import type { CandleQuery, CandleRow } from "../../DexSource.ts"
import { priceOfToken0 } from "../accounting/Prices.ts"
import type { SqlSnapshot } from "./SqlSnapshot.ts"
import { poolsById, tokensById } from "./SqlVersionReads.ts"

const SqrtPrice = Schema.BigIntFromString

const decodeCandles = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      at: Schema.NumberFromString,
      high: SqrtPrice,
      low: SqrtPrice,
      close: SqrtPrice,
      volumeToken0: Schema.String,
      volumeToken1: Schema.String,
      volumeUSD: Schema.String,
      txCount: Schema.String
    })
  )
)
const decodeOpenings = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ opening: Schema.NullOr(SqrtPrice) })))

/** The swaps of a pool that the snapshot has. The index by pool and time serves each statement below. */
const swapsOf = (sql: SqlClient.SqlClient, { block, deployment }: SqlSnapshot, pool: string) =>
  sql`deployment = ${deployment} and pool = ${pool} and kind = 'swap' and block_number <= ${block}`

/**
 * The candles with their square root prices. `start` finds the candles that have a swap one by one, each by one probe of
 * the index, so that the statement reads the swaps of the requested candles and no others.
 */
const findCandles = (sql: SqlClient.SqlClient, snapshot: SqlSnapshot, pool: string, query: CandleQuery) => {
  const { limit, seconds } = query
  const first = Option.match(query.from, { onNone: () => 0, onSome: (from) => Math.ceil(from / seconds) * seconds })
  const end = Option.match(query.to, {
    onNone: () => snapshot.timestamp,
    onSome: (to) => Math.min(snapshot.timestamp, Math.floor(to / seconds) * seconds + seconds - 1)
  })
  const swaps = swapsOf(sql, snapshot, pool)
  const begin = sql`timestamp / ${seconds}::bigint * ${seconds}::bigint as at`
  const [direction, following] = Option.isSome(query.from)
    ? [sql.literal("asc"), sql`timestamp between start.at + ${seconds}::bigint and ${end}::bigint`]
    : [sql.literal("desc"), sql`timestamp between ${first}::bigint and start.at - 1`]
  return Effect.flatMap(
    sql`with recursive start(at, place) as (
        (select ${begin}, 1 from dex_trade where ${swaps} and timestamp between ${first}::bigint and ${end}::bigint
          order by timestamp ${direction} limit 1)
        union all
        select next.at, place + 1 from start cross join lateral (
          select ${begin} from dex_trade where ${swaps} and ${following} order by timestamp ${direction} limit 1
        ) as next where place < ${limit}::int
      )
      select start.at::text as at, high::text as high, low::text as low, close::text as close,
        trim_scale(volume0)::text as "volumeToken0", trim_scale(volume1)::text as "volumeToken1",
        trim_scale(usd)::text as "volumeUSD", count::text as "txCount"
      from start cross join lateral (
        select max(sqrt_price_x96) as high, min(sqrt_price_x96) as low, sum(abs(amount0)) as volume0,
          sum(abs(amount1)) as volume1, sum(amount_usd) as usd, count(*) as count
        from dex_trade where ${swaps} and timestamp between start.at and start.at + ${seconds}::bigint - 1
      ) as total cross join lateral (
        select sqrt_price_x96 as close from dex_trade
        where ${swaps} and timestamp between start.at and start.at + ${seconds}::bigint - 1
        order by timestamp desc, block_number desc, log_index desc limit 1
      ) as last order by start.at`,
    decodeCandles
  )
}

/**
 * The square root price before the first swap at or after a time: that of the swap before it, or else of the pool before
 * its first swap. An index from before 0011 has the latter only where the pool was initialized in an earlier block.
 */
const findOpening = (sql: SqlClient.SqlClient, snapshot: SqlSnapshot, pool: string, at: number) => {
  const { deployment } = snapshot
  const swaps = swapsOf(sql, snapshot, pool)
  return Effect.map(
    Effect.flatMap(
      sql`select coalesce(
          (select sqrt_price_x96 from dex_trade where ${swaps} and timestamp < ${at}::bigint
            order by timestamp desc, block_number desc, log_index desc limit 1),
          (select sqrt_price from dex_initial_price where deployment = ${deployment} and pool = ${pool}),
          (select nullif(sqrt_price, 0) from dex_pool where deployment = ${deployment} and id = ${pool} and valid_from < (
            select block_number from dex_trade where ${swaps} and timestamp >= ${at}::bigint
            order by timestamp, block_number, log_index limit 1
          ) order by valid_from desc limit 1)
        )::text as opening`,
      decodeOpenings
    ),
    ([row]) => row?.opening ?? undefined
  )
}

const notKnown = (pool: string) =>
  new NotKnown({
    message:
      `The price of the pool "${pool}" before its first swap is not known: the index was built before it stored it. ` +
      "Build it again, or ask for later candles."
  })

/** What the price of a square root price depends on besides it. */
const findDecimals = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, snapshot: SqlSnapshot, pool: string) {
  const [found] = yield* poolsById(sql, snapshot, [pool])
  const tokens = yield* tokensById(sql, snapshot, found === undefined ? [] : [found.token0, found.token1])
  const [token0, token1] = [tokens.get(found?.token0 ?? ""), tokens.get(found?.token1 ?? "")]
  if (token0 === undefined || token1 === undefined) return yield* Effect.die("The index has swaps without their pool.")
  return [Number(token0.decimals), Number(token1.decimals)] as const
})

/** The candles of a pool from its swaps, oldest first. */
export const candlesOf = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  snapshot: SqlSnapshot,
  pool: string,
  query: CandleQuery
) {
  const found = yield* findCandles(sql, snapshot, pool, query)
  const [first] = found
  if (first === undefined) return Result.succeed<ReadonlyArray<CandleRow>>([])
  let before = yield* findOpening(sql, snapshot, pool, first.at)
  if (before === undefined) return Result.fail(notKnown(pool))
  const [decimals0, decimals1] = yield* findDecimals(sql, snapshot, pool)
  const toPrice = (sqrtPrice: bigint) => priceOfToken0(sqrtPrice, decimals0, decimals1).toText()
  const rows: Array<CandleRow> = []
  for (const { at, close, high, low, ...volumes } of found) {
    rows.push({
      t: String(at),
      o: toPrice(before),
      h: toPrice(high > before ? high : before),
      l: toPrice(low < before ? low : before),
      c: toPrice(close),
      ...volumes
    })
    before = close
  }
  return Result.succeed<ReadonlyArray<CandleRow>>(rows)
})
