/**
 * A `Cex` for tests, from plain values.
 *
 * @since 0.1.0
 */
import { type Candle, Decimal, Exchange, ExchangeSummary, type ListedMarket, NoData, type Trade } from "@chaintape/core"
import * as Operations from "@chaintape/core/operations/cex"
import { Script, mockResponse } from "@chaintape/core/testing"
import * as BigDecimal from "effect/BigDecimal"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import { Cex } from "../Cex.ts"

type TradeRow = Script.Unbranded<Trade>
type Rows = ReadonlyArray<TradeRow>
type CandleRow = Omit<Script.Unbranded<Candle>, "exchange" | "market" | "timeframe">

/**
 * The reply of each operation: a value, a problem, an effect of either, or a function of the request. `mockResponse` adds
 * response headers to a value. A problem that the operation does not have is a type error.
 *
 * @example
 * ```ts
 * import { CexTest } from "@chaintape/cex/testing"
 * import { MarketNotFound } from "@chaintape/core"
 *
 * const script: CexTest.CexScript = {
 *   trades: [CexTest.trade({ id: "1", price: 60_000, size: 0.5 })],
 *   lastCandle: ({ exchange, market }) => new MarketNotFound({ exchange, market, detail: `There is no "${market}".` })
 * }
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export interface CexScript {
  /** The exchanges that the service lists. */
  readonly exchanges?: Script.Scripted<typeof Operations.exchanges>
  /** The properties of the exchange. */
  readonly exchange?: Script.Scripted<typeof Operations.exchange>
  /** All markets of the exchange. */
  readonly markets?: Script.Scripted<typeof Operations.markets, ReadonlyArray<Script.Unbranded<ListedMarket>>>
  /** All trades of the market: a reply contains the latest `limit` of them, or the first `limit` since a time. */
  readonly trades?: Script.Scripted<typeof Operations.trades, ReadonlyArray<TradeRow>>
  /** Default: the newest of `trades`. */
  readonly lastTrade?: Script.Scripted<typeof Operations.lastTrade, TradeRow>
  /** Exchange, market and timeframe are those of the request. */
  readonly lastCandle?: Script.Scripted<typeof Operations.lastCandle, CandleRow>
  /** All candles of the market: a reply contains the latest `limit` up to `until`, or the first `limit` since a time. */
  readonly candles?: Script.Scripted<typeof Operations.candles, ReadonlyArray<CandleRow>>
  /** New trades and gaps of the market, with `layerHttp`; without it the client polls `trades`. */
  readonly liveTrades?: Parameters<typeof Script.liveTrades>[0]
}

const serve = <A>(value: A) => Effect.succeed(mockResponse(value, {}))

const oldestFirst = (trades: Rows): Rows => trades.toSorted((a, b) => DateTime.Order(a.timestamp, b.timestamp))

type TradesScript = NonNullable<CexScript["trades"]>

const tradesLine = (trades: TradesScript) =>
  Script.line<typeof Operations.trades, Rows>(
    Operations.trades,
    trades,
    (given, { exchange, limit, market, since }) => {
      const rows = oldestFirst(given)
      const page =
        since === undefined
          ? rows.slice(-(limit ?? rows.length))
          : rows.filter(({ timestamp }) => DateTime.isGreaterThanOrEqualTo(timestamp, since)).slice(0, limit)
      const from = since ?? page[0]?.timestamp
      const coverage = { state: "complete" as const, from, to: page.at(-1)?.timestamp }
      return Effect.succeed(mockResponse({ exchange, market, trades: page }, { coverage }))
    }
  )

/** Of `trades`, if a request names none. */
const standardLimit = 200

const newestLine = (trades: TradesScript) =>
  Script.line<typeof Operations.lastTrade, Rows>(
    Operations.lastTrade,
    typeof trades === "function"
      ? ({ exchange, market }) => trades({ exchange, market, limit: standardLimit })
      : trades,
    (given, { exchange, market }) => {
      const newest = oldestFirst(given).at(-1)
      return newest === undefined
        ? Effect.fail(new NoData({ exchange, market, detail: `"${market}" has no trade yet: ask again later.` }))
        : serve({ exchange, market, ...newest })
    }
  )

type CandlesScript = NonNullable<CexScript["candles"]>

const candlesLine = (candles: CandlesScript) =>
  Script.line<typeof Operations.candles, ReadonlyArray<CandleRow>>(Operations.candles, candles, (given, request) => {
    const { exchange, limit, market, since, timeframe, until } = request
    const rows = given
      .filter(({ openTime }) => until === undefined || DateTime.isLessThanOrEqualTo(openTime, until))
      .filter(({ openTime }) => since === undefined || DateTime.isGreaterThanOrEqualTo(openTime, since))
      .toSorted((a, b) => DateTime.Order(a.openTime, b.openTime))
    const page = since === undefined ? rows.slice(-(limit ?? rows.length)) : rows.slice(0, limit)
    return serve({ exchange, market, timeframe, candles: page })
  })

