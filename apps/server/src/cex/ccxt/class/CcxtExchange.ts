import { AsyncLocalStorage } from "node:async_hooks"
import type { ResponseBounds } from "../../../sources/JsonMeter.ts"
import { CcxtError, classNames, shortMessage } from "./CcxtError.ts"
import type { CcxtExchangeOptions } from "./CcxtOptions.ts"
import { importExchange, importStream } from "./CcxtPackage.ts"
import { openCcxtStream } from "./CcxtStream.ts"
import type { CcxtStream, ParsedRow, StreamRequest } from "./CcxtStream.ts"
import { quoteNumbers } from "./JsonNumbers.ts"
import { failure, withOrigin } from "./RawExchange.ts"
import type { Raw, RawClass, RawStreamClass } from "./RawExchange.ts"
import { marketsBounds, pageBounds, transfer } from "./Transfer.ts"
import type { Exchanged } from "./Transfer.ts"

/** The call's context. */
export interface CallContext {
  /** Aborted when the last caller has left. */
  readonly signal: AbortSignal
  /** Resolves when a request of this weight may be sent. */
  readonly pace: (weight: number) => Promise<void>
}

/** The rows of one page in wire order. */
export interface ParsedPage {
  readonly rows: ReadonlyArray<ParsedRow>
  /** The parsed body of the rows. */
  readonly body: unknown
}

/** A request for a page of trades. `params` are the exchange's own. */
export interface TradesRequest {
  readonly symbol: string
  readonly since?: number | undefined
  readonly limit?: number | undefined
  readonly params?: Readonly<Record<string, string | number>> | undefined
}

/** A request for a page of candles. `label` is ccxt's name of the timeframe. */
export interface CandlesRequest {
  readonly symbol: string
  readonly label: string
  readonly since?: number | undefined
  /** Unix milliseconds of the last candle's end. */
  readonly until?: number | undefined
  readonly limit?: number | undefined
}

/** One exchange of ccxt, reduced to what the adapter uses. Every method rejects with `CcxtError` only. */
export interface CcxtExchange {
  /** Milliseconds between two requests of weight one. */
  readonly rateLimit: number
  readonly loadMarkets: (context: CallContext) => Promise<ReadonlyArray<unknown>>
  readonly trades: (context: CallContext, request: TradesRequest) => Promise<ParsedPage>
  readonly candles: (context: CallContext, request: CandlesRequest) => Promise<ParsedPage>
  /** Whether the exchange streams trades without an account. */
  readonly hasStream: () => Promise<boolean>
  /** Connects and subscribes to the trades of a market whose list is loaded. */
  readonly stream: (request: StreamRequest) => Promise<CcxtStream>
  /** The rows of raw trades of a market, as REST's own parser reads them. */
  readonly parse: (symbol: string, raws: ReadonlyArray<unknown>) => ReadonlyArray<ParsedRow>
}

interface Call extends CallContext, Exchanged {
  readonly rows: Array<ParsedRow>
  body: unknown
}

/**
 * The class of an exchange with hooks: rows are captured before ccxt sorts and filters them, and requests go through
 * `Call`.
 */
const tapRequests = (Base: RawClass, current: AsyncLocalStorage<Call>, options: CcxtExchangeOptions): RawClass => {
  const record = (raw: unknown, parsed: unknown): unknown => {
    current.getStore()?.rows.push({ parsed, raw })
    return parsed
  }
  return class extends Base {
    override parseTrade(raw: unknown, market?: unknown): unknown {
      return record(raw, super.parseTrade(raw, market))
    }
    // Without `since` and `limit` the class neither filters nor truncates, and its sorted result is not used.
    override parseTrades(raw: unknown, market?: unknown, _since?: number, _limit?: number, params?: object): unknown {
      return super.parseTrades(raw, market, undefined, undefined, params)
    }
    override parseOHLCV(raw: unknown, market?: unknown): unknown {
      return record(raw, super.parseOHLCV(raw, market))
    }
    // The class converts text with an exponent to a double.
    override parseNumber(value: unknown, fallback?: unknown): unknown {
      return typeof value === "string" && current.getStore() !== undefined ? value : super.parseNumber(value, fallback)
    }
    override parseJson(text: string): unknown {
      const parsed = super.parseJson(text)
      return options.quoteNumbers && typeof parsed === "object" ? super.parseJson(quoteNumbers(text)) : parsed
    }
    override setMarkets(markets: unknown, currencies?: unknown): unknown {
      if (typeof markets !== "object" || markets === null || Object.keys(markets).length === 0) {
        throw failure("BadBody", "no markets in the body")
      }
      return super.setMarkets(markets, currencies)
    }
    override async handleRestResponse(
      response: { readonly status: number },
      ...rest: ReadonlyArray<unknown>
    ): Promise<unknown> {
      const body = await super.handleRestResponse(response, ...rest)
      // The class handles a fixed list of statuses, and returns a body that is not JSON as text.
      if (response.status < 200 || response.status > 299) throw failure("BadStatus", `status ${response.status}`)
      if (typeof body === "string") throw failure("BadBody", "the body is not JSON")
      const call = current.getStore()
      if (call !== undefined) call.body = body
      return body
    }
    override throttle(weight = 1): Promise<void> {
      return current.getStore()?.pace(weight) ?? Promise.resolve()
    }
  }
}

