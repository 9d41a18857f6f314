import { timeframeSeconds } from "@chaintape/core"
import { Array as Arr, Clock, Effect, Layer, Schema, Semaphore } from "effect"
import { SqlClient } from "effect/sql"
import { dayMs } from "../../../internal/day.ts"
import type { StoreError } from "../../../internal/StoreError.ts"
import { contains } from "../ledger/Coverage.ts"
import type { TapeTrade } from "../Tape.ts"
import { TapeReads } from "../Tape.ts"
import { readNewestTrade } from "./SqlNewestTrade.ts"
import { readCoverage } from "./SqlTape.ts"
import { readCandlePage } from "./SqlTapeCandles.ts"
import { fieldSeparator, parseTradeRow } from "./TradeRow.ts"

/** The start of a page and its direction. */
export interface PageWanted {
  readonly series: number
  readonly direction: "forward" | "backward"
  /** Unix milliseconds. */
  readonly timestamp: number
  readonly sequence: number
  /** Sequences, both inclusive. */
  readonly from: number
  readonly to: number
  readonly rows: number
  /** The last time of the page in its direction (Unix ms), so that the days after it are neither planned nor scanned. */
  readonly bound?: number | undefined
}

/**
 * A page is one row: the ids as an array, everything else as one text. Compared with a row per trade this takes most of
 * the work off the thread that serves requests, and the product is computed by the database.
 */
const decodePage = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ ids: Schema.NullOr(Schema.Array(Schema.String)), rows: Schema.NullOr(Schema.String) })])
)

const rowSeparator = ";"

/** Up to `rows` trades, in the page's direction. */
const readPage = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, wanted: PageWanted) {
  const { bound, direction, from, rows, sequence, series, timestamp, to } = wanted
  const isForward = direction === "forward"
  const order = sql.literal(isForward ? "timestamp, sequence" : "timestamp desc, sequence desc")
  // The bounds on the time alone let the planner prune days.
  const after = isForward
    ? sql`timestamp >= ${timestamp}::bigint and (timestamp, sequence) > (${timestamp}::bigint, ${sequence}::bigint)`
    : sql`timestamp <= ${timestamp}::bigint and (timestamp, sequence) < (${timestamp}::bigint, ${sequence}::bigint)`
  const near =
    bound === undefined
      ? sql`true`
      : isForward
        ? sql`timestamp <= ${bound}::bigint`
        : sql`timestamp >= ${bound}::bigint`
  const found = yield* sql`select array_agg(id) as ids, string_agg(concat_ws(${fieldSeparator},
      timestamp, sequence, price, size, trim_scale(price * size), is_buy, received_at), ${rowSeparator}) as rows
    from (
      select id, timestamp, sequence, price, size, is_buy, received_at from tape_trade
      where series = ${series}::int and ${after} and ${near} and sequence between ${from}::bigint and ${to}::bigint
      order by ${order} limit ${rows}::int
    ) as page`
  const [{ ids, rows: text }] = yield* decodePage(found)
  if (ids === null || text === null) return []
  const lines = text.split(rowSeparator)
  return ids.map((id, at) => parseTradeRow(id, lines[at] ?? ""))
})

/**
 * Reads a page in one statement about the days up to the bound, and in another about all days only if those have too
 * few.
 */
export const readNearPage = (sql: SqlClient.SqlClient, wanted: PageWanted) =>
  Effect.flatMap(readPage(sql, wanted), (found) =>
    found.length === wanted.rows || wanted.bound === undefined
      ? Effect.succeed(found)
      : readPage(sql, { ...wanted, bound: undefined })
  )

const rowsOfPage = 5000

/** Trades or candles. Longer responses read their pages in turns. */
const longResponse = 1000

/** Pages of candles that are merged from more minutes take turns, too. */
const manyMinutes = 10_000

/** Pages per turn: other users of the store, above all the check of an API key, wait for no more than these. */
const pagesAtOnce = 2

const furthest = Number.MAX_SAFE_INTEGER

const decodeBeginnings = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ market: Schema.String, time: Schema.Int }))
)

const decodeExtent = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ trades: Schema.Int, newest: Schema.NullOr(Schema.Int) })])
)

/** How many trades of these sequences are stored, and the time of the last one. */
const readExtent = (sql: SqlClient.SqlClient, series: number, from: number, to: number) =>
  Effect.flatMap(
    sql`select coalesce(sum(least(to_sequence, ${to}::bigint) - greatest(from_sequence, ${from}::bigint) + 1), 0)::float8
        as trades, max(to_time)::float8 as newest
      from tape_coverage
      where series = ${series}::int and from_sequence <= ${to}::bigint and to_sequence >= ${from}::bigint`,
    decodeExtent
  )

