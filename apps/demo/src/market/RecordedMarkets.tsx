import { formatCount } from "../parts/Count.ts"
import { Time } from "../parts/time/Time.tsx"
import { useDayText } from "../parts/time/TimeText.ts"
import { marketHref } from "../route/Route.ts"
import type { Recording, Status } from "../service/Status.ts"
import "./recorded-markets.css"

const most = 12

const Claim = ({ from, missing }: Recording) => {
  const dayText = useDayText()
  if (from === null) return <span className="quiet">no trade yet</span>
  return missing > 0 ? (
    <span className="badge warn">{formatCount(missing, "trade")} missing</span>
  ) : (
    <span className="badge good">complete since {dayText(from)}</span>
  )
}

/** The markets that the service records, with what is proven of them at the time of the status. */
export const RecordedMarkets = ({
  exchange,
  market,
  status
}: {
  readonly exchange: string
  readonly market: string
  readonly status: Status | undefined
}) => {
  const isOneExchange = new Set(status?.recordings.map((one) => one.exchange)).size < 2
  return (
    <nav className="recorded" aria-label="Recorded markets">
      {status === undefined || status.recordings.length < 2 ? null : (
        <ul>
          {status.recordings.slice(0, most).map((recording) => (
            <li key={`${recording.exchange} ${recording.market}`} data-recorded={recording.market}>
              <a
                href={marketHref(recording.exchange, recording.market)}
                aria-current={recording.exchange === exchange && recording.market === market ? "page" : undefined}
              >
                {recording.market}
                {isOneExchange ? "" : ` on ${recording.exchange}`}
              </a>{" "}
              <Claim {...recording} />
            </li>
          ))}
          <li className="quiet">
            as of <Time millis={status.now} />
          </li>
        </ul>
      )}
    </nav>
  )
}
