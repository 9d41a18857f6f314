import { Schema, SchemaTransformation } from "effect"
import { canonical } from "../../../internal/ExactDecimal.ts"

/** Decimals of a subgraph have at most 6,144 digits. */
const bounds = { length: 9999, exponent: 9999 }

const anySpelling = Schema.String.check(
  Schema.isPattern(/^[+-]?\d+(\.\d+)?([eE][+-]?\d{1,4})?$/),
  Schema.isMaxLength(bounds.length)
)

const toCanonical = SchemaTransformation.transform<string, string>({
  // The checks of `anySpelling` exclude every text without a canonical form.
  decode: (text) => canonical(text, bounds) ?? text,
  encode: (text) => text
})

/** A decimal of a subgraph: text, or a JSON integer where its schema says `Int`. */
export const DecimalText = Schema.Union([
  anySpelling.pipe(Schema.decodeTo(Schema.String, toCanonical)),
  Schema.Int.pipe(
    Schema.decodeTo(Schema.String, SchemaTransformation.transform<string, number>({ decode: String, encode: Number }))
  )
])
