import { Card } from "../parts/Card.tsx"
import { Ago } from "../parts/time/Ago.tsx"
import type { Recording } from "../service/Status.ts"
import "./recent-events.css"

const shown = 8

/** The newest events of all recordings: connections, gaps and their ends. */
export const RecentEvents = ({
  now,
  recordings
}: {
  readonly recordings: ReadonlyArray<Recording>
  readonly now: number
}) => {
  const events = recordings
    .flatMap(({ events, market }) =>
      events.map((event, index) => ({ ...event, market, key: `${market} ${event.at} ${event.kind} ${index}` }))
    )
    .toSorted((one, other) => other.at - one.at)
    .slice(0, shown)
  return events.length === 0 ? null : (
    <Card title="Recent events">
      <ul className="recent-events">
        {events.map(({ at, detail, key, kind, market }) => (
          <li key={key} data-event={kind}>
            <span className="quiet">
              <Ago millis={at} now={now} />
            </span>
            <span>{market}</span>
            <span>{detail}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
