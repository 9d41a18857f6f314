import { Effect, Layer, type Option, Schema, Semaphore } from "effect"
import { SqlClient } from "effect/sql"
import { dayMs } from "../../../internal/day.ts"
import { makeFreshReads } from "../../../internal/FreshReads.ts"
import type { SourceTrade } from "../../ExchangeSource.ts"
import { contains } from "../ledger/Coverage.ts"
import type { TapeError, TapeTrade } from "../Tape.ts"
import { TapeReads } from "../Tape.ts"
import { readNewestTrade } from "./SqlNewestTrade.ts"
import { readCandlePage, readLastCandle } from "./SqlTapeCandles.ts"
import { IntervalRow } from "./SqlTapeSeries.ts"

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
  /** Only trades at or after this time (Unix ms), so that older days are not scanned. */
  readonly notBefore?: number | undefined
}

/**
 * A page is one row: the ids as an array, everything else as one text. Compared with a row per trade this takes most of
 * the work off the thread that serves requests, and the product is computed by the database.
 */
const Page = Schema.Tuple([
  Schema.Struct({ ids: Schema.NullOr(Schema.Array(Schema.String)), rows: Schema.NullOr(Schema.String) })
])

const decodePage = Schema.decodeUnknownEffect(Page)

const betweenRows = ";"
const betweenFields = " "

const trade = (id: string, row: string): TapeTrade => {
  const [timestamp = "", sequence = "", price = "", size = "", cost = "", isBuy = "", receivedAt = ""] =
    row.split(betweenFields)
  return {
    id,
    timestamp: Number(timestamp),
    sequence: Number(sequence),
    price,
    size,
    cost,
    side: isBuy === "t" ? "buy" : "sell",
    receivedAt: Number(receivedAt)
  }
}

/** Up to `rows` trades, in the page's direction. */
export const readPage = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, wanted: PageWanted) {
  const { direction, from, notBefore, rows, sequence, series, timestamp, to } = wanted
  const isForward = direction === "forward"
  const order = sql.literal(isForward ? "timestamp, sequence" : "timestamp desc, sequence desc")
  // The bound on the time alone lets the planner prune days.
  const behind = isForward
    ? sql`timestamp >= ${timestamp}::bigint and (timestamp, sequence) > (${timestamp}::bigint, ${sequence}::bigint)`
    : sql`timestamp <= ${timestamp}::bigint and (timestamp, sequence) < (${timestamp}::bigint, ${sequence}::bigint)`
  const recent = notBefore === undefined ? sql`true` : sql`timestamp >= ${notBefore}::bigint`
  const found = yield* sql`select array_agg(id) as ids, string_agg(concat_ws(${betweenFields},
      timestamp, sequence, price, size, trim_scale(price * size), is_buy, received_at), ${betweenRows}) as rows
    from (
      select id, timestamp, sequence, price, size, is_buy, received_at from tape_trade
      where series = ${series}::int and ${behind} and ${recent} and sequence between ${from}::bigint and ${to}::bigint
      order by ${order} limit ${rows}::int
    ) as page`
  const [{ ids, rows: text }] = yield* decodePage(found)
  if (ids === null || text === null) return []
  const lines = text.split(betweenRows)
  return ids.map((id, at) => trade(id, lines[at] ?? ""))
})

const rowsOfPage = 5000

/** Responses of more rows read their pages in turns. */
const longResponse = 1000

/** Pages per turn: other users of the store, above all the check of an API key, wait for no more than these. */
const pagesAtOnce = 2

const furthest = Number.MAX_SAFE_INTEGER

const decodeIntervals = Schema.decodeUnknownEffect(Schema.Array(IntervalRow))

/** The current intervals of a series. */
const toCoverage = (sql: SqlClient.SqlClient, series: number) =>
  Effect.flatMap(
    sql`select from_sequence::float8 as from, to_sequence::float8 as to,
        from_time::float8 as "fromTime", to_time::float8 as "toTime"
      from tape_coverage where series = ${series}::int order by from_sequence`,
    decodeIntervals
  )

const decodeBeginnings = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ market: Schema.String, time: Schema.Int }))
)

