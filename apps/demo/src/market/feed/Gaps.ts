import type { ChartCandles } from "../../chart/ChartCandle.ts"
import { formatCount } from "../../format/Count.ts"
import { countGap } from "../../recording/MissingTrades.ts"
import type { Recording, RecordingGap } from "../../service/Status.ts"

/** A gap of the tape that was seen since the page was opened. Times are Unix milliseconds. */
export interface SeenGap {
  readonly from: number
  readonly to: number
  readonly fromTime: number
  readonly toTime: number
  /** The number of missing trades; undefined if it is not known. */
  readonly missing: number | undefined
  readonly state: RecordingGap["state"] | "filled"
  readonly reason: string
}

const maxSeen = 12

/** These only repeat that trades are missing, or report trades that no longer are. */
const kindsWithoutReason = new Set(["gap", "backfilled"])

const getReason = (gap: RecordingGap, { events, lastError }: Recording): string => {
  const event = events.find(
    ({ from, kind, to }) =>
      !kindsWithoutReason.has(kind) && from !== null && to !== null && from <= gap.to && to >= gap.from
  )
  return event?.detail ?? lastError ?? "The exchange’s stream left them out."
}

const overlaps = (one: SeenGap, other: SeenGap) => one.from <= other.to && other.from <= one.to

/** Whether the recording would list a gap that is still there: not if it begins later, or lists only newer gaps. */
const wouldList = ({ from, gapCount, gaps }: Recording, gap: SeenGap): boolean =>
  from !== null && gap.fromTime >= from && (gapCount <= gaps.length || gaps.some((listed) => listed.from <= gap.from))

/**
 * The earlier gaps, and the current ones of the recording: a gap that it no longer reports is closed, unless it would not
 * report it anyway. A recording that starts does not know its gaps yet.
 */
export const updateGaps = (before: ReadonlyArray<SeenGap>, recording: Recording): ReadonlyArray<SeenGap> => {
  if (recording.state === "starting") return before
  const now = recording.gaps.map((gap): SeenGap => ({
    ...gap,
    missing: countGap(recording, gap),
    reason: getReason(gap, recording)
  }))
  const past = before
    .filter((gap) => !now.some((current) => overlaps(current, gap)))
    .filter((gap) => gap.state === "filled" || wouldList(recording, gap))
    .map((gap): SeenGap => ({ ...gap, state: "filled" }))
  return [...past, ...now].toSorted((one, other) => one.from - other.from).slice(-maxSeen)
}

/** The same candles, but those in whose time trades are missing are not proven. `length` is that of a candle in seconds. */
export const markUnproven = (candles: ChartCandles, missing: ReadonlyArray<SeenGap>, length: number): ChartCandles =>
  missing.length === 0
    ? candles
    : candles.map((candle) => {
        const [from, to] = [candle.start * 1000, (candle.start + length) * 1000]
        return missing.some(({ fromTime, toTime }) => fromTime < to && toTime >= from)
          ? { ...candle, isProven: false }
          : candle
      })

/** Without ids, nothing shows that a trade is missing. */
const uncertain: Readonly<Record<RecordingGap["state"], string>> = {
  open: "Trades may be missing, and are still asked for.",
  unfillable: "Trades may be missing, and are not asked for again.",
  unknown: "Trades may be missing."
}

export const gapSentence = ({ missing, reason, state }: SeenGap): string => {
  const trades = missing === undefined ? "Trades" : formatCount(missing, "trade")
  const isOne = missing === 1
  if (state === "filled") return `${trades} ${isOne ? "was missing and has" : "were missing and have"} been read again.`
  if (missing === undefined) return `${uncertain[state]} ${reason}`
  const are = isOne ? "is" : "are"
  if (state === "open") return `${trades} ${are} missing and still asked for. ${reason}`
  if (state === "unknown") return `${trades} ${are} missing. ${reason}`
  return `${trades} ${are} missing for good: the exchange does not give ${isOne ? "it" : "them"} any more. ${reason}`
}
