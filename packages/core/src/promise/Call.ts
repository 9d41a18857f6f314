/**
 * Calls that return promises.
 *
 * @since 0.1.0
 */
import type * as Duration from "effect/Duration"
import type * as Operation from "../api/Operation.ts"
import type { Answer } from "../client/Answer.ts"
import type { Plain, PlainInput } from "./Plain.ts"
import type { PlainCallPolicy } from "./PlainRetryPolicy.ts"

/**
 * Options of a single call.
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
export interface CallOptions {
  /** Aborts the request; the promise is rejected with the signal's reason, as with `fetch`. */
  readonly signal?: AbortSignal | undefined
  /** Replaces the client's deadline for this call: milliseconds, or a text such as `"5 seconds"`. */
  readonly deadline?: Duration.Input | undefined
  /** Overrides parts of the client's policy for this call. */
  readonly retry?: PlainCallPolicy | undefined
}

/**
 * The parameters of an operation: strings, numbers, booleans, and a `Date` for a time.
 *
 * @example
 * ```ts
 * import type { trades } from "@chaintape/core/api/CexOperations"
 * import type { PlainRequest } from "@chaintape/core/promise"
 *
 * const request: PlainRequest<typeof trades> = { exchange: "kraken", market: "BTC/USD", since: new Date(0) }
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export type PlainRequest<Op extends Operation.Any> = {
  readonly [K in keyof Operation.Request<Op>]: PlainInput<Operation.Request<Op>[K]>
}

/**
 * The parameters of a stream, in the same form.
 *
 * @example
 * ```ts
 * import type { TradesRequest } from "@chaintape/core/stream/TradeStream"
 * import type { PlainStreamRequest } from "@chaintape/core/promise"
 *
 * const request: PlainStreamRequest<TradesRequest> = {
 *   exchange: "kraken",
 *   market: "BTC/USD",
 *   since: new Date(0),
 *   live: true,
 *   pollEvery: "500 millis"
 * }
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export type PlainStreamRequest<R> = { readonly [K in keyof R]: PlainInput<R[K]> }

/**
 * A function of a request, which is optional if it has no required members.
 *
 * @example
 * ```ts
 * import type { lastTrade } from "@chaintape/core/api/CexOperations"
 * import type { Asking } from "@chaintape/core/promise"
 *
 * const price = async (read: Asking<typeof lastTrade, Promise<{ readonly price: string }>>): Promise<string> => {
 *   const { price } = await read({ exchange: "kraken", market: "BTC/USD" })
 *   return price
 * }
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export type Asking<Op extends Operation.Any, A> =
  {} extends PlainRequest<Op>
    ? (request?: PlainRequest<Op>, options?: CallOptions) => A
    : (request: PlainRequest<Op>, options?: CallOptions) => A

/**
 * Runs one operation. The promise is rejected with one of the operation's problems, or with a `ClientError`: instances
 * of the same classes as in the Effect client.
 *
 * @example
 * ```ts
 * import type { lastTrade } from "@chaintape/core/api/CexOperations"
 * import type { Call } from "@chaintape/core/promise"
 *
 * const price = async (read: Call<typeof lastTrade>): Promise<string> => {
 *   const { price } = await read({ exchange: "kraken", market: "BTC/USD" })
 *   return price
 * }
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export type Call<Op extends Operation.Any> = Asking<Op, Promise<Plain<Operation.Success<Op>>>>

/**
 * Runs one operation and returns its value with what the response headers say about it.
 *
 * @example
 * ```ts
 * import type { lastTrade } from "@chaintape/core/api/CexOperations"
 * import type { AnswerCall } from "@chaintape/core/promise"
 *
 * const source = async (read: AnswerCall<typeof lastTrade>): Promise<string | undefined> => {
 *   const { source } = await read({ exchange: "kraken", market: "BTC/USD" })
 *   return source
 * }
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export type AnswerCall<Op extends Operation.Any> = Asking<Op, Promise<Plain<Answer<Operation.Success<Op>>>>>
