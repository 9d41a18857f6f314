import { Effect } from "effect"
import type { SourceTrade } from "../../ExchangeSource.ts"
import { areDense, compareTrades } from "../../TradeSequence.ts"
import type { TradePage } from "../rows/TradeRows.ts"
import type { TradesById, IdReads } from "./IdPages.ts"
import { toSourceTrades, collect, collectIds, fetchRange } from "./IdPages.ts"

/** A trade's position in the market. */
export interface Anchor {
  readonly id: number
  /** Unix milliseconds. */
  readonly time: number
}

/** Positions of a market from earlier searches, by ascending id: a later search starts between two of them. */
export type Anchors = Array<Anchor>

const maxAnchors = 1024

const remember = (anchors: Anchors, seen: ReadonlyArray<Anchor>): void => {
  const known = new Set(anchors.map(({ id }) => id))
  anchors.push(...seen.filter(({ id }) => !known.has(id)))
  anchors.sort((left, right) => left.id - right.id)
  if (anchors.length > maxAnchors) anchors.splice(0, anchors.length, ...anchors.filter((_, index) => index % 2 === 0))
}

/** The search interval: the first trade at or after a time lies above `low` and at or below `high`. */
interface Bracket {
  /** The nearest trade known to be older, or the position before the first possible trade. */
  low: { readonly id: number; readonly time: number | undefined }
  high: Anchor
}

const narrow = (bracket: Bracket, anchors: ReadonlyArray<Anchor>, since: number): void => {
  for (const anchor of anchors) {
    if (anchor.time < since) {
      if (anchor.id > bracket.low.id && anchor.id < bracket.high.id) bracket.low = anchor
    } else if (anchor.id < bracket.high.id && anchor.id > bracket.low.id) bracket.high = anchor
  }
}

/**
 * Interpolates by the times of both ends on even steps and bisects on odd ones: fast where times are even, bounded on any.
 */
const guessId = ({ low, high }: Bracket, since: number, step: number): number => {
  const span = high.id - low.id
  const isGuessable = step % 2 === 0 && low.time !== undefined && high.time > low.time
  const share = isGuessable && low.time !== undefined ? (since - low.time) / (high.time - low.time) : 0.5
  return Math.min(Math.max(low.id + Math.round(span * share), low.id + 1), high.id - 1)
}

const toAnchors = (ids: ReadonlyArray<number>, found: TradesById): ReadonlyArray<Anchor> =>
  ids.flatMap((id) => {
    const trade = found.get(id)
    return trade === undefined ? [] : [{ id, time: trade.timestamp }]
  })

/** A search for the first trade at or after `since`, in Unix milliseconds. */
interface Search {
  readonly reads: IdReads
  readonly since: number
  readonly bracket: Bracket
  readonly anchors: Anchors
  /** The trades that are read already. */
  readonly found: TradesById
}

/** Searches as if times ascended along ids, until `bracket.high` is the trade after `bracket.low`. */
const bisect = Effect.fnUntraced(function* ({ anchors, bracket, found, reads, since }: Search) {
  const { pageCap } = reads.cursor
  const seen: Array<Anchor> = []
  for (let step = 0; bracket.high.id - bracket.low.id > 1; step++) {
    const middle = guessId(bracket, since, step)
    const from = Math.max(bracket.low.id + 1, Math.min(middle - Math.floor(pageCap / 2), bracket.high.id - pageCap))
    const to = Math.min(bracket.high.id, from + pageCap)
    const page = toAnchors(yield* collectIds(reads, from, to, found), found)
    const inside = page.filter(({ id }) => id > bracket.low.id && id < bracket.high.id)
    // Ids are missing there, or the exchange no longer serves them: nothing proves what was before.
    if (inside.length === 0) bracket.low = { id: to - 1, time: undefined }
    else narrow(bracket, inside, since)
    seen.push(...page.slice(0, 1), ...page.slice(-1))
  }
  remember(anchors, seen)
})

/** At most exchanges, times go back by milliseconds along ids: no trade below one that is this much older is searched for. */
const usualDisorderMs = 1000

/** Where older trades come before the first one, this many are compared: the times of single ones may be too old. */
const comparedTrades = 64

const toPageStart = ({ cursor: { firstId, pageCap } }: IdReads, end: number) => Math.max(firstId, end - pageCap)

/** The first of the ids below `end` that are read without a gap. */
const findReadStart = (found: TradesById, pageStart: number, end: number): number => {
  let start = end
  while (start > pageStart && found.has(start - 1)) start--
  return start
}

