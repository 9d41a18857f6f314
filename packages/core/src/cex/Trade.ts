/**
 * Trades of a market on a centralized exchange.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { MillisecondsText } from "../time/Timestamp.ts"
import { Market } from "./Market.ts"

/**
 * Whether the taker bought or sold the base.
 *
 * @since 0.1.0
 * @category models
 */
export const Side = Schema.Literals(["buy", "sell"]).annotate({ description: "What the taker did with the base" })

const fields = {
  id: Schema.String.annotate({ description: "The exchange's own id of the trade" }),
  timestamp: MillisecondsText.annotate({ description: "When the trade was executed (Unix milliseconds on the wire)" }),
  price: Schema.Finite.annotate({ description: "Price in the quote" }),
  size: Schema.Finite.annotate({ description: "Quantity of the base" }),
  cost: Schema.Finite.annotate({ description: "Amount of the quote: size x price" }),
  side: Side
}

/**
 * One trade. The numbers are doubles nearest to the decimals that the exchange stated; the text of the answer holds
 * every digit.
 *
 * @since 0.1.0
 * @category models
 */
export const Trade = Schema.Struct(fields).annotate({ identifier: "Trade" })

/**
 * @since 0.1.0
 * @category models
 */
export type Trade = typeof Trade.Type

/**
 * Trades of one market, oldest first.
 *
 * @since 0.1.0
 * @category models
 */
export const Trades = Schema.Struct({
  exchange: Schema.String,
  market: Market,
  trades: Schema.Array(Trade)
}).annotate({ identifier: "Trades" })

/**
 * @since 0.1.0
 * @category models
 */
export type Trades = typeof Trades.Type

/**
 * The newest trade of one market.
 *
 * @since 0.1.0
 * @category models
 */
export const LastTrade = Schema.Struct({ exchange: Schema.String, market: Market, ...fields }).annotate({
  identifier: "LastTrade"
})

/**
 * @since 0.1.0
 * @category models
 */
export type LastTrade = typeof LastTrade.Type
