import * as Effect from "effect/Effect"
import { Loaded } from "../parts/Loaded.tsx"
import { readFaults } from "../service/Sandbox.ts"
import { readStatus } from "../service/Status.ts"
import { usePolling } from "../service/usePolling.ts"
import { StartTour } from "../tour/StartTour.tsx"
import { RecentEvents } from "./RecentEvents.tsx"
import { Recordings } from "./recordings/Recordings.tsx"
import { SandboxPanel } from "./sandbox/SandboxPanel.tsx"
import { ServiceCard } from "./ServiceCard.tsx"
import { Sources } from "./Sources.tsx"
import "./health.css"

const seconds = 2

const readHealth = Effect.all(
  {
    status: readStatus,
    faults: Effect.match(readFaults, {
      onFailure: ({ message }) => ({ faults: [], problem: message }),
      onSuccess: (read) => (read === null ? null : { ...read, problem: undefined })
    })
  },
  { concurrency: "unbounded" }
)

/** The status of the service, beside the faults of its sandbox. */
export const HealthView = () => {
  const live = usePolling("health", readHealth, `${seconds} seconds`)
  return (
    <>
      <h1 className="hidden">Health</h1>
      <p className="quiet">Refreshes every {seconds} s while this page is visible.</p>
      <Loaded live={live} waiting="The status is being read.">
        {({ faults, status }) => (
          <div className="health">
            <div className="stack">
              <ServiceCard status={status} />
              <Recordings recordings={status.recordings} now={status.now} />
              <Sources status={status} />
              <RecentEvents recordings={status.recordings} now={status.now} />
            </div>
            {faults === null ? null : (
              <SandboxPanel faults={faults.faults} problem={faults.problem}>
                <StartTour />
              </SandboxPanel>
            )}
          </div>
        )}
      </Loaded>
    </>
  )
}
