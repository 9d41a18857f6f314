import { Api } from "@chaintape/contract"
import { ExchangeSummary, type Market, type Timeframe, type Trades as TradesBody } from "@chaintape/core"
import { type DateTime, Effect, Option } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { declareCacheable } from "../../internal/handler/Cacheable.ts"
import { dataHeaders } from "../../internal/handler/DataHeaders.ts"
import type { DataSource } from "../../internal/handler/DataHeaders.ts"
import { handlerGroup } from "../../internal/handler/RequestServices.ts"
import { toHandlerResult } from "../../internal/handler/toHandlerResult.ts"
import { toMillis } from "../../internal/handler/toMillis.ts"
import { RecordingStatuses } from "../../status/RecordingStatuses.ts"
import { TapeRetention } from "../../status/TapeRetention.ts"
import { Candles } from "../candles/Candles.ts"
import type { LastCandle, ReadCandles } from "../candles/Candles.ts"
import {
  aroundTrades,
  candleJson,
  candlesJson,
  lastTradeJson,
  rowsOfPart,
  tradesJson,
  tradesJsonParts
} from "../CexJson.ts"
import { Exchanges } from "../Exchanges.ts"
import { Markets, marketsJson } from "../markets/Markets.ts"
import type { JoinedTrades, Origin } from "../trades/JoinedTrades.ts"
import { Trades } from "../trades/Trades.ts"
import { BulkResponses, respondSerialized } from "./BulkResponses.ts"
import { candleCoverage, candlesCoverage, toCoverage, tradesCoverage } from "./CoverageHeader.ts"

/** The names of origins in the header `Chaintape-Source`. */
const sourceNames = { tape: "record", exchange: "ccxt" } as const satisfies Record<Origin, DataSource>

interface DataOptions extends Omit<Parameters<typeof dataHeaders>[0], "sources"> {
  readonly origins: ReadonlyArray<Origin>
}

const toHeaders = ({ origins, ...options }: DataOptions) =>
  dataHeaders({ ...options, sources: origins.map((origin) => sourceNames[origin]) })

/** A response of JSON that is encoded already. */
const renderJson = (json: string, options: DataOptions) =>
  HttpServerResponse.text(json, { contentType: "application/json", headers: toHeaders(options) })

interface TradesRequest {
  readonly params: { readonly exchange: string; readonly market: Market }
  readonly query: { readonly limit: number; readonly since?: DateTime.Utc | undefined }
}

/** Whether a response comes from the tape alone, and a repetition would, too. */
const isOfTape = ({ completeness, origins }: Pick<JoinedTrades, "completeness" | "origins">) =>
  completeness !== "incomplete" && origins.every((one) => one === "tape")

/** The handler of trades: the latest ones, or those since a time. */
const makeTradesHandler = Effect.gen(function* () {
  const trades = yield* Trades
  const recordings = yield* RecordingStatuses
  const bulk = yield* BulkResponses

  /** Many of the latest trades, from the bytes that the tape has of them. */
  const respondAtOnce = Effect.fnUntraced(function* (
    { params: { exchange, market }, query: { limit } }: TradesRequest,
    isCurrent: (() => boolean) | undefined
  ) {
    const written = yield* trades.readSerialized(exchange, market, limit)
    if (Option.isNone(written)) return undefined
    const { completeness, fromTime, origins, parts, toTime } = written.value
    const headers = toHeaders({ origins, coverage: toCoverage(completeness, fromTime, toTime) })
    const answer = respondSerialized(aroundTrades(exchange, market), parts, headers)
    const acquire = () => bulk.enterAtOnce(limit)
    if (isCurrent !== undefined) yield* declareCacheable({ isCurrent, acquire, parts: answer.parts })
    return answer.response
  })

  return Effect.fnUntraced(function* (request: TradesRequest) {
    const {
      params: { exchange, market },
      query: { limit, since: from }
    } = request
    // Read first, so that a write in between counts as a change.
    const isCurrent = yield* recordings.watchUnchanged(exchange, market)
    const since = toMillis(from)
    yield* bulk.enter(limit)
    if (Option.isNone(since) && limit > rowsOfPart) {
      const written = yield* respondAtOnce(request, isCurrent)
      if (written !== undefined) return toHandlerResult<TradesBody>(written)
    }
    const result = yield* trades.read(exchange, market, { limit, since })
    if (isCurrent !== undefined && isOfTape(result)) yield* declareCacheable({ isCurrent })
    const { isImmutable, origins } = result
    const options = { origins, coverage: tradesCoverage(result, since), isImmutable }
    return toHandlerResult<TradesBody>(
      result.trades.length > rowsOfPart
        ? yield* bulk.respond(tradesJsonParts(exchange, market, result.trades), toHeaders(options))
        : renderJson(tradesJson(exchange, market, result.trades), options)
    )
  })
})

