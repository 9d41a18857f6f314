/**
 * Integers of any length in the form of the interface: decimal text.
 *
 * @since 0.1.0
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"

const digits = Schema.String.check(Schema.isPattern(/^(0|[1-9]\d*)$/, { expected: "a non-negative integer as text" }))
const digitsOrNothing = Schema.String.check(
  Schema.isPattern(/^(|0|[1-9]\d*)$/, { expected: "a non-negative integer as text, or an empty text" })
)

/**
 * A non-negative integer as decimal text, decoded to a `bigint`.
 *
 * @since 0.1.0
 * @category schemas
 */
export const IntegerText = digits.pipe(
  Schema.decodeTo(Schema.BigInt, SchemaTransformation.transform<bigint, string>({ decode: BigInt, encode: String }))
)

/**
 * Like {@link IntegerText}, with an empty text for an unknown value.
 *
 * @since 0.1.0
 * @category schemas
 */
export const IntegerTextOrUnknown = digitsOrNothing.pipe(
  Schema.decodeTo(
    Schema.Option(Schema.BigInt),
    SchemaTransformation.transform<Option.Option<bigint>, string>({
      decode: (text) => (text === "" ? Option.none() : Option.some(BigInt(text))),
      encode: Option.match({ onNone: () => "", onSome: String })
    })
  )
)
