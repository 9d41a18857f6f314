/**
 * Trades of a market on a centralized exchange.
 *
 * @since 0.1.0
 *
 * @example
 * ```ts
 * import type { LastTrade, Trade, Trades } from "@chaintape/core"
 *
 * const newestOf = ({ exchange, market, trades }: Trades): LastTrade | undefined => {
 *   const trade: Trade | undefined = trades.at(-1)
 *   return trade === undefined ? undefined : { exchange, market, ...trade }
 * }
 * ```
 */
import type * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import { DecimalNumber } from "../internal/decode/exactNumbers.ts"
import * as Decimal from "../number/Decimal.ts"
import { MillisecondsText } from "../time/Timestamp.ts"
import { Market } from "./Market.ts"

/** Whether the taker bought or sold the base. */
const Side = Schema.Literals(["buy", "sell"])

const fieldsWith = <D extends Schema.Codec<Decimal.Decimal, unknown>>(decimal: D) => ({
  id: Schema.String,
  timestamp: MillisecondsText,
  price: decimal,
  size: decimal,
  cost: decimal,
  side: Side
})

const fields = /* @__PURE__ */ fieldsWith(DecimalNumber)

type Encoded = Schema.Struct.Encoded<typeof fields>

type Listing = { readonly exchange: string; readonly market: string }

const fieldsInText = /* @__PURE__ */ fieldsWith(Decimal.Decimal)

/**
 * One trade: its price is in the quote, its size in the base, and its cost is their product. All three are decimals with
 * every digit of the exchange: `Decimal.toNumber` and `Decimal.toBigDecimal` convert them. Decoded by this schema from a
 * JavaScript number, a decimal has the digits of that number.
 *
 * @since 0.1.0
 * @category models
 */
export const Trade: Schema.Codec<Trade, Encoded> = /* @__PURE__ */ Schema.Struct(fields).annotate({
  identifier: "Trade"
})

/**
 * @since 0.1.0
 * @category models
 */
export interface Trade {
  /** The exchange's own id, unique in its market. */
  readonly id: string
  /** When the trade was executed, to the millisecond; in UTC. */
  readonly timestamp: DateTime.Utc
  /** The price of one unit of the base, in the quote. */
  readonly price: Decimal.Decimal
  /** The quantity, in the base. */
  readonly size: Decimal.Decimal
  /** Price times size, in the quote. */
  readonly cost: Decimal.Decimal
  /** Whether the taker bought or sold the base. */
  readonly side: "buy" | "sell"
}

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
export const Trades: Schema.Codec<Trades, Listing & { readonly trades: ReadonlyArray<Encoded> }> =
  /* @__PURE__ */ Schema.Struct({
    exchange: Schema.String,
    market: Market,
    trades: /* @__PURE__ */ Schema.Array(Trade)
  }).annotate({ identifier: "Trades" })

/**
 * @since 0.1.0
 * @category models
 */
export interface Trades {
  /** The id of the exchange. */
  readonly exchange: string
  /** The market as `BASE/QUOTE`. */
  readonly market: Market
  /** Oldest first. */
  readonly trades: ReadonlyArray<Trade>
}

/**
 * The newest trade of one market.
 *
 * @since 0.1.0
 * @category models
 */
export const LastTrade: Schema.Codec<LastTrade, Listing & Encoded> = /* @__PURE__ */ Schema.Struct({
  exchange: Schema.String,
  market: Market,
  ...fields
}).annotate({
  identifier: "LastTrade"
})

/**
 * @since 0.1.0
 * @category models
 */
export interface LastTrade extends Trade {
  /** The id of the exchange. */
  readonly exchange: string
  /** The market as `BASE/QUOTE`. */
  readonly market: Market
}

/**
 * A trade in a text whose decimals are strings.
 *
 * @since 0.1.0
 * @category schemas
 */
export const TradeInText = /* @__PURE__ */ Schema.Struct(fieldsInText)
/**
 * Trades in a text whose decimals are strings.
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
 * @since 0.1.0
 * @category schemas
 */
export const LastTradeInText = /* @__PURE__ */ Schema.Struct({
  exchange: Schema.String,
  market: Market,
  ...fieldsInText
})
