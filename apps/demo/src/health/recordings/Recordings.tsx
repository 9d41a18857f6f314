import { Card } from "../../parts/Card.tsx"
import type { Recording } from "../../service/Status.ts"
import { RecordingRow } from "./RecordingRow.tsx"
import { barCount } from "./Timeline.ts"

/** The recordings, each with a timeline of its gaps. */
export const Recordings = ({
  now,
  recordings
}: {
  readonly recordings: ReadonlyArray<Recording>
  readonly now: number
}) => (
  <Card title="Recordings" aside={<span className="quiet">the last {barCount} minutes, a bar for each</span>}>
    {recordings.length === 0 ? (
      <p className="quiet">This service records no market.</p>
    ) : (
      recordings.map((recording) => (
        <RecordingRow key={`${recording.exchange} ${recording.market}`} recording={recording} now={now} />
      ))
    )}
  </Card>
)