const toBeginnings = (sql: SqlClient.SqlClient, exchange: string) =>
  Effect.flatMap(
    sql`select market, min(from_time)::float8 as time from tape_series
      join tape_coverage on tape_coverage.series = tape_series.id where exchange = ${exchange} group by market`,
    decodeBeginnings
  )

const Extent = Schema.Tuple([Schema.Struct({ trades: Schema.Int, newest: Schema.NullOr(Schema.Int) })])
const decodeExtent = Schema.decodeUnknownEffect(Extent)

/** How many trades of these sequences are stored, and the time of the last one. */
const getExtent = (sql: SqlClient.SqlClient, series: number, from: number, to: number) =>
  Effect.flatMap(
    sql`select coalesce(sum(least(to_sequence, ${to}::bigint) - greatest(from_sequence, ${from}::bigint) + 1), 0)::float8
        as trades, max(to_time)::float8 as newest
      from tape_coverage
      where series = ${series}::int and from_sequence <= ${to}::bigint and to_sequence >= ${from}::bigint`,
    decodeExtent
  )

/**
 * The tape in a SQL store. Long responses are read in pages, so that the single session of an embedded store serves
 * others in between. The pages of one response show one state, because only sequences covered at its start are included.
 */
export const layer: Layer.Layer<TapeReads, never, SqlClient.SqlClient> = Layer.effect(
  TapeReads,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const turns = yield* Semaphore.make(pagesAtOnce)
    const newestTrades = yield* makeFreshReads<Option.Option<SourceTrade>, TapeError>()

    const pages = Effect.fnUntraced(function* (
      wanted: Omit<PageWanted, "rows">,
      limit: number,
      isKept: (trade: TapeTrade) => boolean
    ): Effect.fn.Return<Array<TapeTrade>, TapeError> {
      const found: Array<TapeTrade> = []
      let behind: Pick<PageWanted, "timestamp" | "sequence"> = wanted
      let { notBefore } = wanted
      while (found.length < limit) {
        const rows = Math.min(rowsOfPage, limit - found.length)
        const read = readPage(sql, { ...wanted, ...behind, notBefore, rows })
        const page = yield* limit > longResponse ? turns.withPermit(read) : read
        for (const trade of page) if (isKept(trade)) found.push(trade)
        behind = page.at(-1) ?? behind
        if (page.length === rows) continue
        if (notBefore === undefined) break
        notBefore = undefined
      }
      return found
    })

    return TapeReads.of({
      beginnings: Effect.fn("SqlTapeReads.beginnings")((exchange) => toBeginnings(sql, exchange)),
      newestTrade: Effect.fn("SqlTapeReads.newestTrade")((exchange, market) =>
        newestTrades(`${exchange} ${market}`, readNewestTrade(sql, exchange, market))
      ),
      latest: Effect.fn("SqlTapeReads.latest")(function* (series, { from, to }, limit) {
        const [{ newest, trades }] = yield* getExtent(sql, series, from, to)
        if (newest === null) return []
        const position = { direction: "backward", timestamp: furthest, sequence: furthest } as const
        const wanted = { series, from, to, ...position, notBefore: newest - dayMs }
        // To look for more would read the whole tape.
        const newestFirst = yield* pages(wanted, Math.min(limit, trades), () => true)
        return newestFirst.reverse()
      }),
      since: Effect.fn("SqlTapeReads.since")(function* (series, time, limit) {
        const position = { direction: "forward", timestamp: time, sequence: -1 } as const
        // One page is one statement, and thus one state.
        const state = limit <= rowsOfPage ? undefined : yield* toCoverage(sql, series)
        return yield* pages(
          { series, from: 0, to: furthest, ...position },
          limit,
          ({ sequence }) => state === undefined || contains(state, sequence)
        )
      }),
      candlePage: Effect.fn("SqlTapeReads.candlePage")(function* (series, wanted) {
        const read = readCandlePage(sql, series, wanted)
        return yield* wanted.limit > longResponse ? turns.withPermit(read) : read
      }),
      lastCandle: Effect.fn("SqlTapeReads.lastCandle")((series, timeframe) => readLastCandle(sql, series, timeframe))
    })
  })
)
