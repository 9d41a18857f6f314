import type { Parameter, Parameters } from "../../api/Parameter.ts"

/** The schemas of a record of parameters, by name. */
export type Schemas<P extends Parameters> = { readonly [K in keyof P]: P[K] extends Parameter<infer S> ? S : never }

/** The schemas of a record of parameters. The cast restores the keys that `Object.entries` loses. */
export const schemas = <P extends Parameters>(parameters: P): Schemas<P> =>
  Object.fromEntries(Object.entries(parameters).map(([name, parameter]) => [name, parameter.schema])) as Schemas<P>

/**
 * The parameters of an operation without parameters: the default of the type parameter says so, which an expression
 * cannot.
 */
export const noParameters = <P extends Parameters>(): P => ({}) as P