// Some classes choose the path by these.
const spot = { type: "spot", spot: true, swap: false, future: false, option: false, contract: false, active: true }

/** Creates the one instance of the class of an exchange, whose requests belong to the current call. */
const createInstance = async (options: CcxtExchangeOptions, current: AsyncLocalStorage<Call>): Promise<Raw> => {
  // ccxt's classes are untyped at these members; everything read through them is decoded outside of this file.
  const Base = (await importExchange(options.driver)) as RawClass
  const exchange = new (tapRequests(Base, current, options))({
    number: String,
    enableRateLimit: true,
    timeout: options.requestTimeoutMs,
    ...(options.markets === undefined ? {} : { markets: options.markets.map((market) => ({ ...market, ...spot })) }),
    fetchImplementation: (url: string, init: RequestInit) => {
      const call = current.getStore()
      if (call === undefined) throw failure("BadCall", "a request outside of a call")
      return transfer(url, init, call)
    }
  })
  if (options.rest !== undefined) {
    exchange.urls["api"] = withOrigin(exchange.urls["api"], options.rest, "http")
  }
  return exchange
}

/**
 * Returns a function that loads the class with streams once: undefined if there is none, or if requests go to a configured
 * host and no host of streams is configured.
 */
const makeStreamLoader = ({ driver, rest, websocket }: CcxtExchangeOptions) => {
  let loaded: Promise<RawStreamClass | undefined> | undefined
  return (): Promise<RawStreamClass | undefined> =>
    (loaded ??=
      rest !== undefined && websocket === undefined
        ? Promise.resolve(undefined)
        : // ccxt's classes of streams are untyped at the same members.
          importStream(driver).then((found) => found as RawStreamClass | undefined))
}

const makeCall = (context: CallContext, bounds: ResponseBounds, body?: unknown): Call => ({
  ...context,
  bounds,
  rows: [],
  body,
  status: undefined,
  retryAfter: undefined
})

/** Runs the work of a call. Rejects with `CcxtError` only. */
const runCall = async <A>(current: AsyncLocalStorage<Call>, call: Call, work: () => Promise<A>): Promise<A> => {
  try {
    return await current.run(call, work)
  } catch (error) {
    throw new CcxtError({
      names: error instanceof CcxtError ? error.names : classNames(error),
      status: call.status,
      retryAfter: call.retryAfter,
      message: shortMessage(error)
    })
  }
}

/** Loads the class of an exchange and creates its one instance. */
export const openCcxtExchange = async (options: CcxtExchangeOptions): Promise<CcxtExchange> => {
  const current = new AsyncLocalStorage<Call>()
  const exchange = await createInstance(options, current)
  const loadStream = makeStreamLoader(options)
  const page = async (context: CallContext, work: () => Promise<unknown>): Promise<ParsedPage> => {
    const call = makeCall(context, pageBounds)
    await runCall(current, call, work)
    return { rows: call.rows, body: call.body }
  }

  return {
    rateLimit: exchange.rateLimit,
    loadMarkets: (context) =>
      runCall(current, makeCall(context, marketsBounds), async () => {
        try {
          if (options.markets === undefined) await exchange.loadMarkets(true)
        } finally {
          // ccxt caches the promise of a failed load forever, and some classes await it before every call.
          exchange.marketsLoading = undefined
        }
        return Object.values(exchange.markets ?? {})
      }),
    trades: (context, request) =>
      page(context, () => exchange.fetchTrades(request.symbol, request.since, request.limit, request.params ?? {})),
    candles: (context, request) =>
      page(context, () => {
        const params = request.until === undefined ? {} : { until: request.until }
        return exchange.fetchOHLCV(request.symbol, request.label, request.since, request.limit, params)
      }),
    hasStream: async () => {
      const Stream = await loadStream()
      return Stream !== undefined && new Stream({}).has["watchTrades"] === true
    },
    stream: async (request) => {
      const Stream = await loadStream()
      if (Stream === undefined) throw failure("NotSupported", "no stream")
      return openCcxtStream(Stream, exchange, options, request)
    },
    parse: (symbol, raws) => {
      const call = makeCall(noContext, pageBounds, raws)
      return current.run(call, () => {
        const market = exchange.market(symbol)
        for (const raw of raws) exchange.parseTrade(raw, market)
        return call.rows
      })
    }
  }
}

const noContext: CallContext = {
  signal: AbortSignal.abort(),
  pace: () => Promise.reject(failure("BadCall", "no call"))
}
