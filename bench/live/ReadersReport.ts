import { Schema } from "effect"
import type { Seen } from "./LineReader.ts"

/** What the readers of one process have seen since they were told to begin. */
export const ReadersReport = Schema.Struct({
  events: Schema.Int,
  /** Trades that did not follow on the one before. */
  wrong: Schema.Int,
  gaps: Schema.Int,
  ends: Schema.Int,
  resumed: Schema.Int,
  refused: Schema.Int,
  /** The newest trade of the reader that is behind all others, and of the first. */
  slowest: Schema.Int,
  newest: Schema.Int,
  /** Milliseconds from the time that a trade states to its reader. */
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

/** `newest` are the newest trades that each reader has. */
export const reportOf = (seen: Seen, newest: ReadonlyArray<number>): ReadersReport => {
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
