import type { Coverage, Trade } from "@chaintape/core"
import { useDayText } from "../parts/time/TimeText.ts"
import type { Listing } from "../proof/Claim.ts"
import { Proven } from "../proof/Proven.tsx"
import { toTapeClaim } from "./claims/MarketClaims.ts"

const words = {
  complete: "complete",
  incomplete: "incomplete",
  unverifiable: "not provable"
} as const satisfies Record<Coverage["state"], string>

/** Whether the trades of the tape are complete. It opens the proof. */
export const CoverageBadge = ({
  listing,
  since,
  state,
  trades
}: {
  readonly listing: Listing
  readonly state: Coverage["state"] | undefined
  readonly trades: ReadonlyArray<Trade>
  /** The beginning of the recording, in Unix milliseconds. */
  readonly since: number | undefined
}) => {
  const dayText = useDayText()
  return state === undefined || trades.length === 0 ? null : (
    <span className={`badge ${state}`} data-coverage={state}>
      <Proven of="the trades of the tape" claim={() => toTapeClaim(listing, trades)}>
        {state === "complete" && since === undefined ? `newest ${trades.length} complete` : words[state]}
        {state === "complete" && since !== undefined ? ` since ${dayText(since)}` : ""}
      </Proven>
    </span>
  )
}
