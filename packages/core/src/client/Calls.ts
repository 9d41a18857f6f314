/**
 * Functions that run one operation each, so that a bundle contains only the operations that a program calls.
 *
 * @since 0.1.0
 *
 * @example
 * ```ts
 * import { Client, Market } from "@chaintape/core"
 * import { call, callsOf, type Operation } from "@chaintape/core/operations"
 * import * as CexOperations from "@chaintape/core/operations/cex"
 * import { Effect } from "effect"
 *
 * const read: Operation.Call<typeof CexOperations.lastTrade> = call(CexOperations.lastTrade)
 *
 * const program = Effect.gen(function* () {
 *   const listing = { exchange: "kraken", market: Market.make("BTC/USD") }
 *   const { price } = yield* read(listing)
 *   const calls = callsOf(yield* Client, { lastTrade: CexOperations.lastTrade })
 *   const { source, value } = yield* calls.withResponse.lastTrade(listing)
 *   return { price, size: value.size, source }
 * })
 *
 * const runnable = Effect.provide(program, Client.layer({ baseUrl: "http://127.0.0.1:3000" }))
 * ```
 */
export { call, callsOf } from "../internal/client/calls.ts"
