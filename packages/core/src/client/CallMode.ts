/**
 * The ways in which the methods of a group give their results. One interface for each group serves all of them.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type { Answer } from "../operation/Answer.ts"
import type * as Operation from "../operation/Operation.ts"
import type { Arguments } from "../options/CallOptions.ts"
import type { ClientError } from "../problem/ClientError.ts"
import type { PlainArguments } from "../promise/call/Call.ts"
import type { Plain } from "../promise/call/Plain.ts"
import type { Client } from "./Client.ts"

/**
 * The method of an operation by mode.
 *
 * Members, and not aliases: TypeScript declares what a program exports with the alias of its type, and fails if the
 * program can't import the alias. The type of a member has none.
 */
interface MethodByMode<Op extends Operation.Any> {
  /** An effect of the value. */
  readonly effect: (...args: Arguments<Op>) => Effect.Effect<Operation.Success<Op>, Operation.Problem<Op> | ClientError>
  /** An effect of the value with what the response headers say about it. */
  readonly effectResponse: (
    ...args: Arguments<Op>
  ) => Effect.Effect<Answer<Operation.Success<Op>>, Operation.Problem<Op> | ClientError>
  /** An effect of the value, on the `Client` in the context. */
  readonly call: (
    ...args: Arguments<Op>
  ) => Effect.Effect<Operation.Success<Op>, Operation.Problem<Op> | ClientError, Client>
  /** A promise of the value. */
  readonly promise: (...args: PlainArguments<Operation.Input<Op>>) => Promise<Plain<Operation.Success<Op>>>
  /** A promise of the value with what the response headers say about it. */
  readonly promiseResponse: (
    ...args: PlainArguments<Operation.Input<Op>>
  ) => Promise<Plain<Answer<Operation.Success<Op>>>>
}

/**
 * How a method gives its result.
 *
 * @since 0.1.0
 * @category models
 */
export type CallMode = keyof MethodByMode<Operation.Any>

/**
 * The method of an operation.
 *
 * @since 0.1.0
 * @category models
 */
export type Method<Mode extends CallMode, Op extends Operation.Any> = MethodByMode<Op>[Mode]

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
export type Call<Op extends Operation.Any> = MethodByMode<Op>["call"]
