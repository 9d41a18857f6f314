/**
 * A client that replies by a script.
 *
 * @since 0.1.0
 */
import * as Layer from "effect/Layer"
import { Client } from "../client/Client.ts"
import { makeScriptedCall } from "../internal/testing/scriptedCall.ts"
import type { Line } from "./script/Line.ts"

/**
 * A `Client` without a network: every operation gets the reply of its line. A call without a line is a defect whose
 * message names it.
 *
 * @since 0.1.0
 * @category layers
 *
 * @example
 * ```ts
 * import { SystemOperations } from "@chaintape/core/operations"
 * import { Script, mockResponse } from "@chaintape/core/testing"
 * import { Effect } from "effect"
 *
 * const script = [
 *   Script.line(SystemOperations.ping, { ping: "pong", ip: "192.0.2.1" }, (given: { readonly ping: string; readonly ip: string }) =>
 *     Effect.succeed(mockResponse(given, {}))
 *   )
 * ]
 * const layer = Script.layerScript(script)
 * ```
 */
export const layerScript = (lines: ReadonlyArray<Line>): Layer.Layer<Client> =>
  Layer.succeed(Client, Client.of({ call: makeScriptedCall(lines) }))
