/**
 * A service in a test, on which the test kits of the clients are built: a `Client` or an `HttpClient` that replies by a
 * script of operations.
 *
 * @since 0.1.0
 */
export { line } from "../internal/testing/script.ts"
export { byField, pageOf, type PageRequest } from "./Listing.ts"
export {
  type LiveBlockEvent,
  liveBlocks,
  type LiveLine,
  type LiveReorgEvent,
  type LiveScript,
  type LiveSwapEvent,
  liveSwaps,
  type LiveTradeEvent,
  liveTrades
} from "./script/LiveScript.ts"
export type { Failure, Line, Reply, Scripted, Unbranded } from "./script/Line.ts"
export { layerScript } from "./ScriptedClient.ts"
export { layerScriptHttp } from "./ScriptedHttp.ts"
export { MockResponse, type ResponseMetadata } from "./script/MockResponse.ts"
export { WrongScript } from "./script/WrongScript.ts"
