import type { Gap } from "./Coverage.ts"

/** A frame that arrives late is not a gap yet. */
const graceMs = 500

/** The number of responses without any of the missing trades after which they are considered lost: about a minute. */
const missesUntilUnfillable = 6
const firstRetryMs = 1000
const firstRareRetryMs = 600_000
const longestRareRetryMs = 3_600_000

/** Sequences that the tape lacks, and the state of their backfill. */
export interface Hole extends Gap {
  /** When to request its trades, by `monotonicMillis`, like every `now` here. */
  readonly dueAt: number
  /** Responses that contained none of its trades. */
  readonly misses: number
  /** Whether its grace is over and it was recorded as an event. */
  readonly isAnnounced: boolean
}

export const isUnfillable = ({ misses }: Hole): boolean => misses >= missesUntilUnfillable

/** Converts gaps to holes. A part of a known hole keeps the hole's history. */
export const trackHoles = (known: ReadonlyArray<Hole>, gaps: ReadonlyArray<Gap>, now: number): ReadonlyArray<Hole> => {
  let at = 0
  return gaps.map((gap): Hole => {
    while ((known[at]?.to ?? Number.POSITIVE_INFINITY) < gap.from) at++
    const before = known[at]
    return before !== undefined && before.from <= gap.from && gap.to <= before.to
      ? { ...before, ...gap }
      : { ...gap, dueAt: now + graceMs, misses: 0, isAnnounced: false }
  })
}

/** After a response without any of its trades: retried soon, and rarely once the trades are considered lost. */
export const countMiss = (hole: Hole, now: number): Hole => {
  const misses = hole.misses + 1
  const rare = misses - missesUntilUnfillable
  const wait =
    rare < 0 ? firstRetryMs * 2 ** hole.misses : Math.min(longestRareRetryMs, firstRareRetryMs * 2 ** Math.min(rare, 8))
  return { ...hole, misses, dueAt: now + wait }
}

export const replaceHole = (holes: ReadonlyArray<Hole>, hole: Hole): ReadonlyArray<Hole> =>
  holes.map((one) => (one.from === hole.from && one.to === hole.to ? hole : one))

/** The newest hole that is due; with `above`, the oldest of the due holes above that sequence, if there is one. */
export const nextDue = (holes: ReadonlyArray<Hole>, now: number, above?: number): Hole | undefined => {
  const oldest = above === undefined ? undefined : holes.find(({ dueAt, from }) => dueAt <= now && from > above)
  return oldest ?? holes.findLast(({ dueAt }) => dueAt <= now)
}

/** When the next hole is due. */
export const earliestDue = (holes: ReadonlyArray<Hole>): number | undefined =>
  holes.length === 0 ? undefined : holes.reduce((earliest, { dueAt }) => Math.min(earliest, dueAt), Infinity)

export const missingIn = (holes: ReadonlyArray<Hole>): number =>
  holes.reduce((sum, hole) => (isUnfillable(hole) ? sum : sum + hole.to - hole.from + 1), 0)
