import { Schema } from "effect"

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
