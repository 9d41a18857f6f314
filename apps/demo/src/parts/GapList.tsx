import type { Recording, RecordingGap } from "../service/Status.ts"
import { groupDigits } from "./Count.ts"
import { Time } from "./time/Time.tsx"

const states: Readonly<Record<RecordingGap["state"], string>> = {
  open: "still requested",
  unfillable: "the exchange no longer has them",
  unknown: "in a state that this page does not know: reload the page"
}

const toIds = ({ from, to }: RecordingGap) =>
  from === to ? `id ${groupDigits(from)}` : `ids ${groupDigits(from)} to ${groupDigits(to)}`

/** The ids that a recording lacks. The service lists the newest gaps. */
export const GapList = ({ gapCount, gaps }: Pick<Recording, "gapCount" | "gaps">) => (
  <>
    <ul className="ids">
      {gaps.map((gap) => (
        <li key={gap.from}>
          {toIds(gap)}, <Time millis={gap.fromTime} /> to <Time millis={gap.toTime} />: {states[gap.state]}
        </li>
      ))}
    </ul>
    {gapCount > gaps.length ? <p className="quiet">The newest {gaps.length} are listed.</p> : null}
  </>
)
