import { Effect, Layer, Option } from "effect"
import type { Result } from "effect"
import { SqlClient } from "effect/sql"
import { makeConcurrencyLimiter } from "../../../internal/concurrency/ConcurrencyLimiter.ts"
import { storeDefects } from "../../../internal/StoreError.ts"
import type { StoreError } from "../../../internal/StoreError.ts"
import type { Page, PoolQuery, TokenQuery, TradeQuery } from "../../DexQueries.ts"
import { DexSource, DexSourceError } from "../../DexSource.ts"
import type { DexReadError, DexView, PoolRow } from "../../DexSource.ts"
import { toSelectColumns, totalsColumns, decodeDeployment, searchKey } from "../store/SqlColumns.ts"
import { getCandles } from "./SqlCandleReads.ts"
import { isUnchanged, openSnapshot, toReorged } from "./SqlSnapshot.ts"
import type { SqlSnapshot } from "./SqlSnapshot.ts"
import { getTicks } from "./SqlTickReads.ts"
import { sqlTradeReads } from "./SqlTradeReads.ts"
import { dieWithoutTokens, poolPage, poolsById, tokenPage, tokensById } from "./SqlVersionReads.ts"

const byLockedValue = { field: "totalValueLockedUSD", direction: "desc" } as const

const toPage = <A>(rows: ReadonlyArray<A>, { limit, skip }: Page) => rows.slice(skip, skip + limit)

const matches = (wanted: Option.Option<string>, value: string) =>
  Option.isNone(wanted) || searchKey(wanted.value) === searchKey(value)

const getTokens = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, snapshot: SqlSnapshot, query: TokenQuery) {
  const { id, name, symbol } = query
  if (Option.isSome(id)) {
    const found = [...(yield* tokensById(sql, snapshot, [id.value])).values()]
    return toPage(
      found.filter((row) => matches(name, row.name) && matches(symbol, row.symbol)),
      query
    )
  }
  const filters = [
    ...(Option.isSome(symbol) ? [sql`symbol_key = ${searchKey(symbol.value)}`] : []),
    ...(Option.isSome(name) ? [sql`name_key = ${searchKey(name.value)}`] : [])
  ]
  const order = Option.getOrElse(query.order, () => byLockedValue)
  return yield* tokenPage(sql, snapshot, filters, order, query)
})

const getPools = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, snapshot: SqlSnapshot, query: PoolQuery) {
  const order = Option.getOrElse(query.order, () => byLockedValue)
  const rows = Option.isSome(query.id)
    ? toPage(yield* poolsById(sql, snapshot, [query.id.value]), query)
    : yield* poolPage(sql, snapshot, order, query)
  const tokens = yield* tokensById(sql, snapshot, [...new Set(rows.flatMap(({ token0, token1 }) => [token0, token1]))])
  const pools: Array<PoolRow> = []
  for (const row of rows) {
    const [token0, token1] = [tokens.get(row.token0), tokens.get(row.token1)]
    if (token0 === undefined || token1 === undefined) return yield* dieWithoutTokens(row.id)
    pools.push({ ...row, token0, token1 })
  }
  return pools
})

const getTotals = (sql: SqlClient.SqlClient, { block, deployment }: SqlSnapshot) =>
  Effect.map(
    decodeDeployment(sql`select ${sql.literal(toSelectColumns(totalsColumns))} from dex_totals
      where deployment = ${deployment} and valid_from <= ${block} order by valid_from desc limit 1`),
    Option.fromUndefinedOr
  )

/** Of each kind. The store has ten connections, of which recordings, indexes, leases and keys need some at any time. */
const atOnce = 2
const waiting = 32

/** More rows than this are skipped one by one. */
const manyRows = 1000

/** Whether the read passes over many more trades than it returns: no index has its order, or its start. */
const readsMany = ({ order, skip }: TradeQuery): boolean => Option.isSome(order) || skip > manyRows

/**
 * Limits reads that may take seconds of a connection, because their cost grows with the trades of a pool: callers cannot
 * take all connections of the store with them.
 */
const makeLongReads = () => {
  const limit = (what: string) =>
    makeConcurrencyLimiter({
      atOnce,
      waiting,
      onFull: () =>
        new DexSourceError({
          source: "index",
          reason: "Busy",
          message: `Too many requests for ${what} wait for the index.`,
          retryAfterMs: 1000
        })
    })
  return { sorted: limit("sorted trades"), summed: limit("candles and ticks") }
}

/**
 * The versions bind a view to its block: appended blocks lie above it, and only a reorg could disturb it. After its
 * statements, each read therefore checks whether a reorg was written since the view was opened, and fails with
 * `Reorged` if so. If two statements of a read contradict each other, the cause is such a reorg, or else a corrupt index.
 */
const viewAt = (
  sql: SqlClient.SqlClient,
  longReads: ReturnType<typeof makeLongReads>,
  snapshot: SqlSnapshot
): DexView => {
  const unchanged = Effect.flatMap(isUnchanged(sql, snapshot), (isSame) =>
    isSame ? Effect.void : Effect.fail(toReorged(`the state of block ${snapshot.block} was`))
  )
  const bound = <A>(read: Effect.Effect<A, StoreError>): Effect.Effect<A, DexSourceError> =>
    read.pipe(
      Effect.catchDefect((defect) => Effect.andThen(unchanged, Effect.die(defect))),
      Effect.tap(unchanged),
      Effect.catchTags(storeDefects)
    )
  const summed = <A, E>(read: Effect.Effect<Result.Result<A, E>, StoreError>) =>
    Effect.flatMap(longReads.summed(bound(read)), Effect.fromResult)
  const trades = sqlTradeReads(sql, snapshot)
  return {
    asOf: snapshot.asOf,
    deployment: bound(getTotals(sql, snapshot)),
    tokens: (query) => bound(getTokens(sql, snapshot, query)),
    pools: (query) => bound(getPools(sql, snapshot, query)),
    hasToken: (token) => bound(Effect.map(tokensById(sql, snapshot, [token]), ({ size }) => size > 0)),
    hasPool: (pool) => bound(Effect.map(poolsById(sql, snapshot, [pool]), ({ length }) => length > 0)),
    trades: (kind, scope, query) => {
      const read = bound(trades[kind](scope, query))
      return readsMany(query) ? longReads.sorted(read) : read
    },
    candles: (pool, query) => summed(getCandles(sql, snapshot, pool, query)),
    ticks: (pool, page) => summed(getTicks(sql, snapshot, pool, page))
  }
}

/** Opens views of the index in the store. */
export const make = Effect.map(SqlClient.SqlClient, (sql) => {
  const longReads = makeLongReads()
  return {
    view: Effect.fn("SqlDexView.view")(
      (key: string, block: Option.Option<number>): Effect.Effect<DexView, DexReadError> =>
        openSnapshot(sql, key, block).pipe(
          Effect.map((snapshot) => viewAt(sql, longReads, snapshot)),
          Effect.catchTags(storeDefects)
        )
    )
  }
})

/** All deployments of the index; whether one has changed is unknown here. */
export const layer = Layer.effect(
  DexSource,
  Effect.map(make, ({ view }) => DexSource.of({ view, watchUnchanged: () => Effect.undefined }))
)
