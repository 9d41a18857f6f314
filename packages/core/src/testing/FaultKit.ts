/**
 * Faults of the service and of the network, as layers over an `HttpClient`.
 *
 * @since 0.1.0
 */
export { type Fault, makeFault } from "./Fault.ts"
export * from "./Faults.ts"
export type { FaultTrigger } from "./FaultTrigger.ts"
