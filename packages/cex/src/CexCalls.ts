/**
 * The operations on centralized exchanges as functions, so that a bundle contains only those that its program calls.
 *
 * @since 0.1.0
 */
import { call } from "@chaintape/core/operations"
import * as Operations from "@chaintape/core/operations/cex"

/**
 * Lists the centralized exchanges by name and id.
 *
 * @since 0.1.0
 * @category calls
 *
 * @example
 * ```ts
 * import { exchanges } from "@chaintape/cex"
 * import { Client } from "@chaintape/core"
 * import { Effect } from "effect"
 *
 * const names = Effect.map(exchanges({}), (all) => all.map(({ name }) => name))
 * const runnable = Effect.provide(names, Client.layer({ baseUrl: "http://127.0.0.1:3000" }))
 * ```
 */
export const exchanges: Operations.CexMethods<"call">["exchanges"] = /* @__PURE__ */ call(Operations.exchanges)

/**
 * Reads the properties of one exchange. Fails with `ExchangeNotFound`.
 *
 * @since 0.1.0
 * @category calls
 *
 * @example
 * ```ts
 * import { exchange } from "@chaintape/cex"
 * import { Effect } from "effect"
 *
 * const hasTrades = Effect.map(exchange({ exchange: "kraken" }), ({ hasTrades }) => hasTrades)
 * ```
 */
export const exchange: Operations.CexMethods<"call">["exchange"] = /* @__PURE__ */ call(Operations.exchange)

/**
 * Lists the markets of an exchange, by market, and whether each is recorded. An addition beside the specified
 * interface.
 *
 * @since 0.1.0
 * @category calls
 *
 * @example
 * ```ts
 * import { markets } from "@chaintape/cex"
 * import { Effect } from "effect"
 *
 * const recorded = Effect.map(markets({ exchange: "kraken" }), (all) => all.filter(({ recorded }) => recorded))
 * ```
 */
export const markets: Operations.CexMethods<"call">["markets"] = /* @__PURE__ */ call(Operations.markets)

/**
 * Reads trades of a market, oldest first: the latest `limit` (200 if not given, at most 50,000), or the first `limit`
 * since a time.
 *
 * @since 0.1.0
 * @category calls
 *
 * @example
 * ```ts
 * import { trades } from "@chaintape/cex"
 * import { Decimal, Market } from "@chaintape/core"
 * import { Effect } from "effect"
 *
 * const latest = trades({ exchange: "kraken", market: Market.make("BTC/USD"), limit: 1000 })
 * const volume = Effect.map(latest, ({ trades }) => Decimal.sum(trades.map(({ size }) => size)))
 * ```
 */
export const trades: Operations.CexMethods<"call">["trades"] = /* @__PURE__ */ call(Operations.trades)

/**
 * Reads the newest trade of a market. Fails with `NoData` if there is none yet.
 *
 * @since 0.1.0
 * @category calls
 *
 * @example
 * ```ts
 * import { lastTrade } from "@chaintape/cex"
 * import { Market } from "@chaintape/core"
 * import { Effect } from "effect"
 *
 * const price = lastTrade({ exchange: "kraken", market: Market.make("BTC/USD") }).pipe(
 *   Effect.map(({ price }) => price),
 *   Effect.catchTag("NoData", () => Effect.succeed(undefined))
 * )
 * ```
 */
export const lastTrade: Operations.CexMethods<"call">["lastTrade"] = /* @__PURE__ */ call(Operations.lastTrade)

/**
 * Reads the newest candle of a market with a trade. Fails with `NoData` if there is none yet.
 *
 * @since 0.1.0
 * @category calls
 *
 * @example
 * ```ts
 * import { lastCandle } from "@chaintape/cex"
 * import { candleEnd, Market } from "@chaintape/core"
 * import { Effect } from "effect"
 *
 * const hour = lastCandle({ exchange: "kraken", market: Market.make("BTC/USD"), timeframe: "1h" })
 * const end = Effect.map(hour, candleEnd)
 * ```
 */
export const lastCandle: Operations.CexMethods<"call">["lastCandle"] = /* @__PURE__ */ call(Operations.lastCandle)

/**
 * Reads candles of a market, oldest first: the latest `limit` (200 if not given, at most 10,000) that start up to `until`
 * or now, or with `since` the first `limit` from there on. An interval without a trade has no candle. An addition beside
 * the specified interface.
 *
 * @since 0.1.0
 * @category calls
 *
 * @example
 * ```ts
 * import { candles } from "@chaintape/cex"
 * import { Decimal, Market } from "@chaintape/core"
 * import { Effect } from "effect"
 *
 * const day = candles({ exchange: "kraken", market: Market.make("BTC/USD"), timeframe: "1h", limit: 24 })
 * const volume = Effect.map(day, ({ candles }) => Decimal.sum(candles.map(({ volume }) => volume)))
 * ```
 */
export const candles: Operations.CexMethods<"call">["candles"] = /* @__PURE__ */ call(Operations.candles)
