/**
 * The arguments of calls that return promises.
 *
 * @since 0.1.0
 */
import type { CallOptions as ClientCallOptions } from "../../options/CallOptions.ts"
import type { PlainInput } from "./Plain.ts"

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

/** The arguments of a call: the request may be omitted if no parameter is required. */
export type PlainArguments<Request> = {} extends Request
  ? [request?: { readonly [K in keyof Request]: PlainInput<Request[K]> }, options?: CallOptions]
  : [request: { readonly [K in keyof Request]: PlainInput<Request[K]> }, options?: CallOptions]
