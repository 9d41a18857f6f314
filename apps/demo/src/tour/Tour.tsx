import * as Effect from "effect/Effect"
import { parseRoute, useHash } from "../route/Route.ts"
import { readFaults } from "../service/Sandbox.ts"
import { readStatus } from "../service/Status.ts"
import { usePolling } from "../service/usePolling.ts"
import { TourPanel } from "./TourPanel.tsx"
import { useTour } from "./TourState.ts"

const read = Effect.all({ status: readStatus, faults: readFaults }, { concurrency: "unbounded" })

const OpenTour = () => {
  const route = parseRoute(useHash())
  const { problem, value } = usePolling("tour", read, "2 seconds")
  // A service without a sandbox has no tour, even if the tab was in one before.
  if (value === undefined || value.faults === null) return null
  return <TourPanel status={value.status} route={route} problem={problem} />
}

/** The tour through the faults of the sandbox, while it is open. */
export const Tour = () => (useTour().isOpen ? <OpenTour /> : null)