interface PagesWanted extends Omit<PageWanted, "rows" | "bound"> {
  readonly limit: number
  /** The bound of the page that starts at a time (Unix ms). */
  readonly toBound: (time: number) => number | undefined
  readonly isKept: (trade: TapeTrade) => boolean
}

/** Reads up to `limit` trades page by page. Writes do not change these trades. */
const readPages = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  turns: Semaphore.Semaphore,
  { isKept, limit, toBound, ...wanted }: PagesWanted
): Effect.fn.Return<Array<TapeTrade>, StoreError> {
  const found: Array<TapeTrade> = []
  let after: Pick<PageWanted, "timestamp" | "sequence"> = wanted
  let bound = toBound(after.timestamp)
  while (found.length < limit) {
    const rows = Math.min(rowsOfPage, limit - found.length)
    const read = readPage(sql, { ...wanted, ...after, bound, rows })
    const page = yield* limit > longResponse ? turns.withPermit(read) : read
    for (const trade of page) if (isKept(trade)) found.push(trade)
    after = page.at(-1) ?? after
    const isFull = page.length === rows
    if (!isFull && bound === undefined) break
    bound = isFull ? toBound(after.timestamp) : undefined
  }
  return found
})

/**
 * The tape in a SQL store. Long responses are read in pages, so that the single session of an embedded store serves
 * others in between. The pages of one response show one state, because only sequences covered at its start are included.
 */
export const layer: Layer.Layer<TapeReads, never, SqlClient.SqlClient> = Layer.effect(
  TapeReads,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const turns = yield* Semaphore.make(pagesAtOnce)
    const candleTurns = yield* Semaphore.make(pagesAtOnce)
    return TapeReads.of({
      beginnings: Effect.fn("SqlTapeReads.beginnings")(function* (exchange) {
        return yield* decodeBeginnings(
          yield* sql`select market, min(from_time)::float8 as time from tape_series
            join tape_coverage on tape_coverage.series = tape_series.id where exchange = ${exchange} group by market`
        )
      }),
      newestTrade: Effect.fn("SqlTapeReads.newestTrade")((exchange, market) => readNewestTrade(sql, exchange, market)),
      latest: Effect.fn("SqlTapeReads.latest")(function* (series, { from, to }, limit) {
        const [{ newest, trades }] = yield* readExtent(sql, series, from, to)
        if (newest === null) return []
        const position = { direction: "backward", timestamp: furthest, sequence: furthest } as const
        // To look for more would read the whole tape.
        const wanted = { series, from, to, ...position, limit: Math.min(limit, trades) }
        const toBound = (time: number) => Math.min(time, newest) - dayMs
        return (yield* readPages(sql, turns, { ...wanted, toBound, isKept: () => true })).reverse()
      }),
      since: Effect.fn("SqlTapeReads.since")(function* (series, time, limit) {
        const now = yield* Clock.currentTimeMillis
        const toBound = (after: number) => (after + dayMs < now ? after + dayMs : undefined)
        const wanted = { series, from: 0, to: furthest, direction: "forward", timestamp: time, sequence: -1 } as const
        // One page is one statement, and thus one state.
        if (limit <= longResponse) return yield* readNearPage(sql, { ...wanted, bound: toBound(time), rows: limit })
        const state = yield* readCoverage(sql, series)
        const isKept = ({ sequence }: TapeTrade) => contains(state, sequence)
        return yield* readPages(sql, turns, { ...wanted, limit, toBound, isKept })
      }),
      find: Effect.fn("SqlTapeReads.find")(function* (series, sequence, { from, to }) {
        const only = { from: sequence, to: sequence, rows: 1, direction: "forward" } as const
        const after = { timestamp: from, sequence: sequence - 1, bound: to }
        return Arr.head(yield* readPage(sql, { series, ...only, ...after }))
      }),
      // By the event that the recording writes once it considers the trades of a gap lost.
      isUnfillable: Effect.fn("SqlTapeReads.isUnfillable")(function* (series, sequence) {
        const found = yield* sql`select 1 from tape_event where series = ${series}::int and kind = 'unfillable'
          and to_sequence >= ${sequence}::bigint and from_sequence <= ${sequence}::bigint limit 1`
        return found.length > 0
      }),
      candlePage: Effect.fn("SqlTapeReads.candlePage")(function* (series, wanted) {
        const read = readCandlePage(sql, series, wanted)
        const minutes = (wanted.limit * timeframeSeconds[wanted.timeframe]) / 60
        const isLong = wanted.limit > longResponse || minutes > manyMinutes
        return yield* isLong ? candleTurns.withPermit(read) : read
      })
    })
  })
)
