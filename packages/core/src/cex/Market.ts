/**
 * Markets of a centralized exchange.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { withMake } from "../internal/decode/withMake.ts"

/**
 * A pair of base and quote in upper case, `BASE/QUOTE`. The price is in the quote, the size in the base.
 *
 * @since 0.1.0
 * @category models
 */
export const Market = /* @__PURE__ */ (() => {
  const schema = Schema.String.check(
    Schema.isPattern(/^[^\s/-]{1,40}\/[^\s/-]{1,40}$/u, { expected: "a market written BASE/QUOTE" })
  )
    .pipe(Schema.brand("Market"))
    .annotate({ identifier: "Market", examples: [] })
  const is = Schema.is(schema)
  // Takes any letter case, and `BASE-QUOTE` too.
  return withMake(schema, (text): typeof schema.Type => {
    const market = String(text).toUpperCase().replace("-", "/")
    if (!is(market)) throw new TypeError(`"${text}" is not a market: write BASE/QUOTE, such as "BTC/USD"`)
    return market
  })
})()

/**
 * @since 0.1.0
 * @category models
 */
export type Market = typeof Market.Type

/**
 * The market of a base and a quote, in any letter case. Throws if one of them is empty, longer than 40 characters, or
 * contains a space, `/` or `-`. `Market.make("btc-usd")` is the same of one text.
 *
 * @example
 * ```ts
 * import { marketOf } from "@chaintape/core"
 *
 * console.log(marketOf("btc", "usd")) // BTC/USD
 * ```
 *
 * @since 0.1.0
 * @category constructors
 */
export const marketOf = (base: string, quote: string): Market => Market.make(`${base}/${quote}`.toUpperCase())

/**
 * The base: `BTC` of `BTC/USD`. Sizes of trades and volumes of candles are in it.
 *
 * @example
 * ```ts
 * import { baseOf, Market } from "@chaintape/core"
 *
 * console.log(baseOf(Market.make("BTC/USD"))) // BTC
 * ```
 *
 * @since 0.1.0
 * @category conversions
 */
export const baseOf = (market: Market): string => market.slice(0, market.indexOf("/"))

/**
 * The quote: `USD` of `BTC/USD`. Prices are in it.
 *
 * @example
 * ```ts
 * import { Market, quoteOf } from "@chaintape/core"
 *
 * console.log(quoteOf(Market.make("BTC/USD"))) // USD
 * ```
 *
 * @since 0.1.0
 * @category conversions
 */
export const quoteOf = (market: Market): string => market.slice(market.indexOf("/") + 1)

/**
 * A market in a URL path: `BASE-QUOTE` in any letter case.
 *
 * @since 0.1.0
 * @category schemas
 *
 * @example
 * ```ts
 * import * as assert from "node:assert/strict"
 * import { MarketInPath } from "@chaintape/core/cex/Market"
 * import * as Schema from "effect/Schema"
 *
 * assert.equal(Schema.decodeUnknownSync(MarketInPath)("btc-usd"), "BTC/USD")
 * ```
 */
export const MarketInPath = Schema.String.check(
  Schema.isPattern(/^[^\s/-]{1,40}-[^\s/-]{1,40}$/u, { expected: "a market written BASE-QUOTE" })
).pipe(
  Schema.decodeTo(
    Market,
    SchemaTransformation.transform<string, string>({
      decode: (text) => text.toUpperCase().replace("-", "/"),
      encode: (market) => market.replace("/", "-")
    })
  )
)
