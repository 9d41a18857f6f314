/** What an event holds. Internal because what a schema reads is known by its type only, which a cast states. */
import type * as Schema from "effect/Schema"
import { refused } from "../reader.ts"
import { reader } from "../reading.ts"

/** Reads the data of an event: undefined where it is not what the interface says. */
export const decoderOf = <A>(schema: Schema.Codec<A, unknown>): ((data: string) => A | undefined) => {
  const read = reader(schema)
  return (data) => {
    try {
      const value = read(JSON.parse(data))
      return value === refused ? undefined : (value as A)
    } catch {
      // No JSON: the same as JSON of another form.
      return undefined
    }
  }
}
