import { Card } from "../parts/Card.tsx"
import { groupDigits } from "../parts/Count.ts"
import { Loaded } from "../parts/Loaded.tsx"
import { Time } from "../parts/Time.tsx"
import { useBudget } from "../service/Budget.ts"
import { readStatus } from "../service/Status.ts"
import { usePolling } from "../service/usePolling.ts"
import { Recordings } from "./Recordings.tsx"
import { SandboxPanel } from "./SandboxPanel.tsx"
import { Sources } from "./Sources.tsx"

/** The status of the service, and the remaining budget of the key. */
export const HealthView = () => {
  const live = usePolling("status", readStatus, "1 second")
  const budget = useBudget()
  return (
    <div className="stack">
      <h1 className="hidden">Health</h1>
      <SandboxPanel />
      <Loaded live={live} waiting="The status is being read.">
        {(status) => (
          <div className="stack">
            <Card
              title="Service"
              aside={
                <span className={`badge ${status.ready ? "good" : "warn"}`}>
                  {status.ready ? "ready" : "not ready"}
                </span>
              }
            >
              <dl className="figures">
                <div>
                  <dt>Up since</dt>
                  <dd>
                    <Time millis={status.startedAt} />
                  </dd>
                </div>
                <div>
                  <dt>Requests left</dt>
                  <dd className="num">{budget === undefined ? "not known yet" : groupDigits(budget)}</dd>
                </div>
                <div>
                  <dt>Trades stored since the start</dt>
                  <dd className="num">{groupDigits(status.recordings.reduce((sum, { stored }) => sum + stored, 0))}</dd>
                </div>
              </dl>
            </Card>
            <Sources status={status} />
            <Recordings recordings={status.recordings} now={status.now} />
          </div>
        )}
      </Loaded>
    </div>
  )
}