interface CandlesOf {
  readonly exchange: string
  readonly market: Market
  readonly timeframe: Timeframe
}

const renderLastCandle = ({ exchange, market, timeframe }: CandlesOf, found: LastCandle) =>
  renderJson(candleJson(exchange, market, timeframe, found.row), {
    origins: found.origins,
    coverage: candleCoverage(found, timeframe),
    candleClosed: found.closed
  })

const renderCandles = ({ exchange, market, timeframe }: CandlesOf, found: ReadCandles) =>
  renderJson(candlesJson(exchange, market, timeframe, found.rows), {
    origins: found.origins,
    coverage: candlesCoverage(found, timeframe),
    candleClosed: found.count === 0 ? undefined : found.closed,
    isImmutable: found.isImmutable
  })

export const CexHandlers = handlerGroup(
  Effect.gen(function* () {
    const exchanges = yield* Exchanges
    const trades = yield* Trades
    const recordings = yield* RecordingStatuses
    const candles = yield* Candles
    const markets = yield* Markets
    const bulk = yield* BulkResponses
    const retention = yield* TapeRetention
    const always = () => true
    const readTrades = yield* makeTradesHandler
    return HttpApiBuilder.group(Api, "cex", (handlers) =>
      handlers.handleAll({
        exchanges: () =>
          Effect.as(
            declareCacheable({ isCurrent: always }),
            exchanges.all.map(({ id, name }) => new ExchangeSummary({ id, name }))
          ),
        exchange: ({ params }) =>
          Effect.tap(exchanges.get(params.exchange), () => declareCacheable({ isCurrent: always })),
        markets: Effect.fnUntraced(function* ({ params: { exchange } }) {
          const listed = yield* markets.list(exchange)
          return toHandlerResult(renderJson(marketsJson(listed), { origins: ["exchange"] }))
        }),
        trades: readTrades,
        lastTrade: Effect.fnUntraced(function* ({ params: { exchange, market } }) {
          const isCurrent = yield* recordings.watchUnchanged(exchange, market)
          const { origins, trade } = yield* trades.last(exchange, market)
          if (isCurrent !== undefined && origins.every((one) => one === "tape")) {
            yield* declareCacheable({ isCurrent })
          }
          return toHandlerResult(renderJson(lastTradeJson(exchange, market, trade), { origins }))
        }),
        lastCandle: Effect.fnUntraced(function* ({ params }) {
          const found = yield* candles.last(params.exchange, params.market, params.timeframe)
          return toHandlerResult(renderLastCandle(params, found))
        }),
        candles: Effect.fnUntraced(function* ({ params, query }) {
          yield* bulk.enter(query.limit)
          const found = yield* candles.read(params.exchange, params.market, params.timeframe, {
            limit: query.limit,
            since: toMillis(query.since),
            until: toMillis(query.until)
          })
          if (found.isImmutable) {
            const isNeverDropped = Option.isNone(yield* retention.status)
            yield* declareCacheable({ isCurrent: always, neverExpires: isNeverDropped })
          }
          return toHandlerResult(renderCandles(params, found))
        })
      })
    )
  })
)
