import type { Gap } from "./Coverage.ts"

/** A frame that arrives late is not a gap yet. */
const backfillDelayMs = 500

/** The number of responses without any of the missing trades after which they are considered lost: about a minute. */
const missesUntilUnfillable = 6
const firstRetryMs = 1000
const firstRareRetryMs = 600_000
const maxRareRetryMs = 3_600_000

/** A gap, and the state of its backfill. */
export interface PendingGap extends Gap {
  /** When to request its trades, by `monotonicMillis`, like every `now` here. */
  readonly dueAt: number
  /** Responses that contained none of its trades. */
  readonly misses: number
  /** Whether its grace period is over and it was recorded as an event. */
  readonly isAnnounced: boolean
}

export const isUnfillable = ({ misses }: PendingGap): boolean => misses >= missesUntilUnfillable

/** Begins the backfill of gaps. A part of a known gap continues with the attempts of that gap. */
export const trackGaps = (
  known: ReadonlyArray<PendingGap>,
  gaps: ReadonlyArray<Gap>,
  now: number
): ReadonlyArray<PendingGap> => {
  let at = 0
  return gaps.map((gap): PendingGap => {
    while ((known[at]?.to ?? Number.POSITIVE_INFINITY) < gap.from) at++
    const before = known[at]
    return before !== undefined && before.from <= gap.from && gap.to <= before.to
      ? { ...before, ...gap }
      : { ...gap, dueAt: now + backfillDelayMs, misses: 0, isAnnounced: false }
  })
}

/** After a response without any of its trades: retried soon, and rarely once the trades are considered lost. */
export const countMiss = (gap: PendingGap, now: number): PendingGap => {
  const misses = gap.misses + 1
  const rare = misses - missesUntilUnfillable
  const wait =
    rare < 0 ? firstRetryMs * 2 ** gap.misses : Math.min(maxRareRetryMs, firstRareRetryMs * 2 ** Math.min(rare, 8))
  return { ...gap, misses, dueAt: now + wait }
}

export const replaceGap = (pending: ReadonlyArray<PendingGap>, gap: PendingGap): ReadonlyArray<PendingGap> =>
  pending.map((one) => (one.from === gap.from && one.to === gap.to ? gap : one))

/** The newest gap that is due; with `above`, the oldest due gap above that sequence, if there is one. */
export const findNextDue = (
  pending: ReadonlyArray<PendingGap>,
  now: number,
  above?: number
): PendingGap | undefined => {
  const oldest = above === undefined ? undefined : pending.find(({ dueAt, from }) => dueAt <= now && from > above)
  return oldest ?? pending.findLast(({ dueAt }) => dueAt <= now)
}

/** When the next gap is due. */
export const findEarliestDue = (pending: ReadonlyArray<PendingGap>): number | undefined =>
  pending.length === 0 ? undefined : pending.reduce((earliest, { dueAt }) => Math.min(earliest, dueAt), Infinity)

export const countMissing = (pending: ReadonlyArray<PendingGap>): number =>
  pending.reduce((sum, gap) => (isUnfillable(gap) ? sum : sum + gap.to - gap.from + 1), 0)
