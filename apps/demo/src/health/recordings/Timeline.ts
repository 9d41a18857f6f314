import type { Recording, RecordingGap } from "../../service/Status.ts"

/** A bar of the timeline of a recording. Times are Unix milliseconds. */
export interface TimelineBar {
  readonly from: number
  readonly to: number
  readonly state: "none" | "complete" | RecordingGap["state"]
}

/** The bars of a timeline. */
export const barCount = 90

/** The length of a bar, in milliseconds. */
export const barLength = 60_000

const toState = ({ from, gaps, to }: Recording, start: number, end: number): TimelineBar["state"] => {
  const hit = gaps.filter(({ fromTime, toTime }) => fromTime < end && toTime >= start)
  const worst = hit.find(({ state }) => state === "open") ?? hit[0]
  if (worst !== undefined) return worst.state
  return from === null || to === null || from >= end || to < start ? "none" : "complete"
}

/** The minutes up to now, oldest first: recorded without a gap, with one, or not recorded. */
export const toTimeline = (recording: Recording, now: number): ReadonlyArray<TimelineBar> => {
  const end = (Math.floor(now / barLength) + 1) * barLength
  return Array.from({ length: barCount }, (_, index) => {
    const from = end - (barCount - index) * barLength
    const to = from + barLength
    return { from, to, state: toState(recording, from, to) }
  })
}
