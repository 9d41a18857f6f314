/** How the body of an answer becomes its value. */
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** Decodes what `JSON.parse` made of a text, which says it again where the object was changed. */
export type Decoder = (json: unknown, text: string) => Effect.Effect<unknown, Schema.SchemaError>

/** By the schema alone: for answers of a few members, of which it is as fast as anything. */
export const decodeBySchema = (schema: Schema.Codec<unknown, unknown>): Decoder => {
  const decode = Schema.decodeUnknownEffect(Schema.toCodecJson(schema))
  return (json) => decode(json)
}
