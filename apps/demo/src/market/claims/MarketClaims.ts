import { Cex } from "@chaintape/cex"
import type { Candles, Timeframe, Trade } from "@chaintape/core"
import * as Operations from "@chaintape/core/operations/cex"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type { ChartCandle, ChartCandles } from "../../chart/ChartCandle.ts"
import type { Claim, Values } from "../../proof/Claim.ts"
import { toClaim } from "../../proof/Claim.ts"
import type { Listing } from "../../proof/Claim.ts"
import { toShownRequest } from "../../service/ShownRequests.ts"
import { toChartCandles } from "../feed/History.ts"

const toSubject = ({ exchange, market }: Listing) => `${market} on ${exchange}`

const readTrades = (request: Parameters<Cex["Service"]["trades"]>[0]) =>
  Effect.flatMap(Cex, (cex) => cex.withResponse.trades(request))

const toTradeValues = ({ market }: Listing, { cost, id, price, side, size, timestamp }: Trade): Values => {
  const [base = "", quote = ""] = market.split("/")
  return [
    ["Trade id", id],
    [`Price, ${quote}`, price],
    [`Size, ${base}`, size],
    [`Cost, ${quote}`, cost],
    ["Side of the taker", side],
    ["Time", DateTime.formatIso(timestamp)]
  ]
}

/** An exchange may execute some trades in the same millisecond. */
const maxAtOneTime = 20

/** A trade, from the trades since its time. */
export const toTradeClaim = (listing: Listing, trade: Trade): Claim => {
  const request = { ...listing, since: trade.timestamp, limit: maxAtOneTime }
  return toClaim({
    title: "trade",
    subject: toSubject(listing),
    values: toTradeValues(listing, trade),
    request: toShownRequest(Operations.trades, request),
    read: readTrades(request),
    find: ({ trades }) => {
      const found = trades.find(({ id }) => id === trade.id)
      return found === undefined ? undefined : toTradeValues(listing, found)
    },
    listing
  })
}

const toTapeValues = (trades: ReadonlyArray<Trade>): Values => [
  ["First trade id", trades[0]?.id ?? "none"],
  ["Last trade id", trades.at(-1)?.id ?? "none"],
  ["Trades", String(trades.length)]
]

/** The trades of the tape, which are newest first. */
export const toTapeClaim = (listing: Listing, shown: ReadonlyArray<Trade>): Claim => {
  const millis = ({ timestamp }: Trade) => DateTime.toEpochMillis(timestamp)
  const trades = shown.toReversed().sort((one, other) => millis(one) - millis(other))
  // Others of the first millisecond may precede the shown ones.
  const request = { ...listing, since: trades[0]?.timestamp, limit: trades.length + maxAtOneTime }
  return toClaim({
    title: "trades of the tape",
    subject: toSubject(listing),
    values: toTapeValues(trades),
    request: toShownRequest(Operations.trades, request),
    read: readTrades(request),
    find: (found) => {
      const first = found.trades.findIndex(({ id }) => id === trades[0]?.id)
      return first < 0 ? undefined : toTapeValues(found.trades.slice(first, first + trades.length))
    },
    listing
  })
}

const decimals = 8
const digits = 12

/** Digits beyond those of an exchange come from sums of binary fractions. A tiny number has more decimals than others. */
const toText = (value: number) => {
  const ofDigits = digits - 1 - Math.floor(Math.log10(Math.abs(value) || 1))
  return String(Number(value.toFixed(Math.min(100, Math.max(decimals, ofDigits)))))
}

interface CandlesClaim extends Listing {
  readonly timeframe: Timeframe
  readonly candles: ChartCandles
  readonly title: string
  readonly toValues: (candles: ChartCandles) => Values
}

const toCandlesClaim = ({ candles, timeframe, title, toValues, ...listing }: CandlesClaim): Claim => {
  const millis = (candle: ChartCandle | undefined) => (candle?.start ?? 0) * 1000
  const [since, until] = [millis(candles[0]), millis(candles.at(-1))]
  const request = { ...listing, timeframe, since, until, limit: Math.max(1, candles.length) }
  return toClaim({
    title,
    subject: `${toSubject(listing)}, ${timeframe} candles`,
    values: toValues(candles),
    request: toShownRequest(Operations.candles, request),
    read: Effect.flatMap(Cex, (cex) => cex.withResponse.candles(request)),
    find: ({ candles }: Candles) => toValues(toChartCandles(candles)),
    listing
  })
}

/** One candle. */
export const toCandleClaim = (listing: Listing, timeframe: Timeframe, candle: ChartCandle): Claim => {
  const [base = "", quote = ""] = listing.market.split("/")
  return toCandlesClaim({
    ...listing,
    timeframe,
    candles: [candle],
    title: "candle",
    toValues: ([one]) =>
      one === undefined
        ? []
        : [
            ["Start", DateTime.formatIso(DateTime.makeUnsafe(one.start * 1000))],
            [`Open, ${quote}`, toText(one.open)],
            [`High, ${quote}`, toText(one.high)],
            [`Low, ${quote}`, toText(one.low)],
            [`Close, ${quote}`, toText(one.close)],
            [`Volume, ${base}`, toText(one.volume)]
          ]
  })
}

/** A figure of several candles. */
export const toDayClaim = (
  listing: Listing,
  candles: ChartCandles,
  name: string,
  toValue: (candles: ChartCandles) => number
): Claim =>
  toCandlesClaim({
    ...listing,
    timeframe: "1h",
    candles,
    title: name,
    toValues: (candles) => [[name, toText(toValue(candles))]]
  })
