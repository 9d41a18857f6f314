import { DateTime, Option } from "effect"

const units: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000
}

const duration = /^(\d{1,12}[smhdw])+$/
const iso = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/

const parseDuration = (text: string): number =>
  [...text.matchAll(/(\d+)([smhdw])/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * (units[unit ?? ""] ?? 0),
    0
  )

/** Whether a calendar has the day with which a text begins. */
const hasDay = (text: string): boolean => {
  const day = text.slice(0, 10)
  return Option.exists(DateTime.make(day), (date) => DateTime.formatIsoDateUtc(date) === day)
}

/** A time without a zone is UTC, wherever the program runs. */
const parseIso = (text: string): Option.Option<number> =>
  Option.map(
    DateTime.make(/T.*(Z|[+-]\d{2}:\d{2})$/.test(text) || !text.includes("T") ? text : `${text}Z`),
    DateTime.toEpochMillis
  )

/**
 * A time that a user types, in Unix milliseconds: ISO 8601 (`2026-11-20T09:30:00Z`, UTC without a zone), Unix
 * milliseconds, or a duration back from `now` (`90s`, `24h`, `1d12h`).
 */
export const parseTimeArgument = (text: string, now: number): Option.Option<number> => {
  if (duration.test(text)) return Option.filter(Option.some(now - parseDuration(text)), (ms) => ms >= 0)
  if (/^\d{1,15}$/.test(text)) return Option.some(Number(text))
  return iso.test(text) && hasDay(text) ? parseIso(text) : Option.none()
}

/** Ten digits are seconds of the present, or milliseconds of January 1970. */
export const looksLikeSeconds = (text: string): boolean => /^\d{10}$/.test(text)

export const toIso = (ms: number): string => DateTime.formatIso(DateTime.makeUnsafe(ms))
