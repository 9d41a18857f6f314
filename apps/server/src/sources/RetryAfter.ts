import { DateTime, Option } from "effect"
import { dayMs } from "../internal/day.ts"

/** A wait of more than a day is considered an error of the sender. */
const maxMs = dayMs

/** The wait of a `Retry-After` header: seconds, or an HTTP date relative to `now` (Unix ms). */
export const parseRetryAfter = (header: string | undefined, now: number): Option.Option<number> => {
  const text = header?.trim() ?? ""
  if (/^\d{1,9}(\.\d{1,6})?$/.test(text)) return Option.some(Math.min(Math.ceil(Number(text) * 1000), maxMs))
  if (!/^[A-Za-z]{3}, /.test(text)) return Option.none()
  return Option.map(DateTime.make(text), (date) => Math.min(Math.max(DateTime.toEpochMillis(date) - now, 0), maxMs))
}
