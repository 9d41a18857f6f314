/**
 * Centralized exchanges: their properties, trades and candles.
 *
 * @since 0.1.0
 */
import * as Operations from "@chaintape/core/api/CexOperations"
import { callsOf } from "@chaintape/core/client/Calls"
import { Client, type ClientOptions, type Read, type ReadAnswer } from "@chaintape/core/client/Client"
import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const { exchanges, exchange, markets, trades, lastTrade, lastCandle, candles } = Operations
const operations = { exchanges, exchange, markets, trades, lastTrade, lastCandle, candles }

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
  {
    /** Every exchange by name and id. */
    readonly exchanges: Read<typeof Operations.exchanges>
    /** The properties of one exchange. */
    readonly exchange: Read<typeof Operations.exchange>
    /** Every market of an exchange, and whether it is recorded. An addition beside the specified interface. */
    readonly markets: Read<typeof Operations.markets>
    /** Trades, oldest first: the latest `limit` (200), or the first `limit` since a time. At most 50,000. */
    readonly trades: Read<typeof Operations.trades>
    /** The newest trade. */
    readonly lastTrade: Read<typeof Operations.lastTrade>
    /** The newest candle with a trade. */
    readonly lastCandle: Read<typeof Operations.lastCandle>
    /**
     * Candles, oldest first: the latest `limit` (200), or the first `limit` since a time. At most 10,000. An addition
     * beside the specified interface.
     */
    readonly candles: Read<typeof Operations.candles>
    /**
     * The same operations, which also return what the headers say about the value: coverage, source, whether the candle
     * is final.
     */
    readonly withResponse: {
      readonly exchanges: ReadAnswer<typeof Operations.exchanges>
      readonly exchange: ReadAnswer<typeof Operations.exchange>
      readonly markets: ReadAnswer<typeof Operations.markets>
      readonly trades: ReadAnswer<typeof Operations.trades>
      readonly lastTrade: ReadAnswer<typeof Operations.lastTrade>
      readonly lastCandle: ReadAnswer<typeof Operations.lastCandle>
      readonly candles: ReadAnswer<typeof Operations.candles>
    }
  }
>()("@chaintape/cex/Cex") {
  /** With the `Client` in the context, so that several groups share one. */
  static readonly layerNoDeps: Layer.Layer<Cex, never, Client> = Layer.effect(
    Cex,
    Effect.map(Client, (client) => callsOf(client, operations))
  )

  /** With its own client on `fetch`. */
  static readonly layer = (options: ClientOptions): Layer.Layer<Cex> =>
    Cex.layerNoDeps.pipe(Layer.provide(Client.layer(options)))

  /** With its own client, configured by `CHAINTAPE_BASE_URL` and `CHAINTAPE_API_KEY`. */
  static readonly layerConfig = (
    options?: Parameters<typeof Client.layerConfig>[0]
  ): Layer.Layer<Cex, Config.ConfigError> => Cex.layerNoDeps.pipe(Layer.provide(Client.layerConfig(options)))
}
