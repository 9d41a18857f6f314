/**
 * Points in time in the forms of the interface. All decode to a `DateTime.Utc`, so that callers need not know the unit
 * of a field.
 *
 * @since 0.1.0
 *
 * @example
 * ```ts
 * import * as assert from "node:assert/strict"
 * import { Milliseconds, MillisecondsText, SecondsText } from "@chaintape/core/time/Timestamp"
 * import * as DateTime from "effect/DateTime"
 * import * as Schema from "effect/Schema"
 *
 * const times = [
 *   Schema.decodeUnknownSync(Milliseconds)(1_767_225_600_000),
 *   Schema.decodeUnknownSync(MillisecondsText)("1767225600000"),
 *   Schema.decodeUnknownSync(SecondsText)("1767225600")
 * ]
 * for (const time of times) assert.equal(DateTime.formatIso(time), "2026-01-01T00:00:00.000Z")
 * ```
 */
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { latestMillis, ofUnit } from "../internal/decode/unixText.ts"

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
    .annotate(ofUnit(unit))

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
