/**
 * The parts of operations, and functions on them. The operations are in `@chaintape/core/operations/cex`,
 * `@chaintape/core/operations/dex` and `@chaintape/core/operations/blocks`, as values for `Client.call`.
 *
 * @since 0.1.0
 */
export * as Operation from "./api/PublicOperation.ts"
export * as Parameter from "./operation/Parameter.ts"
export * as SystemOperations from "./api/SystemOperations.ts"
export { call, callsOf } from "./internal/calls/calls.ts"
