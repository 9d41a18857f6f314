import { getNeighbours, maxDisorderMs } from "./Coverage.ts"
import type { Coverage, Position } from "./Coverage.ts"

const isOlder = (time: number, other: number): boolean => time < other - maxDisorderMs

/**
 * The new trades whose time contradicts their sequence: they are far older than the trade before them, or far newer than
 * the one after them, while these two fit. The tape would drop them, and all trades up to them, with the day of their time.
 */
export const findMisdated = (coverage: Coverage, trades: ReadonlyArray<Position>): ReadonlySet<number> => {
  const found = new Set<number>()
  const ascending = trades.toSorted((one, other) => one.sequence - other.sequence)
  let last: Position | undefined
  for (const [at, { sequence, timestamp }] of ascending.entries()) {
    const { after, before } = getNeighbours(coverage, sequence)
    const isLastNearer = last !== undefined && last.sequence > (before?.to ?? -1)
    const lower = isLastNearer ? last?.timestamp : before?.toTime
    const next = ascending[at + 1]
    const isNextNearer = next !== undefined && next.sequence < (after?.from ?? Number.POSITIVE_INFINITY)
    const upper = isNextNearer ? next.timestamp : after?.fromTime
    const isTooOld = lower !== undefined && isOlder(timestamp, lower)
    const isTooNew = upper !== undefined && isOlder(upper, timestamp) && !(lower !== undefined && isOlder(upper, lower))
    if (isTooOld || isTooNew) found.add(sequence)
    else last = { sequence, timestamp }
  }
  return found
}
