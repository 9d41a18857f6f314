import { formatCount, groupDigits } from "../../format/Count.ts"
import { Ago } from "../../parts/time/Ago.tsx"
import { marketHref } from "../../route/Route.ts"
import type { Recording } from "../../service/Status.ts"
import { Missing } from "./Missing.tsx"
import { State } from "./State.tsx"
import { TimelinePlot } from "./TimelinePlot.tsx"
import "./recordings.css"

/** A recording: its state, the age of its newest trade, its timeline and what is missing. */
export const RecordingRow = ({ now, recording }: { readonly recording: Recording; readonly now: number }) => {
  const { backfilled, disconnects, exchange, lastError, market, state, stored, to } = recording
  return (
    <section className="recording" aria-label={`${market} on ${exchange}`} data-recording={market}>
      <p className="recording-top">
        <a href={marketHref(exchange, market, "1m")}>
          {market} on {exchange}
        </a>
        <State state={state} />
        <span className="quiet">
          {to === null ? (
            "no trade yet"
          ) : (
            <>
              newest trade <Ago millis={to} now={now} />
            </>
          )}
        </span>
        <span className="quiet num">
          {groupDigits(stored)} stored, {groupDigits(backfilled)} of them backfilled,{" "}
          {formatCount(disconnects, "disconnect")} since start
        </span>
      </p>
      <TimelinePlot recording={recording} now={now} />
      <Missing recording={recording} />
      {lastError === null ? null : <p className="problem">{lastError}</p>}
    </section>
  )
}
