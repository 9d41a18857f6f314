/**
 * Points in time as the interface writes them. Every one decodes to a `DateTime.Utc`, so that no caller has to know
 * which unit a field uses.
 *
 * @since 0.1.0
 */
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"

const latestMillis = 8_640_000_000_000_000

const milliseconds = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: latestMillis }))
const digits = Schema.String.check(Schema.isPattern(/^(0|[1-9]\d{0,15})$/, { expected: "Unix time as digits" }))

const utc = (unit: number) =>
  SchemaTransformation.transform<DateTime.Utc, number>({
    decode: (value) => DateTime.makeUnsafe(value * unit),
    encode: (time) => Math.floor(DateTime.toEpochMillis(time) / unit)
  })

const utcText = (unit: number) =>
  SchemaTransformation.transform<DateTime.Utc, string>({
    decode: (value) => DateTime.makeUnsafe(Number(value) * unit),
    encode: (time) => String(Math.floor(DateTime.toEpochMillis(time) / unit))
  })

const DateTimeUtc = Schema.DateTimeUtc

/**
 * Unix milliseconds as a JSON integer, decoded to a `DateTime.Utc`.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Milliseconds = milliseconds.pipe(Schema.decodeTo(DateTimeUtc, utc(1)))

/**
 * Unix milliseconds as text, decoded to a `DateTime.Utc`.
 *
 * @since 0.1.0
 * @category schemas
 */
export const MillisecondsText = digits
  .check(Schema.makeFilter((text) => Number(text) <= latestMillis, { expected: "Unix milliseconds" }))
  .pipe(Schema.decodeTo(DateTimeUtc, utcText(1)))

/**
 * Unix seconds as text (a blockchain's own time), decoded to a `DateTime.Utc`.
 *
 * @since 0.1.0
 * @category schemas
 */
export const SecondsText = digits
  .check(Schema.makeFilter((text) => Number(text) <= latestMillis / 1000, { expected: "Unix seconds" }))
  .pipe(Schema.decodeTo(DateTimeUtc, utcText(1000)))
