/**
 * The position of a reader of trades, and how a response advances it: the rules of `TradeStream` without its requests.
 */
import * as DateTime from "effect/DateTime"
import type { Trade } from "../../cex/Trade.ts"

/** The maximum number of trades in one response. */
export const maxPage = 50_000

/** The most trades that cost one unit of a key's budget: a poll at the end, once a second, finds few. */
const maxPollRows = 999

/** The age from which the service considers trades settled: nothing older appears any more. */
const settledMs = 60_000

/** A sweep that takes longer than this starts over, so that its state stays bounded. */
const maxSweepMs = 2 * settledMs

/** A range in which trades are missing, which the live stream has reported. Times are Unix milliseconds. */
export interface ReportedGap {
  readonly from: number
  readonly to: number
  readonly missing: number | undefined
}

/** A read of everything from `certain` on: what was settled at its start is certain once it is complete. */
export interface Sweep {
  readonly startedAt: number
  /** The latest trade that the service showed at that time. */
  readonly newest: number
}

/** Times are Unix milliseconds. */
export interface TradePosition {
  /** The start of the next read. */
  readonly at: number
  /** Every trade before this was read; trades from here on that were read are in `known`, with their times. */
  readonly certain: number
  readonly known: ReadonlyMap<string, number>
  /** The latest trade read. */
  readonly newest: number
  /** Gaps that end after `certain`, so that they may still be filled. */
  readonly gaps: ReadonlyArray<ReportedGap>
  /** The sweep that has reached `at`; without one, only the trades from the latest one on are read. */
  readonly sweep: Sweep | undefined
  /** When the last sweep was complete. */
  readonly sweptAt: number
  readonly limit: number
  /** Whether there is nothing to read before some time has passed. */
  readonly isAtEnd: boolean
}

export interface ReadingRules {
  readonly pageSize: number
  /** How much older than the newest trade a trade may be that appears after it. */
  readonly settle: number
  readonly until: number
  readonly live: boolean
}

export interface Step {
  readonly fresh: ReadonlyArray<Trade>
  readonly next: TradePosition
  readonly isDone: boolean
  /** Whether the largest response contains only a single millisecond, so that no read can pass it. */
  readonly isStuck: boolean
}

/** A position from which everything is read again: only `known`, which the first read determines, is left out. */
export const startAt = (certain: number, limit: number): TradePosition => ({
  at: certain,
  certain,
  known: new Map(),
  newest: certain,
  gaps: [],
  sweep: undefined,
  sweptAt: Number.NEGATIVE_INFINITY,
  limit,
  isAtEnd: false
})

const selectFresh = (position: TradePosition, trades: ReadonlyArray<Trade>, until: number) => {
  const known = new Map(position.known)
  const fresh: Array<Trade> = []
  for (const trade of trades) {
    const time = DateTime.toEpochMillis(trade.timestamp)
    if (time > until || known.has(trade.id)) continue
    known.set(trade.id, time)
    fresh.push(trade)
  }
  return { fresh, known }
}

/** Everything before `certain` is read. */
const advanceCertain = (certain: number, position: TradePosition, known: ReadonlyMap<string, number>) =>
  certain === position.certain
    ? { certain, known }
    : {
        certain,
        known: new Map([...known].filter(([, time]) => time >= certain)),
        gaps: position.gaps.filter(({ to }) => to >= certain)
      }

/** The time up to which nothing is missing any more, once everything up to `reached` is read. */
const getCertain = (certain: number, sweep: Sweep | undefined, reached: number, settle: number): number => {
  if (sweep === undefined) return certain
  return Math.max(certain, Math.min(reached, Math.max(sweep.newest - settle, sweep.startedAt - settledMs)))
}

/** Also if the clock was set back since. */
const isPast = (time: number, by: number, now: number): boolean => now < time || now - time >= by

/** After a full response: the next read starts in the last millisecond of this one. */
const advancePage = (read: TradePosition, reached: number, now: number, settle: number): TradePosition => {
  const { certain, sweep, sweptAt } = read
  const isSweepDue = sweep === undefined ? isPast(sweptAt, settle, now) : isPast(sweep.startedAt, maxSweepMs, now)
  return { ...read, at: isSweepDue ? certain : reached, isAtEnd: false }
}

/** After a response that is not full: the next read looks for newer trades, or periodically for older ones as well. */
const finishAtEnd = (read: TradePosition, now: number, settle: number): TradePosition => {
  const sweptAt = read.sweep === undefined ? read.sweptAt : now
  const at = isPast(sweptAt, settle, now) ? read.certain : read.newest
  return { ...read, at, sweep: undefined, sweptAt, limit: Math.min(read.limit, maxPollRows), isAtEnd: true }
}

/** The new trades in the response to a read at `position`, started at `now`, and the next position. */
export const step = (
  position: TradePosition,
  trades: ReadonlyArray<Trade>,
  now: number,
  { live, pageSize, settle, until }: ReadingRules
): Step => {
  const { fresh, known } = selectFresh(position, trades, until)
  const last = trades.at(-1)
  const reached = last === undefined ? position.at : Math.max(position.at, DateTime.toEpochMillis(last.timestamp))
  const newest = Math.max(position.newest, reached)
  const isFull = trades.length >= position.limit
  const isAfter = !live && reached > until
  const sweep = position.at <= position.certain ? { startedAt: now, newest } : position.sweep
  if (isFull && reached === position.at) {
    const next = { ...position, known, sweep, limit: Math.min(Math.max(position.limit * 8, pageSize), maxPage) }
    return { fresh, next, isDone: isAfter, isStuck: !isAfter && position.limit >= maxPage }
  }
  const certain = getCertain(position.certain, sweep, isFull ? reached : newest, settle)
  const read = { ...position, ...advanceCertain(certain, position, known), newest, sweep, limit: pageSize }
  if (isFull) {
    return { fresh, next: advancePage(read, reached, now, settle), isDone: isAfter || certain > until, isStuck: false }
  }
  const isOver = sweep !== undefined && (certain > until || sweep.startedAt - settle >= until)
  return { fresh, next: finishAtEnd(read, now, settle), isDone: !live || isOver, isStuck: false }
}

/** The same position, from which everything that may have changed is read again. */
export const resetToCertain = (position: TradePosition): TradePosition => ({
  ...position,
  at: position.certain,
  sweep: undefined,
  limit: Math.min(position.limit, maxPollRows),
  isAtEnd: false
})

/**
 * The new trades of a live stream from `certain` on. It sends trades in the exchange's order, whose times may decrease
 * a little: trades older than the newest one by more than `settle` are certain.
 */
export const stepLive = (
  position: TradePosition,
  trades: ReadonlyArray<Trade>,
  settle: number
): Pick<Step, "fresh" | "next"> => {
  const { fresh, known } = selectFresh(position, trades, Number.POSITIVE_INFINITY)
  let reached = position.certain
  for (const { timestamp } of trades) reached = Math.max(reached, DateTime.toEpochMillis(timestamp))
  const newest = Math.max(position.newest, reached)
  const certain = Math.max(position.certain, reached - settle)
  const read = { ...position, ...advanceCertain(certain, position, known) }
  return { fresh, next: { ...read, at: certain, newest, sweep: undefined, isAtEnd: true } }
}