const getLines = ({
  candles,
  exchange,
  exchanges,
  lastCandle,
  lastTrade,
  markets,
  trades
}: CexScript): ReadonlyArray<Script.Line> => {
  const lines: Array<Script.Line> = []
  if (exchanges !== undefined) {
    const summaries = (given: ReadonlyArray<ExchangeSummary>) => serve(given.map((one) => new ExchangeSummary(one)))
    lines.push(
      Script.line<typeof Operations.exchanges, ReadonlyArray<ExchangeSummary>>(
        Operations.exchanges,
        exchanges,
        summaries
      )
    )
  }
  if (exchange !== undefined) {
    lines.push(
      Script.line<typeof Operations.exchange, Script.Unbranded<Exchange>>(Operations.exchange, exchange, (given) =>
        serve(new Exchange(given))
      )
    )
  }
  if (markets !== undefined) {
    lines.push(
      Script.line<typeof Operations.markets, ReadonlyArray<Script.Unbranded<ListedMarket>>>(
        Operations.markets,
        markets,
        serve
      )
    )
  }
  if (trades !== undefined) lines.push(newestLine(trades), tradesLine(trades))
  if (lastTrade !== undefined) {
    lines.push(
      Script.line<typeof Operations.lastTrade, TradeRow>(
        Operations.lastTrade,
        lastTrade,
        (given, { exchange, market }) => serve({ ...given, exchange, market })
      )
    )
  }
  if (lastCandle !== undefined) {
    lines.push(
      Script.line<typeof Operations.lastCandle, CandleRow>(Operations.lastCandle, lastCandle, (given, request) =>
        serve({ ...given, exchange: request.exchange, market: request.market, timeframe: request.timeframe })
      )
    )
  }
  if (candles !== undefined) lines.push(candlesLine(candles))
  return lines
}

/**
 * A `Cex` without a network. An operation without a reply is a defect whose message names it, as is a value that the
 * service could not return. Invalid parameters fail with `InvalidParameter`, as at the service.
 *
 * @example
 * ```ts
 * import { Cex } from "@chaintape/cex"
 * import { CexTest } from "@chaintape/cex/testing"
 * import { Market } from "@chaintape/core"
 * import * as Effect from "effect/Effect"
 *
 * const price = Effect.gen(function* () {
 *   const cex = yield* Cex
 *   return (yield* cex.lastTrade({ exchange: "kraken", market: Market.make("BTC/USD") })).price
 * })
 *
 * const tested = Effect.provide(price, CexTest.layer({ lastTrade: CexTest.trade({ price: 60_000 }) }))
 * ```
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (script: CexScript): Layer.Layer<Cex> =>
  Cex.layerNoDeps.pipe(Layer.provide(Script.layerScript(getLines(script))))

/**
 * The same script as an `HttpClient`, below the client: its retries, decoding and errors apply, and faults can be
 * inserted.
 *
 * @example
 * ```ts
 * import { Cex } from "@chaintape/cex"
 * import { CexTest } from "@chaintape/cex/testing"
 * import { Client } from "@chaintape/core"
 * import { Faults } from "@chaintape/core/testing"
 * import * as Layer from "effect/Layer"
 *
 * const rateLimitedTwice = Cex.layerNoDeps.pipe(
 *   Layer.provide(Client.layerNoDeps({ baseUrl: "http://service.test" })),
 *   Layer.provide(Faults.rateLimited({ first: 2 })),
 *   Layer.provide(CexTest.layerHttp({ lastTrade: CexTest.trade({ price: 60_000 }) }))
 * )
 * ```
 *
 * @since 0.1.0
 * @category layers
 */
export const layerHttp = (script: CexScript): Layer.Layer<HttpClient.HttpClient> =>
  Script.layerScriptHttp(
    getLines(script),
    script.liveTrades === undefined ? [] : [Script.liveTrades(script.liveTrades)]
  )

/** A number that is none is left to the schema, which reports it. */
const toText = (value: string | number): string =>
  typeof value === "number" && Number.isFinite(value) ? Decimal.make(value) : String(value)

const exactCost = (price: string, size: string): string =>
  Decimal.fromBigDecimal(
    BigDecimal.normalize(BigDecimal.multiply(BigDecimal.fromStringUnsafe(price), BigDecimal.fromStringUnsafe(size)))
  )

/** Numbers are decimals of their shortest digits. */
type WithNumbers<Row, Decimals extends keyof Row> = {
  readonly [K in keyof Row]?: K extends Decimals ? string | number : Row[K]
}

/**
 * A trade with defaults for a test: id "1", price 100, size 1, side "buy", time 2026-01-01. The cost is price x size.
 *
 * @example
 * ```ts
 * import { CexTest } from "@chaintape/cex/testing"
 *
 * const { cost } = CexTest.trade({ price: 60_000, size: "0.123456789012345678" })
 * ```
 *
 * @since 0.1.0
 * @category values
 */
export const trade = (given: WithNumbers<TradeRow, "price" | "size" | "cost"> = {}): TradeRow => {
  const { cost, price = 100, size = 1, ...rest } = given
  const [priceText, sizeText] = [toText(price), toText(size)]
  return {
    id: "1",
    timestamp: DateTime.makeUnsafe("2026-01-01T00:00:00Z"),
    side: "buy",
    ...rest,
    price: priceText,
    size: sizeText,
    cost: cost === undefined ? exactCost(priceText, sizeText) : toText(cost)
  }
}

/**
 * A candle with defaults for a test: it opens at 2026-01-01, its four prices are 100 and its volume is 1.
 *
 * @example
 * ```ts
 * import { CexTest } from "@chaintape/cex/testing"
 *
 * const layer = CexTest.layer({ lastCandle: CexTest.candle({ high: 120, close: "110.5" }) })
 * ```
 *
 * @since 0.1.0
 * @category values
 */
export const candle = (given: WithNumbers<CandleRow, "open" | "high" | "low" | "close" | "volume"> = {}): CandleRow => {
  const { close = 100, high = 100, low = 100, open = 100, openTime, volume = 1 } = given
  return {
    openTime: openTime ?? DateTime.makeUnsafe("2026-01-01T00:00:00Z"),
    open: toText(open),
    high: toText(high),
    low: toText(low),
    close: toText(close),
    volume: toText(volume)
  }
}
