/**
 * The test kit: recorded responses, and faults of the service and of the network.
 *
 * @since 0.1.0
 */
export * as Cassette from "./Cassette.ts"
export * as Faults from "./Faults.ts"
export * as Script from "./Script.ts"
export { asOfBlock, mockResponse } from "./script/MockResponse.ts"
