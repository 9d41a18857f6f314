/**
 * Operations as values: how they are declared, how a request is checked, and the types of their methods.
 *
 * @since 0.1.0
 */
export type { Call } from "../client/CallMode.ts"
export * from "../operation/Operation.ts"
export { invalidParameter, parameterIssues } from "../operation/ParameterIssues.ts"
