/**
 * The parameters of an operation without parameters: the default of the type parameter says so, which an expression
 * cannot.
 */
export const noParameters = <P extends object>(): P => ({}) as P
