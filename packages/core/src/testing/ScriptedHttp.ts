/**
 * An HTTP client that replies by a script.
 *
 * @since 0.1.0
 */
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import { makeScriptedHttp } from "../internal/testing/scriptedHttp.ts"
import type { Line } from "./script/Line.ts"
import type { LiveLine } from "./script/LiveScript.ts"

/**
 * An `HttpClient` without a network, below the client: replies are encoded as the service would, so that faults can be
 * inserted. A client error appears as a broken connection. A request without a line is a defect whose message names the
 * path. A live stream without a line in `live` is refused, so that the client polls.
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
 * const layer = Script.layerScriptHttp(script)
 * ```
 */
export const layerScriptHttp = (
  lines: ReadonlyArray<Line>,
  live: ReadonlyArray<LiveLine> = []
): Layer.Layer<HttpClient.HttpClient> => Layer.succeed(HttpClient.HttpClient, makeScriptedHttp(lines, live))
