import { formatCount, groupDigits } from "../../parts/Count.ts"
import { Time } from "../../parts/time/Time.tsx"
import type { Recording, RecordingGap } from "../../service/Status.ts"

const toIds = ({ from, to }: RecordingGap) =>
  from === to ? `id ${groupDigits(from)}` : `ids ${groupDigits(from)} to ${groupDigits(to)}`

/** The missing trades of a recording; their ids on demand. */
export const Missing = ({ recording: { gapCount, gaps, missing } }: { readonly recording: Recording }) => {
  if (gapCount === 0) return <p className="quiet">No trade is missing.</p>
  return (
    <details data-missing={missing}>
      <summary>
        {formatCount(missing, "trade")} missing in {formatCount(gapCount, "gap")}
      </summary>
      <ul className="ids">
        {gaps.map((gap) => (
          <li key={gap.from}>
            {toIds(gap)}, <Time millis={gap.fromTime} /> to <Time millis={gap.toTime} />:{" "}
            {gap.state === "open" ? "still requested" : "the exchange no longer has them"}
          </li>
        ))}
      </ul>
      {gapCount > gaps.length ? <p className="quiet">The newest {gaps.length} are listed.</p> : null}
    </details>
  )
}
