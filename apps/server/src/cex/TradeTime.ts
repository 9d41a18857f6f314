/** Before the first exchange opened: an earlier time is a wrong unit or an empty field. 2010-01-01, in Unix milliseconds. */
export const earliestTrade = 1_262_304_000_000

/** How far the clock of an exchange may be ahead of ours (milliseconds): what is dated later is malformed. */
export const clockTolerance = 60_000
