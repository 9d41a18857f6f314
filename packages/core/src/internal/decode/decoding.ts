/** Decodes the body of a response. */
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** Decodes the text of a response; undefined if it is not JSON. */
export type Decoder = (text: string) => Effect.Effect<unknown, Schema.SchemaError> | undefined

export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON: the caller reports it.
    return undefined
  }
}

/** By the schema alone: for responses with few members, for which this is as fast. */
export const decodeBySchema = (schema: Schema.Codec<unknown, unknown>): Decoder => {
  const decode = Schema.decodeUnknownEffect(Schema.toCodecJson(schema))
  return (text) => {
    const json = parseJson(text)
    return json === undefined ? undefined : decode(json)
  }
}