/** Reads the page below `end`, unless enough of its trades are read already. `last` is the last id that is wanted. */
const readPageBelow = Effect.fnUntraced(function* (
  { bracket: { low }, found, reads, since }: Search,
  end: number,
  last: number
) {
  const pageStart = toPageStart(reads, end)
  const readStart = findReadStart(found, pageStart, end)
  if (readStart === pageStart) return
  const isOld = (time: number | undefined) => time !== undefined && time <= since - usualDisorderMs
  const times = Array.from({ length: end - readStart }, (_, at) => found.get(readStart + at)?.timestamp)
  if (times.length >= comparedTrades && times.some(isOld)) return
  // Where the trade below is old, one page has the trades to compare it with, and those that are wanted.
  const from = end - 1 === low.id && isOld(low.time) ? Math.max(pageStart, end - comparedTrades) : pageStart
  yield* fetchRange(reads, from, Math.max(readStart, Math.min(from + reads.cursor.pageCap, last + 1)), found)
})

/** The first id from `start` on of a trade at or after `since`; `end` if there is none below it. */
const findFirst = ({ found, since }: Search, start: number, end: number): number => {
  for (let id = start; id < end; id++) if ((found.get(id)?.timestamp ?? 0) >= since) return id
  return end
}

/**
 * The lowest id of a trade at or after `since`, after a bisection. Where times go back along ids, such trades are below
 * its result too: the pages below are scanned until one has none. Below a page that begins with one, the bisection is
 * repeated.
 */
const scanBelow = Effect.fnUntraced(function* (search: Search, last: number) {
  const { anchors, bracket, found, reads, since } = search
  const { firstId } = reads.cursor
  let first = bracket.high.id
  for (;;) {
    const pageStart = toPageStart(reads, first)
    yield* readPageBelow(search, first, last)
    const lowest = findFirst(search, pageStart, first)
    if (lowest === first) return first
    first = lowest
    if (first > pageStart || first === firstId) continue
    bracket.low = { id: firstId - 1, time: undefined }
    bracket.high = { id: first, time: found.get(first)?.timestamp ?? since }
    narrow(bracket, anchors, since)
    yield* bisect(search)
    first = bracket.high.id
  }
})

/**
 * The first `limit` trades at or after `since` (Unix ms), given the newest page; with `end` those before that position.
 */
export const readSinceByIds = Effect.fnUntraced(function* (
  reads: IdReads,
  newest: TradePage,
  anchors: Anchors,
  request: { readonly since: number; readonly limit: number; readonly end?: Anchor | undefined }
) {
  const { end, limit, since } = request
  const found: TradesById = new Map()
  const recent = toAnchors(yield* collect(reads, newest, found), found)
  const top = end ?? recent[recent.length - 1]
  const high = [...recent, ...(end === undefined ? [] : [end])].find(({ time }) => time >= since)
  if (top === undefined || high === undefined) return toSourceTrades([], true)

  const bracket: Bracket = { low: { id: reads.cursor.firstId - 1, time: undefined }, high }
  narrow(bracket, recent, since)
  narrow(bracket, anchors, since)
  const search: Search = { reads, since, bracket, anchors, found }
  yield* bisect(search)
  remember(anchors, [high, top])

  const last = end === undefined ? top.id : end.id - 1
  const start = yield* scanBelow(search, last)
  const isProven = bracket.low.time !== undefined || bracket.low.id < reads.cursor.firstId
  const trades = yield* readFrom(search, start, { last, limit })
  const answered = trades.filter(({ timestamp }) => timestamp >= since).sort(compareTrades)
  // All up to the newest trade were read, or a trade that is too new may hide how many follow it.
  const isWhole =
    end === undefined
      ? (trades.length < limit && areDense(trades)) || answered.length === limit
      : answered.length === Math.min(limit, end.id - start)
  return toSourceTrades(answered, isProven && isWhole)
})

/** The first `limit` trades with an id from `start` on; fewer only if there are no more. */
const readFrom = Effect.fnUntraced(function* (
  { found, reads }: Search,
  start: number,
  { last, limit }: { readonly last: number; readonly limit: number }
) {
  const trades: Array<SourceTrade> = []
  for (let from = start; from <= last && trades.length < limit;) {
    const to = Math.min(from + limit - trades.length, last + 1)
    let missing = from
    while (missing < to && found.has(missing)) missing++
    yield* fetchRange(reads, missing, to, found)
    for (let id = from; id < to; id++) {
      const trade = found.get(id)
      if (trade !== undefined) trades.push(trade)
    }
    from = to
  }
  return trades
})
