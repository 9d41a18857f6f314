/**
 * Centralized exchanges: their properties, trades and candles.
 *
 * @since 0.1.0
 */
import { Client, type ClientOptions } from "@chaintape/core"
import { callsOf } from "@chaintape/core/operations"
import * as Operations from "@chaintape/core/operations/cex"
import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/**
 * Reads centralized exchanges.
 *
 * @since 0.1.0
 * @category services
 *
 * @example
 * ```ts
 * import { Cex } from "@chaintape/cex"
 * import { Market } from "@chaintape/core"
 * import { Effect, Option, Redacted } from "effect"
 *
 * const program = Effect.gen(function* () {
 *   const cex = yield* Cex
 *   const listing = { exchange: "kraken", market: Market.make("BTC/USD") }
 *   const { price } = yield* cex.lastTrade(listing)
 *   const { coverage, value } = yield* cex.withResponse.trades({ ...listing, limit: 1000 })
 *   const isComplete = Option.exists(coverage, ({ state }) => state === "complete")
 *   return { price, trades: value.trades, isComplete }
 * })
 *
 * const layer = Cex.layer({ baseUrl: "http://127.0.0.1:3000", apiKey: Redacted.make("chaintape_...") })
 * const runnable = Effect.provide(program, layer)
 * ```
 */
export class Cex extends Context.Service<
  Cex,
  Operations.CexMethods<"effect"> & {
    /**
     * The same methods, which also return what the headers say about the value: coverage, source, whether the candle is
     * closed.
     */
    readonly withResponse: Operations.CexMethods<"effectResponse">
  }
>()("@chaintape/cex/Cex") {
  /** With the `Client` in the context, so that several groups share one. */
  static readonly layerNoDeps: Layer.Layer<Cex, never, Client> = Layer.effect(
    Cex,
    Effect.map(Client, (client) => callsOf(client, Operations))
  )

  /** With its own client on `fetch`. */
  static readonly layer = (options: ClientOptions): Layer.Layer<Cex> =>
    Cex.layerNoDeps.pipe(Layer.provide(Client.layer(options)))

  /**
   * With its own client on `fetch`. Each option is a value or a `Config`; without them the address and the key are those
   * of `CHAINTAPE_BASE_URL` and `CHAINTAPE_API_KEY`.
   */
  static readonly layerConfig = (
    options?: Parameters<typeof Client.layerConfig>[0]
  ): Layer.Layer<Cex, Config.ConfigError> => Cex.layerNoDeps.pipe(Layer.provide(Client.layerConfig(options)))
}
