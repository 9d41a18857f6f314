import { groupDigits } from "../format/Count.ts"
import { Card } from "../parts/Card.tsx"
import { Ago, formatSpan } from "../parts/time/Ago.tsx"
import { Time } from "../parts/time/Time.tsx"
import { countMissing, formatMissing, missingText } from "../recording/MissingTrades.ts"
import { useBudget } from "../service/Budget.ts"
import type { Status } from "../service/Status.ts"

/** Whether the service is ready, and the sums over all recordings and indexes. Counts begin when an instance takes the work over. */
export const ServiceCard = ({ status }: { readonly status: Status }) => {
  const budget = useBudget()
  const { indexes, now, ready, recordings, startedAt } = status
  const sum = (toCount: (recording: Status["recordings"][number]) => number) =>
    recordings.reduce((total, recording) => total + toCount(recording), 0)
  const missing = countMissing(recordings)
  const gapCount = sum((recording) => recording.gapCount)
  const newest = Math.max(0, ...recordings.map(({ to }) => to ?? 0))
  const figures = [
    ["Up for", <Time millis={startedAt}>{formatSpan(now - startedAt)}</Time>],
    ["Newest trade", newest === 0 ? "none" : <Ago millis={newest} now={now} />],
    ["Trades missing", formatMissing(missing)],
    ...(missing.history === 0 ? [] : [["History to read", groupDigits(missing.history)] as const]),
    ["Gaps", groupDigits(gapCount)],
    ["Disconnects since start", groupDigits(sum(({ disconnects }) => disconnects))],
    ["Reorgs since start", groupDigits(indexes.reduce((total, { reorgs }) => total + reorgs, 0))],
    ["Trades stored", groupDigits(sum(({ stored }) => stored))],
    ["Requests left", budget === undefined ? "not known yet" : groupDigits(budget)]
  ] as const
  return (
    <Card
      title="Service"
      aside={
        <span>
          {gapCount === 0 ? null : <span className="badge warn">{missingText(missing)}</span>}{" "}
          <span className={`badge ${ready ? "good" : "warn"}`}>{ready ? "ready" : "not ready"}</span>
        </span>
      }
    >
      <dl className="figures">
        {figures.map(([title, figure]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd className="num">{figure}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
