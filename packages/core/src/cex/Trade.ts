/**
 * Trades of a market on a centralized exchange.
 *
 * @since 0.1.0
 *
 * @example
 * ```ts
 * import { type LastTrade, Side, type Trade, type Trades } from "@chaintape/core"
 *
 * const newestOf = ({ exchange, market, trades }: Trades): LastTrade | undefined => {
 *   const trade: Trade | undefined = trades.at(-1)
 *   return trade === undefined ? undefined : { exchange, market, ...trade }
 * }
 *
 * const sides: ReadonlyArray<typeof Side.Type> = Side.literals
 * ```
 */
import * as Schema from "effect/Schema"
import { DecimalNumber } from "../internal/decode/exactNumbers.ts"
import * as Decimal from "../number/Decimal.ts"
import { MillisecondsText } from "../time/Timestamp.ts"
import { Market } from "./Market.ts"

/**
 * Whether the taker bought or sold the base.
 *
 * @since 0.1.0
 * @category models
 */
export const Side = Schema.Literals(["buy", "sell"])

const fieldsWith = <D extends Schema.Codec<Decimal.Decimal, unknown>>(decimal: D) => ({
  id: Schema.String,
  timestamp: MillisecondsText,
  price: decimal,
  size: decimal,
  cost: decimal,
  side: Side
})

const fields = /* @__PURE__ */ fieldsWith(DecimalNumber)
const fieldsInText = /* @__PURE__ */ fieldsWith(Decimal.Decimal)

/**
 * One trade: its price is in the quote, its size in the base, and its cost is their product. All three are decimals with
 * every digit of the exchange: `Decimal.toNumber` and `Decimal.toBigDecimal` convert them. Decoded by this schema from a
 * JavaScript number, a decimal has the digits of that number.
 *
 * @since 0.1.0
 * @category models
 */
export const Trade = /* @__PURE__ */ Schema.Struct(fields).annotate({ identifier: "Trade" })

/**
 * @since 0.1.0
 * @category models
 */
export type Trade = typeof Trade.Type

/**
 * The size as a change of the taker's holdings of the base: positive if the taker bought, negative if the taker sold.
 * Summed over trades it is the net amount bought with market orders.
 *
 * @example
 * ```ts
 * import { Decimal, signedSize, type Trade } from "@chaintape/core"
 *
 * const pressure = (trades: ReadonlyArray<Trade>): Decimal.Decimal => Decimal.sum(trades.map(signedSize))
 * ```
 *
 * @since 0.1.0
 * @category conversions
 */
export const signedSize = ({ side, size }: Pick<Trade, "side" | "size">): Decimal.Decimal =>
  side === "buy" ? size : Decimal.negate(size)

/**
 * Trades of one market, oldest first.
 *
 * @since 0.1.0
 * @category models
 */
export const Trades = /* @__PURE__ */ Schema.Struct({
  exchange: Schema.String,
  market: Market,
  trades: /* @__PURE__ */ Schema.Array(Trade)
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
export const LastTrade = /* @__PURE__ */ Schema.Struct({ exchange: Schema.String, market: Market, ...fields }).annotate(
  {
    identifier: "LastTrade"
  }
)

/**
 * @since 0.1.0
 * @category models
 */
export type LastTrade = typeof LastTrade.Type

/**
 * A trade in a text whose decimals are strings.
 *
 * @example
 * ```ts
 * import { TradeInText } from "@chaintape/core/cex/Trade"
 * import * as Schema from "effect/Schema"
 *
 * const decode = Schema.decodeUnknownOption(TradeInText)
 * ```
 *
 * @since 0.1.0
 * @category schemas
 */
export const TradeInText = /* @__PURE__ */ Schema.Struct(fieldsInText)
/**
 * Trades in a text whose decimals are strings.
 *
 * @example
 * ```ts
 * import { TradesInText } from "@chaintape/core/cex/Trade"
 * import * as Schema from "effect/Schema"
 *
 * const decode = Schema.decodeUnknownOption(TradesInText)
 * ```
 *
 * @since 0.1.0
 * @category schemas
 */
export const TradesInText = /* @__PURE__ */ Schema.Struct({
  exchange: Schema.String,
  market: Market,
  trades: /* @__PURE__ */ Schema.Array(TradeInText)
})
/**
 * A last trade in a text whose decimals are strings.
 *
 * @example
 * ```ts
 * import { LastTradeInText } from "@chaintape/core/cex/Trade"
 * import * as Schema from "effect/Schema"
 *
 * const decode = Schema.decodeUnknownOption(LastTradeInText)
 * ```
 *
 * @since 0.1.0
 * @category schemas
 */
export const LastTradeInText = /* @__PURE__ */ Schema.Struct({
  exchange: Schema.String,
  market: Market,
  ...fieldsInText
})
