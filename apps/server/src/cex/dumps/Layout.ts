import type { MarketName, SourceTrade } from "../ExchangeSource.ts"
import { parseDigits } from "../TradeSequence.ts"

/** The cells of a row that a trade is made of, by the number of the column. */
export interface Columns {
  readonly id: number
  readonly price: number
  readonly size: number
  readonly time: number
  readonly side: number
  /** The name of the market in every row. */
  readonly market?: number | undefined
}

/** How an exchange writes the files of its trades. */
export interface Layout {
  readonly name: string
  /** The ccxt ids of exchanges whose ids of trades these are; absent for any with consecutive ids. */
  readonly drivers?: ReadonlyArray<string>
  /** The names of columns in a header, in lower case: by them the layout is recognized. */
  readonly header?: Readonly<Record<Exclude<keyof Columns, "market">, string>> & { readonly market?: string }
  /** Without a header: the number of columns, and which they are. */
  readonly columns?: { readonly counts: ReadonlyArray<number>; readonly at: Columns }
  /** Unix milliseconds; NaN if the text is no time. */
  readonly toTime: (text: string) => number
  readonly toSide: (text: string) => SourceTrade["side"] | undefined
  /** The name of a market in rows and in names of files. */
  readonly toSymbol?: (market: MarketName) => string
  /** Finds that name in the name of a file. */
  readonly fileName?: RegExp
  /** Why its trades cannot be imported. */
  readonly refusal?: string
}

const fromMillis = (text: string): number => (text.length === 13 ? parseDigits(text) : Number.NaN)

/** Milliseconds, or microseconds since some date: Binance changed on 2025-01-01. */
const fromMillisOrMicros = (text: string): number =>
  text.length === 16 ? Math.floor(parseDigits(text) / 1000) : fromMillis(text)

/** Seconds with decimals, of which those below a millisecond are cut. */
const fromSeconds = (text: string): number => {
  const [, seconds = "", fraction = ""] = /^(\d{10})(?:\.(\d{1,9}))?$/.exec(text) ?? []
  return seconds === "" ? Number.NaN : Number(seconds + fraction.slice(0, 3).padEnd(3, "0"))
}

/** Whether the buyer was the maker: then the taker sold. */
const fromMaker = (text: string) =>
  text === "true" || text === "True" ? "sell" : text === "false" || text === "False" ? "buy" : undefined

const fromWord = (text: string) => (text === "buy" || text === "sell" ? text : undefined)

const joined = ({ base, quote }: MarketName) => base + quote
const joinWithDash = ({ base, quote }: MarketName) => `${base}-${quote}`
const joinWithUnderscore = ({ base, quote }: MarketName) => `${base}_${quote}`

const binance = ["binance", "binanceus", "binanceusdm", "binancecoinm"]

/**
 * - Binance: `{SYMBOL}-aggTrades-{date}.zip`; spot without a header, in microseconds from 2025-01-01; USD-M with a header
 *   from 2022-08-11. The tape of Binance has the ids of aggregate trades, so its files of single trades do not fit.
 * - OKX: `{INSTRUMENT}-trades-{date}.zip`, with a header; sizes may have an exponent.
 * - Gate: `{MARKET}-{yyyymm}.csv.gz`, without a header; side 1 sells, 2 buys.
 * - Chaintape: what `chaintape trades` writes.
 */
export const layouts: ReadonlyArray<Layout> = [
  {
    name: "aggregate trades of Binance",
    drivers: ["binance", "binanceusdm"],
    header: {
      id: "agg_trade_id",
      price: "price",
      size: "quantity",
      time: "transact_time",
      side: "is_buyer_maker"
    },
    columns: { counts: [7, 8], at: { id: 0, price: 1, size: 2, time: 5, side: 6 } },
    toTime: fromMillisOrMicros,
    toSide: fromMaker,
    toSymbol: joined,
    fileName: /^([A-Z0-9]+)-aggTrades-/
  },
  {
    name: "single trades of Binance",
    drivers: binance,
    header: { id: "id", price: "price", size: "qty", time: "time", side: "is_buyer_maker" },
    columns: { counts: [6, 7], at: { id: 0, price: 1, size: 2, time: 4, side: 5 } },
    toTime: fromMillisOrMicros,
    toSide: fromMaker,
    refusal:
      "the tape of Binance has the ids of aggregate trades, which other ids cannot join. Import the files aggTrades of these days"
  },
  {
    name: "trades of OKX",
    drivers: ["okx", "okxus", "myokx"],
    header: {
      id: "trade_id",
      price: "price",
      size: "size",
      time: "created_time",
      side: "side",
      market: "instrument_name"
    },
    toTime: fromMillis,
    toSide: fromWord,
    toSymbol: joinWithDash
  },
  {
    name: "trades of Gate",
    drivers: ["gate", "gateeu"],
    columns: { counts: [5], at: { id: 1, price: 2, size: 3, time: 0, side: 4 } },
    toTime: fromSeconds,
    toSide: (text) => (text === "1" ? "sell" : text === "2" ? "buy" : undefined),
    toSymbol: joinWithUnderscore,
    fileName: /^([A-Z0-9]+_[A-Z0-9]+)-\d{6}/
  },
  {
    name: "trades that Chaintape has written",
    header: { id: "id", price: "price", size: "size", time: "timestamp", side: "side" },
    toTime: fromMillis,
    toSide: fromWord
  }
]

const noOrder = "their ids are not consecutive, so that a missing trade would not show"

/** Published layouts that prove nothing, by names of columns that no other has. */
export const unusableLayouts: ReadonlyArray<{
  readonly name: string
  readonly header: ReadonlyArray<string>
  readonly refusal: string
}> = [
  { name: "trades of Bybit derivatives or BitMEX", header: ["trdmatchid"], refusal: noOrder },
  {
    name: "trades of Bybit",
    header: ["id", "timestamp", "price", "volume", "side"],
    refusal: "their ids are the numbers of the rows of a file, not those of trades"
  },
  { name: "trades of Bitget", header: ["trade_id", "size(base)"], refusal: noOrder },
  { name: "trades of KuCoin", header: ["trade_id", "trade_time"], refusal: noOrder },
  { name: "trades of HTX", header: ["instid", "tradeid", "px"], refusal: noOrder }
]
