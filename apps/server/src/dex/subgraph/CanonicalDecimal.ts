import { Schema, SchemaTransformation } from "effect"

const plain = /^(0|-?[1-9]\d*|-?(0|[1-9]\d*)\.\d*[1-9])$/
const parts = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** The canonical spelling of a decimal: no exponent, no redundant zeros, no "-0". */
const canonicalDecimal = (text: string): string => {
  if (plain.test(text)) return text
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = parts.exec(text) ?? []
  const digits = whole + fraction
  const point = whole.length + Number(exponent)
  const padded = point > 0 ? digits.padEnd(point, "0") : "0".repeat(1 - point) + digits
  const cut = Math.max(point, 1)
  const before = padded.slice(0, cut).replace(/^0+(?=\d)/, "")
  const after = padded.slice(cut).replace(/0+$/, "")
  const value = after === "" ? before : `${before}.${after}`
  return sign === "-" && value !== "0" ? `-${value}` : value
}

const toCanonical = SchemaTransformation.transform<string, string>({
  decode: canonicalDecimal,
  encode: (text) => text
})

/**
 * The exponent is bounded, so that a short text cannot expand to a long one: decimals of a subgraph have at most 6,144
 * digits.
 */
const anySpelling = Schema.String.check(Schema.isPattern(/^[+-]?\d+(\.\d+)?([eE][+-]?\d{1,4})?$/))

/** A decimal of a subgraph: text, or a JSON integer where its schema says `Int`. */
export const DecimalText = Schema.Union([
  anySpelling.pipe(Schema.decodeTo(Schema.String, toCanonical)),
  Schema.Int.pipe(
    Schema.decodeTo(Schema.String, SchemaTransformation.transform<string, number>({ decode: String, encode: Number }))
  )
])
