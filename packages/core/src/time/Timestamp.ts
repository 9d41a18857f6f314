/**
 * Points in time in the forms of the interface. All decode to a `DateTime.Utc`, so that callers need not know the unit
 * of a field.
 *
 * @since 0.1.0
 */
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { latestMillis, annotateUnit } from "../internal/decode/unixText.ts"

const milliseconds = /* @__PURE__ */ Schema.Int.check(
  /* @__PURE__ */ Schema.isBetween({ minimum: 0, maximum: latestMillis })
)
const digits = Schema.String.check(Schema.isPattern(/^(0|[1-9]\d{0,15})$/, { expected: "Unix time as digits" }))

const utc = (unit: number) =>
  SchemaTransformation.transform<DateTime.Utc, number>({
    decode: (value) => DateTime.makeUnsafe(value * unit),
    encode: (time) => Math.floor(DateTime.toEpochMillis(time) / unit)
  })

const DateTimeUtc = Schema.DateTimeUtc

const unixText = (unit: number, expected: string) =>
  digits
    .check(Schema.makeFilter((text) => Number(text) <= latestMillis / unit, { expected }))
    .pipe(
      Schema.decodeTo(
        DateTimeUtc,
        SchemaTransformation.transform<DateTime.Utc, string>({
          decode: (value) => DateTime.makeUnsafe(Number(value) * unit),
          encode: (time) => String(Math.floor(DateTime.toEpochMillis(time) / unit))
        })
      )
    )
    .annotate(annotateUnit(unit))

/**
 * Unix milliseconds as a JSON integer, decoded to a `DateTime.Utc`.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Milliseconds = /* @__PURE__ */ milliseconds.pipe(
  /* @__PURE__ */ Schema.decodeTo(DateTimeUtc, /* @__PURE__ */ utc(1))
)

/**
 * Unix milliseconds as text, decoded to a `DateTime.Utc`.
 *
 * @since 0.1.0
 * @category schemas
 */
export const MillisecondsText = unixText(1, "Unix milliseconds")

/**
 * Unix seconds as text (a blockchain's own time), decoded to a `DateTime.Utc`.
 *
 * @since 0.1.0
 * @category schemas
 */
export const SecondsText = /* @__PURE__ */ unixText(1000, "Unix seconds")

/**
 * A time as a program may give it: a `Date`, Unix milliseconds, an ISO 8601 text such as `2026-01-02T03:04:05Z`, or a
 * `DateTime`. A date without a time is its midnight in UTC.
 *
 * @since 0.1.0
 * @category models
 *
 * @example
 * ```ts
 * import type { TimeInput } from "@chaintape/core"
 * import { DateTime } from "effect"
 *
 * const same: ReadonlyArray<TimeInput> = [
 *   new Date("2026-01-02"),
 *   1_767_312_000_000,
 *   "2026-01-02",
 *   DateTime.makeUnsafe("2026-01-02T00:00:00Z")
 * ]
 * ```
 */
export type TimeInput = DateTime.DateTime | Date | number | string

/** Whether a calendar has the day with which a text begins: 30 February is taken for 2 March. */
const hasDay = (text: string): boolean =>
  // As `DateTime` has it, in half the bytes. @effect-diagnostics-next-line globalDate:off
  new Date(text.slice(0, 10)).getUTCDate() === Number(text.slice(8, 10))

/** Other texts depend on the platform and the time zone of the program. */
const iso = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/

/** The time of an input; what is none is returned as it is. */
export const fromTimeInput = (input: unknown): unknown => {
  if (DateTime.isDateTime(input)) return DateTime.isUtc(input) ? input : DateTime.toUtc(input)
  const time = Predicate.isDate(input) ? input.getTime() : input
  if (!Predicate.isNumber(time) && !(Predicate.isString(time) && iso.test(time) && hasDay(time))) return input
  return Option.getOrElse(DateTime.make(time), () => input)
}
