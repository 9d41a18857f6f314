import { Effect, Option, Result, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { decodeOnlyRow, decodeRows } from "../../../internal/sql/decodeRows.ts"
import type { CandleQuery } from "../../DexQueries.ts"
import { UnknownValueError } from "../../DexSource.ts"
import type { CandleRow } from "../../DexSource.ts"
import { Decimal34 } from "../accounting/Decimal34.ts"
import { getToken0Price } from "../accounting/Prices.ts"
import type { SqlSnapshot } from "./SqlSnapshot.ts"
import { dieWithoutTokens, poolsById, tokensById } from "./SqlVersionReads.ts"

const decodeCandles = decodeRows(
  Schema.Struct({
    at: Schema.NumberFromString,
    high: Schema.String,
    low: Schema.String,
    close: Schema.String,
    volumeToken0: Schema.String,
    volumeToken1: Schema.String,
    volumeUSD: Schema.String,
    txCount: Schema.String
  })
)
const decodeOpening = decodeOnlyRow(Schema.Struct({ opening: Schema.NullOr(Schema.String) }))

/** Where the prices of a pool are stored, and how one follows from what is stored. */
interface PriceForm {
  readonly isPair: boolean
  readonly toPrice: (stored: string) => Decimal34
}

/** Identifiers of the prices of a pool: after a swap, before the first swap, and in a version of the pool. */
const toColumns = ({ isPair }: PriceForm) =>
  isPair ? (["price", "price", "token1_price"] as const) : (["sqrt_price_x96", "sqrt_price", "sqrt_price"] as const)

/** The swaps of a pool that the snapshot has. The index by pool and time serves each statement below. */
const toSwapFilter = (sql: SqlClient.SqlClient, { block, deployment }: SqlSnapshot, pool: string) =>
  sql`deployment = ${deployment} and pool = ${pool} and kind = 'swap' and block_number <= ${block}`

/**
 * The candles with their prices as they are stored. `start` finds the candles that have a swap one by one, each by one probe of
 * the index, so that the statement reads the swaps of the requested candles and no others.
 */
const findCandles = (
  sql: SqlClient.SqlClient,
  snapshot: SqlSnapshot,
  pool: string,
  form: PriceForm,
  query: CandleQuery
) => {
  const price = sql.literal(toColumns(form)[0])
  const { limit, seconds } = query
  const first = Option.match(query.from, { onNone: () => 0, onSome: (from) => Math.ceil(from / seconds) * seconds })
  const end = Option.match(query.to, {
    onNone: () => snapshot.timestamp,
    onSome: (to) => Math.min(snapshot.timestamp, Math.floor(to / seconds) * seconds + seconds - 1)
  })
  const swaps = toSwapFilter(sql, snapshot, pool)
  const begin = sql`timestamp / ${seconds}::bigint * ${seconds}::bigint as at`
  const [direction, following] = Option.isSome(query.from)
    ? [sql.literal("asc"), sql`timestamp between start.at + ${seconds}::bigint and ${end}::bigint`]
    : [sql.literal("desc"), sql`timestamp between ${first}::bigint and start.at - 1`]
  return decodeCandles(sql`with recursive start(at, nth) as (
        (select ${begin}, 1 from dex_trade where ${swaps} and timestamp between ${first}::bigint and ${end}::bigint
          order by timestamp ${direction} limit 1)
        union all
        select next.at, nth + 1 from start cross join lateral (
          select ${begin} from dex_trade where ${swaps} and ${following} order by timestamp ${direction} limit 1
        ) as next where nth < ${limit}::int
      )
      select start.at::text as at, high::text as high, low::text as low, close::text as close,
        trim_scale(volume0)::text as "volumeToken0", trim_scale(volume1)::text as "volumeToken1",
        trim_scale(usd)::text as "volumeUSD", count::text as "txCount"
      from start cross join lateral (
        select max(${price}) as high, min(${price}) as low, sum(abs(amount0)) as volume0,
          sum(abs(amount1)) as volume1, sum(amount_usd) as usd, count(*) as count
        from dex_trade where ${swaps} and timestamp between start.at and start.at + ${seconds}::bigint - 1
      ) as total cross join lateral (
        select ${price} as close from dex_trade
        where ${swaps} and timestamp between start.at and start.at + ${seconds}::bigint - 1
        order by timestamp desc, block_number desc, log_index desc limit 1
      ) as last order by start.at`)
}

/**
 * The price, as it is stored, before the first swap at or after a time: that of the swap before it, or else of the pool before
 * its first swap. An index from before 0011 has the latter only where the pool was initialized in an earlier block.
 */
const findOpening = (sql: SqlClient.SqlClient, snapshot: SqlSnapshot, pool: string, form: PriceForm, at: number) => {
  const { deployment } = snapshot
  const [ofSwap, initial, ofVersion] = toColumns(form).map((column) => sql.literal(column))
  const swaps = toSwapFilter(sql, snapshot, pool)
  return Effect.map(
    decodeOpening(sql`select coalesce(
          (select ${ofSwap} from dex_trade where ${swaps} and timestamp < ${at}::bigint
            order by timestamp desc, block_number desc, log_index desc limit 1),
          (select ${initial} from dex_initial_price where deployment = ${deployment} and pool = ${pool}),
          (select nullif(${ofVersion}, 0) from dex_pool where deployment = ${deployment} and id = ${pool} and valid_from < (
            select block_number from dex_trade where ${swaps} and timestamp >= ${at}::bigint
            order by timestamp, block_number, log_index limit 1
          ) order by valid_from desc limit 1)
        )::text as opening`),
    (row) => row?.opening ?? undefined
  )
}

const notKnown = (pool: string) =>
  new UnknownValueError({
    message:
      `The price of the pool "${pool}" before its first swap is not known: the index was built before it stored it. ` +
      "Build it again, or ask for later candles."
  })

/** How the prices of a pool are stored; undefined if there is no such pool. */
const findPriceForm = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, snapshot: SqlSnapshot, pool: string) {
  const [found] = yield* poolsById(sql, snapshot, [pool])
  if (found === undefined) return undefined
  if (found.sqrtPrice === "") return { isPair: true, toPrice: Decimal34.restore } satisfies PriceForm
  const tokens = yield* tokensById(sql, snapshot, [found.token0, found.token1])
  const [token0, token1] = [tokens.get(found.token0), tokens.get(found.token1)]
  if (token0 === undefined || token1 === undefined) return yield* dieWithoutTokens(pool)
  const [decimals0, decimals1] = [Number(token0.decimals), Number(token1.decimals)]
  return {
    isPair: false,
    toPrice: (stored) => getToken0Price(BigInt(stored), decimals0, decimals1)
  } satisfies PriceForm
})

/** The candles of a pool from its swaps, oldest first. */
export const getCandles = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  snapshot: SqlSnapshot,
  pool: string,
  query: CandleQuery
) {
  const form = yield* findPriceForm(sql, snapshot, pool)
  if (form === undefined) return Result.succeed<ReadonlyArray<CandleRow>>([])
  const found = yield* findCandles(sql, snapshot, pool, form, query)
  const [first] = found
  if (first === undefined) return Result.succeed<ReadonlyArray<CandleRow>>([])
  const opening = yield* findOpening(sql, snapshot, pool, form, first.at)
  if (opening === undefined) return Result.fail(notKnown(pool))
  let before = form.toPrice(opening)
  const rows: Array<CandleRow> = []
  for (const { at, close, high, low, ...volumes } of found) {
    const [highest, lowest, last] = [form.toPrice(high), form.toPrice(low), form.toPrice(close)]
    rows.push({
      t: String(at),
      o: before.toText(),
      h: (highest.isGreaterThan(before) ? highest : before).toText(),
      l: (before.isGreaterThan(lowest) ? lowest : before).toText(),
      c: last.toText(),
      ...volumes
    })
    before = last
  }
  return Result.succeed<ReadonlyArray<CandleRow>>(rows)
})
