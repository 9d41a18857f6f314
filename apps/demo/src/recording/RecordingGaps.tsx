import { groupDigits } from "../format/Count.ts"
import { Time } from "../parts/time/Time.tsx"
import type { Recording, RecordingGap } from "../service/Status.ts"
import { countGap } from "./MissingTrades.ts"

type Continuity = Pick<Recording, "continuity">

const states: Readonly<Record<RecordingGap["state"], string>> = {
  open: "still requested",
  unfillable: "the exchange no longer has them",
  unknown: "in a state that this page does not know: reload the page"
}

/** Where ids prove nothing, a gap may be without any missing trade. */
const uncertainStates: typeof states = {
  ...states,
  open: "trades may be missing, and are still requested",
  unfillable: "trades may be missing, and are not requested again"
}

export const toStateText = (recording: Continuity, gap: RecordingGap): string =>
  (countGap(recording, gap) === undefined ? uncertainStates : states)[gap.state]

/** The ids that are missing; empty where the sequences of the recording are not ids of the exchange. */
export const toIds = (recording: Continuity, gap: RecordingGap): string => {
  const { from, to } = gap
  if (countGap(recording, gap) === undefined) return ""
  return from === to ? `id ${groupDigits(from)}, ` : `ids ${groupDigits(from)} to ${groupDigits(to)}, `
}

/** The gaps of a recording. The service lists the newest ones. */
export const RecordingGaps = ({
  recording
}: {
  readonly recording: Continuity & Pick<Recording, "gapCount" | "gaps">
}) => {
  const { gapCount, gaps } = recording
  return (
    <>
      <ul className="ids">
        {gaps.map((gap) => (
          <li key={gap.from}>
            {toIds(recording, gap)}
            <Time millis={gap.fromTime} /> to <Time millis={gap.toTime} />: {toStateText(recording, gap)}
          </li>
        ))}
      </ul>
      {gapCount > gaps.length ? <p className="quiet">The newest {gaps.length} are listed.</p> : null}
    </>
  )
}
