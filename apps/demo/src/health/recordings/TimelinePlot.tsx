import { formatCount } from "../../format/Count.ts"
import { useTimeText } from "../../parts/time/useTimeText.ts"
import type { Recording } from "../../service/Status.ts"
import { barCount, toTimeline } from "./Timeline.ts"
import "./timeline.css"

const words = {
  none: "not recorded",
  complete: "complete",
  open: "trades are missing and still requested",
  unfillable: "trades are missing, and the exchange no longer has them",
  unknown: "trades are missing"
} as const

/** The recording of a market, minute by minute. */
export const TimelinePlot = ({ now, recording }: { readonly recording: Recording; readonly now: number }) => {
  const timeText = useTimeText()
  const bars = toTimeline(recording, now)
  const count = (state: string) => bars.filter((bar) => bar.state === state).length
  const gaps = bars.length - count("complete") - count("none")
  return (
    <svg
      className="timeline"
      viewBox={`0 0 ${barCount * 4} 24`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`The last ${barCount} minutes of ${recording.market}: ${count("complete")} complete, ${formatCount(gaps, "minute")} with a gap, ${count("none")} not recorded`}
    >
      {bars.map(({ from, state, to }, index) => (
        <rect
          key={from}
          className={state}
          data-bar={state}
          x={index * 4 + 0.5}
          y={state === "none" ? 18 : 0}
          width={3}
          height={state === "none" ? 6 : 24}
        >
          <title>{`${timeText(from)} to ${timeText(to)}: ${words[state]}`}</title>
        </rect>
      ))}
    </svg>
  )
}
