import type { Interval, TapeTrade } from "../Tape.ts"

/** Runs of consecutive sequences: ascending, never adjacent. */
export type Coverage = ReadonlyArray<Interval>

/**
 * Times of trades decrease by at most this (milliseconds) along their ids: an exchange may show an earlier trade this long
 * after a later one. Afterwards nothing is added to a proven range.
 */
export const maxDisorderMs = 600_000

/** The position of a trade among those of its market. */
export type Position = Pick<TapeTrade, "sequence" | "timestamp">

/** Sequences that are missing between two intervals, with the times of the trades around them. */
export type Gap = Interval

/** The index of the first interval that ends at or after a sequence. */
const findIndexFrom = (coverage: Coverage, sequence: number): number => {
  let low = 0
  let high = coverage.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const interval = coverage[middle]
    if (interval !== undefined && interval.to < sequence) low = middle + 1
    else high = middle
  }
  return low
}

const isAscending = (trades: ReadonlyArray<Position>): boolean =>
  trades.every((trade, at) => trade.sequence >= (trades[at - 1]?.sequence ?? trade.sequence))

/** Of two trades with the same sequence, the first is used. */
const getRuns = (trades: ReadonlyArray<Position>): Array<Interval> => {
  const ascending = isAscending(trades) ? trades : trades.toSorted((a, b) => a.sequence - b.sequence)
  const runs: Array<Interval> = []
  let run: { from: number; to: number; fromTime: number; toTime: number } | undefined
  for (const { sequence, timestamp } of ascending) {
    if (run === undefined || sequence > run.to + 1) {
      run = { from: sequence, to: sequence, fromTime: timestamp, toTime: timestamp }
      runs.push(run)
    } else if (sequence === run.to + 1) {
      run.to = sequence
      run.toTime = timestamp
    }
  }
  return runs
}

/** The union of two intervals. If they end at the same sequence, the times of the first are used. */
const joinIntervals = (first: Interval, second: Interval): Interval => {
  const start = second.from < first.from ? second : first
  const end = second.to > first.to ? second : first
  return { from: start.from, fromTime: start.fromTime, to: end.to, toTime: end.toTime }
}

/** The union of two coverages, in linear time. */
const mergeRuns = (stored: Coverage, runs: Coverage): Array<Interval> => {
  const result: Array<Interval> = []
  let last: Interval | undefined
  const add = (interval: Interval, isStored: boolean) => {
    if (last === undefined || interval.from > last.to + 1) {
      result.push(interval)
      last = interval
    } else {
      last = isStored ? joinIntervals(interval, last) : joinIntervals(last, interval)
      result[result.length - 1] = last
    }
  }
  let at = 0
  for (const run of runs) {
    for (let next = stored[at]; next !== undefined && next.from <= run.from; next = stored[++at]) add(next, true)
    add(run, false)
  }
  for (const rest of stored.slice(at)) add(rest, true)
  return result
}

/** The coverage including these trades, in any order. Trades that are already covered change nothing. */
export const withTrades = (coverage: Coverage, trades: ReadonlyArray<Position>): Coverage => {
  const runs = getRuns(trades)
  const [first] = runs
  const last = runs.at(-1)
  if (first === undefined || last === undefined) return coverage
  const start = findIndexFrom(coverage, first.from - 1)
  const after = findIndexFrom(coverage, last.to + 1)
  const next = coverage[after]
  const end = next !== undefined && next.from <= last.to + 1 ? after + 1 : after
  return [...coverage.slice(0, start), ...mergeRuns(coverage.slice(start, end), runs), ...coverage.slice(end)]
}

/** The gaps between the intervals, ascending. */
export const gaps = (coverage: Coverage): ReadonlyArray<Gap> =>
  coverage.slice(1).flatMap((next, at) => {
    const before = coverage[at]
    return before === undefined
      ? []
      : [{ from: before.to + 1, to: next.from - 1, fromTime: before.toTime, toTime: next.fromTime }]
  })

/** The interval that contains a sequence. */
export const getInterval = (coverage: Coverage, sequence: number): Interval | undefined => {
  const interval = coverage[findIndexFrom(coverage, sequence)]
  return interval !== undefined && interval.from <= sequence ? interval : undefined
}

/** The intervals before and after a sequence that the coverage does not contain. */
export const getNeighbours = (coverage: Coverage, sequence: number) => {
  const next = findIndexFrom(coverage, sequence)
  return { before: coverage[next - 1], after: coverage[next] }
}

export const contains = (coverage: Coverage, sequence: number): boolean => getInterval(coverage, sequence) !== undefined

/** Separates the trades whose sequence is not stored, each once, from the others. */
export const sortOut = <A extends Pick<Position, "sequence">>(trades: ReadonlyArray<A>, coverage: Coverage) => {
  const seen = new Set<number>()
  const fresh: Array<A> = []
  const again: Array<A> = []
  for (const trade of trades) {
    const group = seen.has(trade.sequence) || contains(coverage, trade.sequence) ? again : fresh
    group.push(trade)
    seen.add(trade.sequence)
  }
  return { fresh, again }
}

export const newest = (coverage: Coverage): Interval | undefined => coverage.at(-1)
