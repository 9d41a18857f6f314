import { Card } from "../parts/Card.tsx"
import { groupDigits } from "../parts/Count.ts"
import { Time } from "../parts/Time.tsx"
import { marketHref } from "../Route.ts"
import type { Recording } from "../service/Status.ts"
import { State } from "./Sources.tsx"

const seconds = (now: number, then: number | null) =>
  then === null ? "–" : `${(Math.max(0, now - then) / 1000).toFixed(1)} s`

const Row = ({ now, recording }: { readonly recording: Recording; readonly now: number }) => (
  <tr>
    <td>
      <a href={marketHref(recording.exchange, recording.market, "1m")}>
        {recording.market} on {recording.exchange}
      </a>
    </td>
    <td className="text">
      <State state={recording.state} />
    </td>
    <td>{recording.from === null ? "–" : <Time millis={recording.from} />}</td>
    <td className="num">{seconds(now, recording.to)}</td>
    <td className="num">{groupDigits(recording.stored)}</td>
    <td className="num">{groupDigits(recording.missing)}</td>
    <td className="num">{groupDigits(recording.backfilled)}</td>
    <td className="num">{groupDigits(recording.disconnects)}</td>
    <td className="wrap">{recording.lastError ?? recording.events[0]?.detail ?? "nothing"}</td>
  </tr>
)

/** The recordings, the age of the newest trade, and the gaps. */
export const Recordings = ({
  now,
  recordings
}: {
  readonly recordings: ReadonlyArray<Recording>
  readonly now: number
}) => (
  <Card title="Coverage of the tape">
    {recordings.length === 0 ? (
      <p className="quiet">This service records no market.</p>
    ) : (
      <div className="scroll" tabIndex={0} role="region" aria-label="Table of the coverage">
        <table>
          <thead>
            <tr>
              <th scope="col">Market</th>
              <th scope="col" className="text">
                State
              </th>
              <th scope="col">From</th>
              <th scope="col">Newest, ago</th>
              <th scope="col">Stored</th>
              <th scope="col">Missing</th>
              <th scope="col">Backfilled</th>
              <th scope="col">Disconnects</th>
              <th scope="col" className="text">
                What happened last
              </th>
            </tr>
          </thead>
          <tbody>
            {recordings.map((recording) => (
              <Row key={`${recording.exchange} ${recording.market}`} recording={recording} now={now} />
            ))}
          </tbody>
        </table>
      </div>
    )}
  </Card>
)
