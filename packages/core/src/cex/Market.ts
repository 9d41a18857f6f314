/**
 * Markets of a centralized exchange.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { withMake } from "../internal/decode/withMake.ts"

/**
 * A pair of base and quote in upper case, `BASE/QUOTE`. The price is in the quote, the size in the base. `Market.make` takes
 * any letter case and `BASE-QUOTE`, and throws a `TypeError` for what is no market.
 *
 * @example
 * ```ts
 * import * as assert from "node:assert/strict"
 * import { Market } from "@chaintape/core"
 *
 * const market = Market.make("btc-usd")
 * assert.deepEqual([market, Market.base(market), Market.quote(market)], ["BTC/USD", "BTC", "USD"])
 * ```
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
  const made = withMake(schema, (text): typeof schema.Type => {
    const market = String(text).toUpperCase().replace("-", "/")
    if (!is(market)) throw new TypeError(`"${text}" is not a market: write BASE/QUOTE, such as "BTC/USD"`)
    return market
  })
  return Object.assign(made, {
    /** The base: `BTC` of `BTC/USD`. Sizes of trades and volumes of candles are in it. */
    base: (market: string): string => market.slice(0, market.indexOf("/")),
    /** The quote: `USD` of `BTC/USD`. Prices are in it. */
    quote: (market: string): string => market.slice(market.indexOf("/") + 1)
  })
})()

/**
 * @since 0.1.0
 * @category models
 */
export type Market = typeof Market.Type

/**
 * A market in a URL path: `BASE-QUOTE` in any letter case.
 *
 * @since 0.1.0
 * @category schemas
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
