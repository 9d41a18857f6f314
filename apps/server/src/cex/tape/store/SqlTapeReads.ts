import { Effect, Layer, type Option, Schema, Semaphore } from "effect"
import { SqlClient } from "effect/sql"
import { dayMs } from "../../../internal/day.ts"
import { makeSingleFlight } from "../../../internal/SingleFlight.ts"
import type { SourceTrade } from "../../ExchangeSource.ts"
import { contains } from "../ledger/Coverage.ts"
import type { TapeError, TapeTrade } from "../Tape.ts"
import { TapeReads } from "../Tape.ts"
import { readNewestTrade } from "./SqlNewestTrade.ts"
import { readCandlePage, readLastCandle } from "./SqlTapeCandles.ts"
import { readPage } from "./SqlTapeReadsPage.ts"
import type { PageWanted } from "./SqlTapeReadsPage.ts"
import { IntervalRow } from "./SqlTapeSeries.ts"

const rowsOfPage = 5000

/** Answers of more rows read their pages in turns. */
const longAnswer = 1000

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

const NewestTime = Schema.Tuple([Schema.Struct({ time: Schema.NullOr(Schema.Int) })])
const decodeNewestTime = Schema.decodeUnknownEffect(NewestTime)

/** The time of the last trade of these sequences; none if none of them is stored. */
const getNewestTime = (sql: SqlClient.SqlClient, series: number, from: number, to: number) =>
  Effect.map(
    Effect.flatMap(
      sql`select max(to_time)::float8 as time from tape_coverage
        where series = ${series}::int and from_sequence <= ${to}::bigint and to_sequence >= ${from}::bigint`,
      decodeNewestTime
    ),
    ([{ time }]) => time ?? undefined
  )

/**
 * The tape in a SQL store. Long answers are read in pages, so that the single session of an embedded store serves
 * others in between. The pages of one answer show one state, because only sequences covered at its start are included.
 */
export const layer: Layer.Layer<TapeReads, never, SqlClient.SqlClient> = Layer.effect(
  TapeReads,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const turns = yield* Semaphore.make(pagesAtOnce)
    const newestTrades = yield* makeSingleFlight<Option.Option<SourceTrade>, TapeError>()

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
        const page = yield* limit > longAnswer ? turns.withPermit(read) : read
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
        const newest = yield* getNewestTime(sql, series, from, to)
        const notBefore = newest === undefined ? undefined : newest - dayMs
        const position = { direction: "backward", timestamp: furthest, sequence: furthest, notBefore } as const
        const newestFirst = yield* pages({ series, from, to, ...position }, limit, () => true)
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
        return yield* wanted.limit > longAnswer ? turns.withPermit(read) : read
      }),
      lastCandle: Effect.fn("SqlTapeReads.lastCandle")((series, timeframe) => readLastCandle(sql, series, timeframe))
    })
  })
)
