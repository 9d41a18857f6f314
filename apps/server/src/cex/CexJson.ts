import type { Timeframe } from "@chaintape/core/cex/Timeframe"
import type { SourceCandle, SourceTrade } from "./ExchangeSource.ts"

// Prices and sizes are written digit by digit: no number passes through a binary float.

const isPlain = /^[\w.:-]*$/

const tradeMembers = ({ cost, id, price, side, size, timestamp }: SourceTrade): string =>
  '"id":' +
  (isPlain.test(id) ? '"' + id + '"' : JSON.stringify(id)) +
  ',"timestamp":"' +
  timestamp +
  '","price":' +
  price +
  ',"size":' +
  size +
  ',"cost":' +
  cost +
  ',"side":"' +
  side +
  '"'

const marketMembers = (exchange: string, market: string) =>
  `"exchange":${JSON.stringify(exchange)},"market":${JSON.stringify(market)}`

export const tradesJson = (exchange: string, market: string, trades: ReadonlyArray<SourceTrade>): string => {
  let rows = ""
  for (const trade of trades) rows += (rows === "" ? "{" : ",{") + tradeMembers(trade) + "}"
  return `{${marketMembers(exchange, market)},"trades":[${rows}]}`
}

export const lastTradeJson = (exchange: string, market: string, trade: SourceTrade): string =>
  `{${marketMembers(exchange, market)},${tradeMembers(trade)}}`

export const candleJson = (
  exchange: string,
  market: string,
  timeframe: Timeframe,
  { close, high, low, open, start, volume }: SourceCandle
): string =>
  `{${marketMembers(exchange, market)},"timeframe":"${timeframe}","t":${start},` +
  `"o":${open},"h":${high},"l":${low},"c":${close},"v":${volume}}`
