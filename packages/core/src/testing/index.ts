/**
 * The test kit: recorded responses, and faults of the service and of the network. The building blocks of the clients'
 * own test kits are here too.
 *
 * @since 0.1.0
 */
export { line } from "../internal/testing/script.ts"
export * as Cassette from "./Cassette.ts"
export { type Fault, makeFault } from "./Fault.ts"
export * as Faults from "./Faults.ts"
export * as Listing from "./Listing.ts"
export type { Failure, Line, Reply, Scripted, Unbranded } from "./Script.ts"
export { layerScript } from "./ScriptedClient.ts"
export { layerScriptHttp } from "./ScriptedHttp.ts"
export { asOfBlock, told, Told, type Words } from "./Told.ts"
export type { When } from "./When.ts"
export { WrongScript } from "./WrongScript.ts"
