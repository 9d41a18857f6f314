import type { Parameters } from "../../api/Parameter.ts"

/**
 * The schemas of a record of parameters, by name.
 *
 * @example
 * ```ts
 * import type { Operation, Parameter } from "@chaintape/core/operations"
 *
 * type Market = Operation.Schemas<{ readonly market: typeof Parameter.market }>["market"]["Type"]
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export type Schemas<P extends Parameters> = { readonly [K in keyof P]: P[K]["schema"] }

/**
 * The parameters of an operation without parameters: the default of the type parameter says so, which an expression
 * cannot.
 */
export const noParameters = <P extends Parameters>(): P => ({}) as P
