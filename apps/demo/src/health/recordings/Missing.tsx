import { formatCount } from "../../parts/Count.ts"
import { GapList } from "../../parts/GapList.tsx"
import type { Recording } from "../../service/Status.ts"

/** The missing trades of a recording; their ids on demand. */
export const Missing = ({ recording }: { readonly recording: Recording }) => {
  const { gapCount, missing } = recording
  if (gapCount === 0) return <p className="quiet">No trade is missing.</p>
  return (
    <details data-missing={missing}>
      <summary>
        {formatCount(missing, "trade")} missing in {formatCount(gapCount, "gap")}
      </summary>
      <GapList {...recording} />
    </details>
  )
}
