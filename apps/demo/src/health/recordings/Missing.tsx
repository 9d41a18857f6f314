import { formatCount } from "../../format/Count.ts"
import { countMissing, historyText, missingText } from "../../recording/MissingTrades.ts"
import { RecordingGaps } from "../../recording/RecordingGaps.tsx"
import type { Recording } from "../../service/Status.ts"

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** The missing trades of a recording; the gaps on demand. */
export const Missing = ({ recording }: { readonly recording: Recording }) => {
  const { gapCount } = recording
  const missing = countMissing([recording])
  const history = historyText(missing)
  if (gapCount === 0) return <p className="quiet">No trade is missing. {history}</p>
  return (
    <>
      <details>
        <summary>
          {capitalize(missingText(missing))} in {formatCount(gapCount, "gap")}
        </summary>
        <RecordingGaps recording={recording} />
      </details>
      {history === "" ? null : <p className="quiet">{history}</p>}
    </>
  )
}
