import { formatCount, groupDigits } from "../format/Count.ts"
import type { Recording, RecordingGap } from "../service/Status.ts"

/** The trades that recordings lack. */
export interface MissingTrades {
  /** Those that are known to be missing in gaps. */
  readonly inGaps: number
  /** Whether more than these may be missing in gaps. */
  readonly isAtLeast: boolean
  /** Those of the history of new recordings, which are still to be read. */
  readonly history: number
}

/** The number of trades that are missing in a gap; undefined if it is not known: only consecutive ids count trades. */
export const countGap = (
  { continuity }: Pick<Recording, "continuity">,
  { from, to }: RecordingGap
): number | undefined => (continuity === "sequence" ? to - from + 1 : undefined)

const addCounts = (counts: ReadonlyArray<number>) => counts.reduce((sum, count) => sum + count, 0)

/** The service counts as missing what it still requests: the gaps that are not unfillable, and the history. */
const countOne = (recording: Recording): MissingTrades => {
  const { gapCount, gaps, missing } = recording
  const count = (some: Recording["gaps"]) => addCounts(some.map((gap) => countGap(recording, gap) ?? 0))
  const requested = gaps.filter(({ state }) => state !== "unfillable")
  const areAllListed = gapCount === gaps.length
  return {
    inGaps: count(gaps),
    isAtLeast: !areAllListed || gaps.some((gap) => countGap(recording, gap) === undefined),
    history: areAllListed ? Math.max(0, missing - count(requested)) : 0
  }
}

export const countMissing = (recordings: ReadonlyArray<Recording>): MissingTrades => {
  const all = recordings.map(countOne)
  return {
    inGaps: addCounts(all.map(({ inGaps }) => inGaps)),
    isAtLeast: all.some(({ isAtLeast }) => isAtLeast),
    history: addCounts(all.map(({ history }) => history))
  }
}

/** Such as `61`, `at least 61` or `not known`. */
export const formatMissing = ({ inGaps, isAtLeast }: MissingTrades): string =>
  isAtLeast ? (inGaps === 0 ? "not known" : `at least ${groupDigits(inGaps)}`) : groupDigits(inGaps)

/** Such as `61 trades missing`, `at least 61 trades missing` or `trades missing`. */
export const missingText = ({ inGaps, isAtLeast }: MissingTrades): string =>
  isAtLeast && inGaps === 0
    ? "trades missing"
    : `${isAtLeast ? "at least " : ""}${formatCount(inGaps, "trade")} missing`

/** A sentence about the history that is still to be read; empty if there is none. */
export const historyText = ({ history }: MissingTrades): string =>
  history === 0
    ? ""
    : `${formatCount(history, "trade")} of the history ${history === 1 ? "is" : "are"} still to be read.`
