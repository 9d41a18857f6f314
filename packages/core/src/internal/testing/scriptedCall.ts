/** `Client.call` over a script. Internal because its type is that of every operation at once. */
import * as Effect from "effect/Effect"
import * as Headers from "effect/http/Headers"
import type { Client } from "../../client/Client.ts"
import * as Answer from "../../operation/Answer.ts"
import type * as Operation from "../../operation/Operation.ts"
import type { Line } from "../../testing/script/Line.ts"
import { toHeaders } from "../../testing/script/MockResponse.ts"
import { WrongScript } from "../../testing/script/WrongScript.ts"
import { encodeRequest } from "../transport/request.ts"
import { serveLine } from "./script.ts"
import { match } from "./scriptedHttp.ts"

const toMissingReply = ({ group, name }: Operation.Any) =>
  new WrongScript(
    `The program under test calls "${group}.${name}", and the test does not say what it answers: give "${name}".`
  )

export const makeScriptedCall = (lines: ReadonlyArray<Line>): Client["Service"]["call"] => {
  const byOperation = new Map(lines.map((line) => [line.operation, line]))
  const call = (operation: Operation.Any, request: { readonly [name: string]: unknown }) => {
    const line = byOperation.get(operation)
    if (line === undefined) return Effect.die(toMissingReply(operation))
    return Effect.gen(function* () {
      // As a client sends it, which refuses what the service would.
      const { path, query } = yield* encodeRequest(operation, request)
      const { value, metadata } = yield* serveLine(line, match(operation.path, path) ?? {}, Object.fromEntries(query))
      return Answer.make(value, Headers.fromInput(toHeaders(metadata)))
    })
  }
  return call as unknown as Client["Service"]["call"]
}
