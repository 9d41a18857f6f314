import { groupDigits } from "../internal/groupDigits.ts"
import type { RecordingGap, RecordingStatus } from "../status/RecordingStatuses.ts"

/** The trades that a recording lacks. */
export interface MissingTrades {
  /** Those that are known to be missing in gaps. */
  readonly inGaps: number
  /** Whether more than these may be missing in gaps: not all gaps are listed, or no consecutive ids count their trades. */
  readonly isAtLeast: boolean
  /** Those before the recording, which are still to be read; undefined if gaps that are not listed may be among them. */
  readonly history: number | undefined
}

const count = (gaps: ReadonlyArray<RecordingGap>): number => gaps.reduce((sum, { from, to }) => sum + to - from + 1, 0)

/** The status counts as missing what is still requested: the gaps that are not unfillable, and the history. */
export const countMissing = ({ continuity, gapCount, gaps, missing }: RecordingStatus): MissingTrades => {
  const counted = continuity === "sequence" ? gaps : []
  const requested = counted.filter(({ state }) => state !== "unfillable")
  const isSplit = gaps.length === gapCount || missing === 0
  return {
    inGaps: count(counted),
    isAtLeast: counted.length < gapCount,
    history: isSplit ? Math.max(0, missing - count(requested)) : undefined
  }
}

/** Such as `61`, `at least 61` or `not known`. */
export const formatMissing = ({ inGaps, isAtLeast }: MissingTrades): string =>
  isAtLeast ? (inGaps === 0 ? "not known" : `at least ${groupDigits(inGaps)}`) : groupDigits(inGaps)
