/** Decodes events. Internal because only the schema's type parameter knows what it decodes to, which a cast states. */
import type * as Schema from "effect/Schema"
import { reader } from "../decode/jsonDecoder.ts"
import { refused } from "../decode/reader.ts"

/** Reads the data of an event: undefined if it is malformed. */
export const toDecoder = <A>(schema: Schema.Codec<A, unknown>): ((data: string) => A | undefined) => {
  const read = reader(schema)
  return (data) => {
    try {
      const value = read(JSON.parse(data))
      return value === refused ? undefined : (value as A)
    } catch {
      // Not JSON: treated like JSON of the wrong shape.
      return undefined
    }
  }
}
