import { Schema } from "effect"

/**
 * The proof of a run of trades: `complete` means that no trade between the first and the last is missing,
 * `incomplete` that some are missing or may be, because the exchange could not be queried to check, `unverifiable` that
 * nothing proves it: the exchange does not number its trades, or no recorded trades cover the range.
 */
export const Completeness = Schema.Literals(["complete", "incomplete", "unverifiable"])

export type Completeness = typeof Completeness.Type
