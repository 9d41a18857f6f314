/**
 * The test kit: recorded responses, and faults of the service and of the network.
 *
 * @since 0.1.0
 */
export * as Cassette from "./Cassette.ts"
export * as Faults from "./FaultKit.ts"
export * as Script from "./ScriptKit.ts"
export { asOfBlock, mockResponse } from "./MockResponse.ts"
