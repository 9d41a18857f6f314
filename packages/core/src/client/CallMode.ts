/**
 * The ways in which the methods of a group give their results. One interface for each group serves all of them.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type * as Operation from "../operation/Operation.ts"
import type { Arguments } from "../options/CallOptions.ts"
import type { ClientError } from "../problem/ClientError.ts"
import type { Client, Read, ReadAnswer } from "./Client.ts"

/**
 * A function from the type of an operation to that of its method: `method` is computed from `operation`.
 *
 * @since 0.1.0
 * @category models
 */
export interface CallMode {
  /** The type of the operation. */
  readonly operation: unknown
  /** The type of its method. */
  readonly method: unknown
}

/**
 * The method of an operation.
 *
 * @since 0.1.0
 * @category models
 */
export type Method<Mode extends CallMode, Op extends Operation.Any> = (Mode & { readonly operation: Op })["method"]

/**
 * Effects of values.
 *
 * @example
 * ```ts
 * import type { Operation } from "@chaintape/core/operations"
 * import type { CexMethods } from "@chaintape/core/operations/cex"
 *
 * const exchanges = (cex: CexMethods<Operation.EffectMode>) => cex.exchanges()
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export interface EffectMode extends CallMode {
  /** An effect of the value. */
  readonly method: this["operation"] extends infer Op extends Operation.Any ? Read<Op> : never
}

/**
 * Effects of values with what the response headers say about them.
 *
 * @example
 * ```ts
 * import type { Operation } from "@chaintape/core/operations"
 * import type { CexMethods } from "@chaintape/core/operations/cex"
 * import { Effect } from "effect"
 *
 * const source = (cex: CexMethods<Operation.EffectResponseMode>) => Effect.map(cex.exchanges(), ({ source }) => source)
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export interface EffectResponseMode extends CallMode {
  /** An effect of the value with what the response headers say about it. */
  readonly method: this["operation"] extends infer Op extends Operation.Any ? ReadAnswer<Op> : never
}

/**
 * Runs one operation with the `Client` in the context and returns its value.
 *
 * @example
 * ```ts
 * import { call, type Operation } from "@chaintape/core/operations"
 * import { lastTrade } from "@chaintape/core/operations/cex"
 *
 * const read: Operation.Call<typeof lastTrade> = call(lastTrade)
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export type Call<Op extends Operation.Any> = (
  ...args: Arguments<Op>
) => Effect.Effect<Operation.Success<Op>, Operation.Problem<Op> | ClientError, Client>
