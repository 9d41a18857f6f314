/**
 * What is proven about a run of trades: `complete` means that no trade between the first and the last is missing,
 * `incomplete` that some are missing or may be, because the exchange could not be queried to check, `unverifiable` that
 * the exchange provides no means to decide it.
 */
export type Completeness = "complete" | "incomplete" | "unverifiable"
