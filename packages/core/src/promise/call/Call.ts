/**
 * Calls that return promises.
 *
 * @since 0.1.0
 */
import type { CallMode } from "../../client/CallMode.ts"
import type { Answer } from "../../operation/Answer.ts"
import type * as Operation from "../../operation/Operation.ts"
import type { CallOptions as ClientCallOptions } from "../../options/CallOptions.ts"
import type { Plain, PlainInput } from "./Plain.ts"

/**
 * Options of a single call, or of each request of a stream.
 *
 * @example
 * ```ts
 * import type { CallOptions } from "@chaintape/core/promise"
 *
 * const controller = new AbortController()
 * const options: CallOptions = { signal: controller.signal, deadline: "5 seconds" }
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export interface CallOptions extends ClientCallOptions {
  /** Aborts the request; the promise is rejected with the signal's reason, as with `fetch`. */
  readonly signal?: AbortSignal | undefined
}

/** The parameters of an operation or of a stream: markets and addresses are plain texts, times `Date`s and the like. */
export type PlainRequest<Request> = { readonly [K in keyof Request]: PlainInput<Request[K]> }

type Arguments<Request> = {} extends Request
  ? [request?: Request, options?: CallOptions]
  : [request: Request, options?: CallOptions]

/** Runs one operation. The promise is rejected with one of its problems, or with a `ClientError`. */
export type Call<Op extends Operation.Any> = (
  ...args: Arguments<PlainRequest<Operation.Input<Op>>>
) => Promise<Plain<Operation.Success<Op>>>

/** The same with what the response headers say about the value. */
export type AnswerCall<Op extends Operation.Any> = (
  ...args: Arguments<PlainRequest<Operation.Input<Op>>>
) => Promise<Plain<Answer<Operation.Success<Op>>>>

/** Promises of values. */
export interface PromiseMode extends CallMode {
  /** A promise of the value. */
  readonly method: this["operation"] extends infer Op extends Operation.Any ? Call<Op> : never
}

/** Promises of values with what the response headers say about them. */
export interface PromiseResponseMode extends CallMode {
  /** A promise of the value with what the response headers say about it. */
  readonly method: this["operation"] extends infer Op extends Operation.Any ? AnswerCall<Op> : never
}
