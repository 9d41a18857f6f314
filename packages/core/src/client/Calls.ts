/**
 * Functions that run one operation each, so that a bundle contains only the operations that a program calls.
 *
 * @since 0.1.0
 *
 * @example
 * ```ts
 * import { Client, Market } from "@chaintape/core"
 * import { lastTrade } from "@chaintape/core/api/CexOperations"
 * import { answer, type AnswerCall, call, type Call, type Calls, callsOf } from "@chaintape/core/client/Calls"
 * import { Effect } from "effect"
 *
 * const read: Call<typeof lastTrade> = call(lastTrade)
 * const readAnswer: AnswerCall<typeof lastTrade> = answer(lastTrade)
 *
 * const program = Effect.gen(function* () {
 *   const listing = { exchange: "kraken", market: Market.make("BTC/USD") }
 *   const { price } = yield* read(listing)
 *   const { source } = yield* readAnswer(listing)
 *   const calls: Calls<{ readonly lastTrade: typeof lastTrade }> = callsOf(yield* Client, { lastTrade })
 *   const { size } = yield* calls.lastTrade(listing)
 *   return { price, size, source }
 * })
 *
 * const runnable = Effect.provide(program, Client.layer({ baseUrl: "http://127.0.0.1:3000" }))
 * ```
 */
import * as Effect from "effect/Effect"
import type * as Operation from "../api/Operation.ts"
import type { Answer } from "./Answer.ts"
import type { CallOptions } from "./CallOptions.ts"
import { Client } from "./Client.ts"
import type { ClientError } from "./ClientError.ts"

export { callsOf, type Calls } from "../internal/client/calls.ts"

/**
 * Runs one operation with the `Client` in the context and returns its value.
 *
 * @since 0.1.0
 * @category models
 */
export type Call<Op extends Operation.Any> = (
  request: Operation.Request<Op>,
  options?: CallOptions
) => Effect.Effect<Operation.Success<Op>, Operation.Problem<Op> | ClientError, Client>

/**
 * Runs one operation with the `Client` in the context and returns its value with what the response headers say about
 * it.
 *
 * @since 0.1.0
 * @category models
 */
export type AnswerCall<Op extends Operation.Any> = (
  request: Operation.Request<Op>,
  options?: CallOptions
) => Effect.Effect<Answer<Operation.Success<Op>>, Operation.Problem<Op> | ClientError, Client>

/**
 * The function of an operation.
 *
 * @since 0.1.0
 * @category constructors
 */
export const call =
  <Op extends Operation.Any>(operation: Op): Call<Op> =>
  (request, options) =>
    Effect.map(answer(operation)(request, options), ({ value }) => value)

/**
 * The function of an operation that also returns what the response headers say about the value.
 *
 * @since 0.1.0
 * @category constructors
 */
export const answer =
  <Op extends Operation.Any>(operation: Op): AnswerCall<Op> =>
  (request, options) =>
    Client.use(({ call }) => call(operation, request, options))
