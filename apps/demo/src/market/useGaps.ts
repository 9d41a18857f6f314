import type { Coverage } from "@chaintape/core"
import { useEffect, useState } from "react"
import type { Listing } from "../proof/Claim.ts"
import { readStatus } from "../service/Status.ts"
import { usePolling } from "../service/usePolling.ts"
import type { SeenGap } from "./feed/Gaps.ts"
import { updateGaps } from "./feed/Gaps.ts"

/**
 * The gaps that were seen since the page was opened. The status of the service has them; it is polled only while trades
 * are missing. `onFilled` is called when a gap is closed.
 */
export const useGaps = (
  { exchange, market }: Listing,
  coverage: Coverage["state"] | undefined,
  onFilled: () => void
): ReadonlyArray<SeenGap> => {
  const [gaps, setGaps] = useState<ReadonlyArray<SeenGap>>([])
  const isMissing = coverage === "incomplete" || gaps.some(({ state }) => state === "open")
  const { value } = usePolling(`gaps ${isMissing}`, readStatus, isMissing ? "2 seconds" : undefined)
  useEffect(() => {
    const recording = value?.recordings.find((one) => one.exchange === exchange && one.market === market)
    if (recording === undefined) return
    const now = updateGaps(gaps, recording)
    const isFilled = (gap: SeenGap) => gap.state === "filled"
    setGaps(now)
    if (now.filter(isFilled).length > gaps.filter(isFilled).length) onFilled()
    // The status changes the gaps.
  }, [exchange, market, value])
  return gaps
}
