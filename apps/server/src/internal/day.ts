import { DateTime } from "effect"

/** The length of a UTC day. Unix time has no leap seconds. */
export const dayMs = 86_400_000

/** The start of the UTC day of a time, in Unix milliseconds as the time. */
export const toDayStart = (time: number): number => Math.floor(time / dayMs) * dayMs

/** The UTC day of a time in Unix milliseconds, as `2026-11-20`. */
export const toDate = (time: number): string => DateTime.formatIsoDateUtc(DateTime.makeUnsafe(time))
