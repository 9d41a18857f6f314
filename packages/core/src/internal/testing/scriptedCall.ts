/** `Client.call` over a script. Internal because its type is that of every operation at once. */
import * as Effect from "effect/Effect"
import * as Headers from "effect/http/Headers"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Operation from "../../api/Operation.ts"
import * as Answer from "../../client/Answer.ts"
import type { Client } from "../../client/Client.ts"
import { toHeaders } from "../../testing/MockResponse.ts"
import type { Line } from "../../testing/Script.ts"
import { WrongScript } from "../../testing/WrongScript.ts"
import { play } from "./script.ts"

/**
 * The texts that a URL would contain. A value that no schema encodes is printed as it is, and rejected as by the
 * service.
 */
const texts = (parameters: Operation.Any["params"], request: { readonly [name: string]: unknown }) => {
  const written: { [name: string]: string } = {}
  for (const [name, { schema }] of Object.entries(parameters)) {
    const value = request[name]
    if (value === undefined) continue
    written[name] = Option.getOrElse(Schema.encodeUnknownOption(schema)(value), () => undefined) ?? String(value)
  }
  return written
}

const forgotten = ({ group, name }: Operation.Any) =>
  new WrongScript(
    `The program under test calls "${group}.${name}", and the test does not say what it answers: give "${name}".`
  )

export const makeScriptedCall = (lines: ReadonlyArray<Line>): Client["Service"]["call"] => {
  const byOperation = new Map(lines.map((line) => [line.operation, line]))
  const call = (operation: Operation.Any, request: { readonly [name: string]: unknown }) => {
    const line = byOperation.get(operation)
    if (line === undefined) return Effect.die(forgotten(operation))
    return Effect.map(
      play(line, texts(operation.params, request), texts(operation.query, request)),
      ({ value, metadata }) => Answer.make(value, Headers.fromInput(toHeaders(metadata)))
    )
  }
  return call as unknown as Client["Service"]["call"]
}
