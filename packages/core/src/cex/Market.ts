/**
 * Markets of a centralized exchange.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"

/**
 * A pair of base and quote in upper case, `BASE/QUOTE`. The price is in the quote, the size in the base.
 *
 * @since 0.1.0
 * @category models
 */
export const Market = Schema.String.check(
  Schema.isPattern(/^[^\s/-]{1,40}\/[^\s/-]{1,40}$/u, { expected: "a market written BASE/QUOTE" })
)
  .pipe(Schema.brand("Market"))
  .annotate({ identifier: "Market", examples: [] })

/**
 * @since 0.1.0
 * @category models
 */
export type Market = typeof Market.Type

/**
 * A market as a path writes it, `BASE-QUOTE` in any letter case.
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
