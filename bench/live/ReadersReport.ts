import { Schema } from "effect"
import type { Seen } from "./LineReader.ts"

/** The totals of the readers of one process since the start of the measurement. */
export const ReadersReport = Schema.Struct({
  events: Schema.Int,
  /** Trades that did not follow the previous one. */
  wrong: Schema.Int,
  gaps: Schema.Int,
  ends: Schema.Int,
  resumed: Schema.Int,
  refused: Schema.Int,
  /** The newest trade of the slowest and of the fastest reader. */
  slowest: Schema.Int,
  newest: Schema.Int,
  /** Milliseconds from a trade's timestamp to its reader. */
  median: Schema.Int,
  p90: Schema.Int,
  p99: Schema.Int,
  longest: Schema.Int
})

export type ReadersReport = typeof ReadersReport.Type

const percentile = ({ latencies }: Seen, part: number): number => {
  const all = latencies.reduce((sum, number) => sum + number, 0)
  let below = 0
  for (const [ms, number] of latencies.entries()) {
    below += number
    if (below >= all * part && number > 0) return ms
  }
  return 0
}

/** `newest` are the newest trades of each reader. */
export const toReport = (seen: Seen, newest: ReadonlyArray<number>): ReadersReport => {
  const { latencies: _, ...counts } = seen
  return {
    ...counts,
    slowest: newest.reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY),
    newest: newest.reduce((most, one) => Math.max(most, one), 0),
    median: percentile(seen, 0.5),
    p90: percentile(seen, 0.9),
    p99: percentile(seen, 0.99),
    longest: percentile(seen, 1)
  }
}
