import type { Timeframe } from "@chaintape/core"
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

/** An element of a response's list. */
export const tradeJson = (trade: SourceTrade): string => "{" + tradeMembers(trade) + "}"

const marketMembers = (exchange: string, market: string) =>
  `"exchange":${JSON.stringify(exchange)},"market":${JSON.stringify(market)}`

/** The size of a chunk of the body: some hundred kilobytes. */
export const rowsOfPart = 1000

/** Rows of a response in serialized form. */
export interface SerializedRows {
  /** JSON objects, each preceded by a comma. */
  readonly bytes: Uint8Array
  /** Of the bytes. */
  readonly digest: Uint8Array
}

/** The text before and after the elements of a response. */
export const aroundTrades = (exchange: string, market: string): readonly [before: string, after: string] => [
  `{${marketMembers(exchange, market)},"trades":[`,
  "]}"
]

/** The body in chunks, which are serialized on demand. */
export function* tradesJsonParts(
  exchange: string,
  market: string,
  trades: ReadonlyArray<SourceTrade>
): Generator<string, void> {
  const [before, after] = aroundTrades(exchange, market)
  yield before
  for (let start = 0; start < trades.length; start += rowsOfPart) {
    let rows = ""
    for (const trade of trades.slice(start, start + rowsOfPart)) {
      rows += (start === 0 && rows === "" ? "" : ",") + tradeJson(trade)
    }
    yield rows
  }
  yield after
}

export const tradesJson = (exchange: string, market: string, trades: ReadonlyArray<SourceTrade>): string =>
  [...tradesJsonParts(exchange, market, trades)].join("")

export const lastTradeJson = (exchange: string, market: string, trade: SourceTrade): string =>
  `{${marketMembers(exchange, market)},${tradeMembers(trade)}}`

/** An element of a list of candles. The tape's are written alike by its store. */
export const candleRowJson = ({ close, high, low, open, start, volume }: SourceCandle): string =>
  `{"t":${start},"o":${open},"h":${high},"l":${low},"c":${close},"v":${volume}}`

const startOfRow = /^{"t":(\d+)/

/**
 * Separates the elements of a list of candles, of which one has at least one. They are joined until this is required: a
 * text for each candle costs the thread that serves requests a tenth of a page of 10,000. To decode the list as JSON
 * would round its numbers.
 */
export const splitCandleRows = (rows: string): ReadonlyArray<{ readonly start: number; readonly json: string }> =>
  rows
    .slice(1, -1)
    .split("},{")
    .map((members) => {
      const json = `{${members}}`
      return { start: Number(startOfRow.exec(json)?.[1]), json }
    })

const frameMembers = (exchange: string, market: string, timeframe: Timeframe) =>
  `${marketMembers(exchange, market)},"timeframe":"${timeframe}"`

/** `row` is the candle as an element of a list. */
export const candleJson = (exchange: string, market: string, timeframe: Timeframe, row: string): string =>
  `{${frameMembers(exchange, market, timeframe)},${row.slice(1)}`

/** `rows` are the elements. */
export const candlesJson = (exchange: string, market: string, timeframe: Timeframe, rows: string): string =>
  `{${frameMembers(exchange, market, timeframe)},"aggregates":[${rows}]}`
