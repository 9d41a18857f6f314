import { DateTime, Option } from "effect"

/** A time of a query in Unix milliseconds. */
export const toMillis = (time: DateTime.Utc | undefined): Option.Option<number> =>
  Option.map(Option.fromUndefinedOr(time), DateTime.toEpochMillis)
