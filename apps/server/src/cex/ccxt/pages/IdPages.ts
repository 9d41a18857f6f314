import { Effect } from "effect"
import type { ExchangeError, SourceTrade, SourceTrades } from "../../ExchangeSource.ts"
import { areDense, compareTrades, toSequence } from "../../TradeSequence.ts"
import type { IdCursor } from "../catalog/Quirks.ts"
import { emptyPage } from "../rows/TradeRows.ts"
import type { TradePage } from "../rows/TradeRows.ts"
import type { MarketReads } from "./MarketReads.ts"

/** Where trades of a market are read by id: its ids are a sequence. */
export interface IdReads extends MarketReads {
  readonly cursor: IdCursor
}

const parallelPages = 4
// A sequence with gaps needs more pages than rows suggest; each round requests what is still missing.
const maxRounds = 8

/** Trades by id. */
export type TradesById = Map<number, SourceTrade>

export const toSequenceError = ({ upstream }: IdReads): ExchangeError =>
  upstream.fail("BadResponse", `The exchange "${upstream.id}" sent a trade id out of sequence.`)

/** Adds the trades of a page. Returns their ids, ascending. */
export const collect = Effect.fnUntraced(function* (reads: IdReads, page: TradePage, into: TradesById) {
  const ids: Array<number> = []
  for (const trade of page.trades) {
    const id = toSequence(trade.id)
    if (id === undefined) return yield* toSequenceError(reads)
    into.set(id, trade)
    ids.push(id)
  }
  return ids.sort((left, right) => left - right)
})

/** The page of the ids from `from` up to and without `to`; if ids are missing, the exchange may add older ones. */
const fetchIds = (reads: IdReads, from: number, to: number): Effect.Effect<TradePage, ExchangeError> => {
  const limit = to - from
  const request = { symbol: reads.symbol, limit, params: reads.cursor.params(from, limit) }
  return Effect.map(reads.upstream.trades(request, reads.deadline), (page) => ({
    ...page,
    trades: page.trades.filter((trade) => {
      const id = toSequence(trade.id)
      return id === undefined || id < to
    })
  }))
}

/** The last page of at most `rows` ids below `end`. */
export const fetchBelow = (reads: IdReads, end: number, rows: number): Effect.Effect<TradePage, ExchangeError> => {
  const { firstId, pageCap } = reads.cursor
  const from = Math.max(firstId, end - Math.min(rows, pageCap))
  return from < end ? fetchIds(reads, from, end) : Effect.succeed(emptyPage)
}

/** Collects the trades of one page. */
export const collectIds = (reads: IdReads, from: number, to: number, into: TradesById) =>
  Effect.flatMap(fetchIds(reads, from, to), (page) => collect(reads, page, into))

/** Collects every trade with an id from `from` up to and without `to`. */
export const fetchRange = Effect.fnUntraced(function* (reads: IdReads, from: number, to: number, into: TradesById) {
  const starts: Array<number> = []
  for (let start = from; start < to; start += reads.cursor.pageCap) starts.push(start)
  yield* Effect.forEach(starts, (start) => collectIds(reads, start, Math.min(start + reads.cursor.pageCap, to), into), {
    concurrency: parallelPages,
    discard: true
  })
})

/** The newest `limit` trades, given the newest page; with `end` the newest below that id, given the page below it. */
export const readLatestByIds = Effect.fnUntraced(function* (
  reads: IdReads,
  newest: TradePage,
  limit: number,
  end?: number
) {
  const found: TradesById = new Map()
  const ids = yield* collect(reads, newest, found)
  const { firstId, pageCap } = reads.cursor
  let lowest = ids[0] ?? (end === undefined ? firstId : Math.max(firstId, end - Math.min(limit, pageCap)))
  for (let round = 0; round < maxRounds && found.size < limit && lowest > firstId; round++) {
    const from = Math.max(firstId, lowest - (limit - found.size))
    const before = found.size
    yield* fetchRange(reads, from, lowest, found)
    lowest = from
    if (found.size === before) break
  }
  const trades = [...found.values()].sort(compareTrades).slice(-limit)
  const isWhole = trades.length === limit || trades[0] === undefined || toSequence(trades[0].id) === firstId
  return toSourceTrades(trades, isWhole && isReached(trades, firstId, end))
})

/** Whether nothing is missing between the last of the trades and the id `end`, if there is one. */
const isReached = (trades: ReadonlyArray<SourceTrade>, firstId: number, end: number | undefined): boolean => {
  const last = trades[trades.length - 1]
  return (
    end === undefined || (last === undefined ? firstId : (toSequence(last.id) ?? end) + 1) === Math.max(end, firstId)
  )
}

export const toSourceTrades = (trades: ReadonlyArray<SourceTrade>, isWhole: boolean): SourceTrades => ({
  trades,
  completeness: isWhole && (trades.length === 0 || areDense(trades)) ? "complete" : "incomplete"
})
