import { Time } from "../../parts/time/Time.tsx"
import type { SeenGap } from "../feed/Gaps.ts"
import { gapSentence } from "../feed/Gaps.ts"
import "./tape-gaps.css"

/** Each gap of the tape with its reason and its state. */
export const TapeGaps = ({ gaps }: { readonly gaps: ReadonlyArray<SeenGap> }) =>
  gaps.length === 0 ? null : (
    <ul className="gaps" aria-label="Gaps in the tape">
      {gaps.toReversed().map((gap) => (
        <li key={gap.from} className={gap.state} data-gap={gap.state}>
          <strong>
            {gap.state === "filled" ? "Filled" : "Gap"} <Time millis={gap.fromTime} /> to <Time millis={gap.toTime} />
          </strong>{" "}
          {gapSentence(gap)}
        </li>
      ))}
    </ul>
  )
