import { formatCount } from "../format/Count.ts"
import { ReadProblem } from "../parts/Loaded.tsx"
import { Time } from "../parts/time/Time.tsx"
import { countMissing, historyText, missingText } from "../recording/MissingTrades.ts"
import { RecordingGaps } from "../recording/RecordingGaps.tsx"
import type { Continuity } from "../service/Status.ts"
import { readStatus } from "../service/Status.ts"
import { usePolling } from "../service/usePolling.ts"
import type { Listing } from "./Claim.ts"
import { Fact } from "./Fact.tsx"

const proofs: Readonly<Record<Continuity, string>> = {
  unknown: "In a way that this page does not know. Reload the page.",
  sequence: "The exchange numbers its trades: a missing number is a missing trade.",
  overlap: "The exchange does not number its trades: pages that overlap show none is missing between them."
}

/** The recording of a market: its range, how gaps are found, and its gaps. */
export const RecordingFacts = ({ exchange, market }: Listing) => {
  const live = usePolling(`recording ${exchange} ${market}`, readStatus, undefined)
  if (live.value === undefined)
    return live.problem === undefined ? null : (
      <Fact name="Recording">
        <ReadProblem problem={live.problem} />
      </Fact>
    )
  const recording = live.value.recordings.find((one) => one.exchange === exchange && one.market === market)
  if (recording === undefined || recording.from === null || recording.to === null)
    return <Fact name="Recording">The service does not record this market.</Fact>
  const { continuity, from, gapCount, to } = recording
  const missing = countMissing([recording])
  const history = historyText(missing)
  return (
    <>
      <Fact name="Recorded">
        <Time millis={from} withDate /> to <Time millis={to} withDate />
      </Fact>
      {continuity === null ? null : <Fact name="How gaps are found">{proofs[continuity]}</Fact>}
      <Fact name="Gaps">
        {gapCount === 0 ? (
          "none"
        ) : (
          <>
            {formatCount(gapCount, "gap")}, {missingText(missing)}
            <RecordingGaps recording={recording} />
          </>
        )}
        {history === "" ? null : <p className="quiet">{history}</p>}
      </Fact>
    </>
  )
}
