import { Time } from "../parts/time/Time.tsx"
import { useDayText } from "../parts/time/TimeText.ts"
import { marketHref } from "../route/Route.ts"
import type { Recording } from "../service/Status.ts"
import { readStatus } from "../service/Status.ts"
import { usePolling } from "../service/usePolling.ts"
import { isComplete } from "./isComplete.ts"
import "./recorded-markets.css"

const max = 12

const Claim = (recording: Recording) => {
  const { from } = recording
  const dayText = useDayText()
  if (from === null || !isComplete(recording)) return null
  return <span className="badge good">complete since {dayText(from)}</span>
}

/**
 * The markets that the service records, and which of the others are complete. Whether this one is stands above its trades:
 * when that changes, the status is read again.
 */
export const RecordedMarkets = ({
  coverage,
  exchange,
  market
}: {
  readonly coverage: string | undefined
  readonly exchange: string
  readonly market: string
}) => {
  const { value: status } = usePolling("recorded markets", readStatus, undefined, coverage)
  const isOneExchange = new Set(status?.recordings.map((one) => one.exchange)).size < 2
  return (
    <nav className="recorded" aria-label="Recorded markets">
      {status === undefined || status.recordings.length < 2 ? null : (
        <ul>
          {status.recordings.slice(0, max).map((recording) => {
            const isThis = recording.exchange === exchange && recording.market === market
            return (
              <li key={`${recording.exchange} ${recording.market}`} data-recorded={recording.market}>
                <a href={marketHref(recording.exchange, recording.market)} aria-current={isThis ? "page" : undefined}>
                  {recording.market}
                  {isOneExchange ? "" : ` on ${recording.exchange}`}
                </a>{" "}
                {isThis ? null : <Claim {...recording} />}
              </li>
            )
          })}
          <li className="quiet">
            as of <Time millis={status.now} />
          </li>
        </ul>
      )}
    </nav>
  )
}
