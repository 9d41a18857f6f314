/**
 * JSON numbers as decimals with every digit. `JSON.parse` rounds numbers to doubles, so the members that are decimals
 * become strings in the text before it is parsed.
 */
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { Decimal } from "../../number/Decimal.ts"
import { toPlainDigits } from "../number/decimalText.ts"
import { decodeBySchema, type Decoder } from "./decoding.ts"

/** The members of every answer that are decimals: of trades, and of candles. */
const names = "price|size|cost|o|h|l|c|v"

// A quote inside of a string is escaped, so that the name of a member matches only as a name.
const asNumber = new RegExp(`("(?:${names})":\\s*)(-?\\d[\\d.eE+-]*)`, "g")
const asText = /* @__PURE__ */ new RegExp(`("(?:${names})":)"(-?\\d+(?:\\.\\d+)?)"`, "g")

/** The text of a response, with its decimals as strings. */
export const quoteDecimals = (text: string): string =>
  text.replace(asNumber, (_, name: string, digits: string) => `${name}"${toPlainDigits(digits)}"`)

/** The reverse: the text that the service would send. */
export const unquoteDecimals = (text: string): string => text.replace(asText, "$1$2")

/** A JSON number that decodes to a decimal: of a double, the shortest decimal that is nearest to it. */
export const DecimalNumber = /* @__PURE__ */ Schema.Finite.pipe(
  /* @__PURE__ */ Schema.decodeTo(
    Decimal,
    /* @__PURE__ */ SchemaTransformation.transform<string, number>({
      decode: (number) => toPlainDigits(String(number)),
      encode: Number
    })
  )
)

/** Decodes a response by a schema of its members as strings. */
export const decodeExact = (inText: Schema.Codec<unknown, unknown>): Decoder => {
  const decode = decodeBySchema(inText)
  return (text) => decode(quoteDecimals(text))
}
