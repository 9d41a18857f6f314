/** Decodes the body of a response. */
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** Decodes the result of `JSON.parse`. The text is parsed again if a decoder has modified the object. */
export type Decoder = (json: unknown, text: string) => Effect.Effect<unknown, Schema.SchemaError>

/** By the schema alone: for responses with few members, for which this is as fast. */
export const decodeBySchema = (schema: Schema.Codec<unknown, unknown>): Decoder => {
  const decode = Schema.decodeUnknownEffect(Schema.toCodecJson(schema))
  return (json) => decode(json)
}
