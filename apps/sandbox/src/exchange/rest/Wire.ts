import { DateTime } from "effect"
import type { Candle } from "../market/Candles.ts"
import * as FixedPoint from "../market/FixedPoint.ts"
import { getCurrencies, increment } from "../market/Product.ts"
import type { Currency, Product } from "../market/Product.ts"
import { hashText } from "../market/SeededRandom.ts"
import type { Trade } from "../market/Trade.ts"

/** A trade as the exchange shows it, with its clock and decimals. */
export interface JournalTrade {
  readonly trade_id: number
  readonly sequence: number
  /** ISO 8601 with microseconds. */
  readonly time: string
  /** The maker's. */
  readonly side: "buy" | "sell"
  /** The shortest exact decimal. */
  readonly price: string
  /** The shortest exact decimal. */
  readonly size: string
  readonly maker_order_id: string
  readonly taker_order_id: string
}

/** ISO 8601 with six digits, from microseconds since 1970. */
export const isoMicros = (time: number): string => {
  const milliseconds = Math.floor(time / 1000)
  const rest = time - milliseconds * 1000
  return `${DateTime.formatIso(DateTime.makeUnsafe(milliseconds)).slice(0, -1)}${rest.toString().padStart(3, "0")}Z`
}

const isoMillis = (time: number): string => DateTime.formatIso(DateTime.makeUnsafe(Math.floor(time / 1000)))

/** An HTTP date, which knows whole seconds only. */
export const httpDate = (time: number): string =>
  DateTime.toDateUtc(DateTime.makeUnsafe(Math.floor(time / 1000))).toUTCString()

const orderId = (product: Product, order: number): string => {
  const market = hashText(product.id).toString(16).padStart(8, "0")
  return `${market}-0000-4000-8000-${order.toString(16).padStart(12, "0")}`
}

export const journalTrade = (product: Product, trade: Trade, skew = 0): JournalTrade => ({
  trade_id: trade.tradeId,
  sequence: trade.sequence,
  time: isoMicros(trade.time + skew),
  side: trade.side,
  price: FixedPoint.format(trade.price, product.priceDecimals),
  size: FixedPoint.format(trade.size, product.sizeDecimals),
  maker_order_id: orderId(product, trade.makerOrder),
  taker_order_id: orderId(product, trade.takerOrder)
})

/**
 * REST writes prices and sizes with eight decimals, the stream only those of the increment, as the real exchange does.
 */
export const restTrade = (product: Product, trade: Trade, skew: number) => ({
  trade_id: trade.tradeId,
  side: trade.side,
  size: FixedPoint.formatFixed(trade.size, product.sizeDecimals, 8),
  price: FixedPoint.formatFixed(trade.price, product.priceDecimals, 8),
  time: isoMicros(trade.time + skew)
})

export const match = (type: "match" | "last_match", product: Product, trade: Trade, skew: number) => ({
  type,
  trade_id: trade.tradeId,
  maker_order_id: orderId(product, trade.makerOrder),
  taker_order_id: orderId(product, trade.takerOrder),
  side: trade.side,
  size: FixedPoint.format(trade.size, product.sizeDecimals),
  price: FixedPoint.format(trade.price, product.priceDecimals),
  product_id: product.id,
  sequence: trade.sequence,
  time: isoMicros(trade.time + skew)
})

/** `last_trade_id` is always 0, as observed on the real exchange: clients cannot rely on it. */
export const heartbeat = (product: Product, sequence: number, time: number) => ({
  type: "heartbeat",
  sequence,
  last_trade_id: 0,
  product_id: product.id,
  time: isoMicros(time)
})

/** `[seconds, low, high, open, close, volume]` with exact decimals as JSON numbers, which only text can carry. */
export const candleText = (product: Product, candle: Candle): string => {
  const price = (ticks: number) => FixedPoint.format(ticks, product.priceDecimals)
  const volume = FixedPoint.format(candle.volume, product.sizeDecimals)
  return `[${candle.start},${price(candle.low)},${price(candle.high)},${price(candle.open)},${price(candle.close)},${volume}]`
}

export const productRow = (product: Product) => ({
  id: product.id,
  base_currency: product.base,
  quote_currency: product.quote,
  quote_increment: increment(product.priceDecimals),
  base_increment: increment(product.sizeDecimals),
  display_name: `${product.base}-${product.quote}`,
  min_market_funds: "1",
  margin_enabled: false,
  post_only: false,
  limit_only: false,
  cancel_only: false,
  status: "online",
  status_message: "",
  trading_disabled: false,
  fx_stablecoin: false,
  max_slippage_percentage: "0.02000000",
  auction_mode: false
})

export const currencyRows = (products: ReadonlyArray<Product>) => getCurrencies(products).map(currencyRow)

const currencyRow = (currency: Currency) => ({
  id: currency.id,
  name: currency.name,
  min_size: increment(currency.decimals),
  status: "online",
  message: "",
  max_precision: increment(currency.decimals),
  convertible_to: [],
  details: { type: currency.type },
  default_network: "",
  supported_networks: [],
  display_name: currency.name
})

export const serverTime = (time: number) => ({ iso: isoMillis(time), epoch: Math.floor(time / 1000) / 1000 })
