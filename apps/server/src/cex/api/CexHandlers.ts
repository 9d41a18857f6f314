import { Api } from "@chaintape/contract"
import { ExchangeSummary } from "@chaintape/core"
import { Effect, Option } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { declareCacheable } from "../../internal/handler/Cacheable.ts"
import { dataHeaders } from "../../internal/handler/DataHeaders.ts"
import { ready } from "../../internal/handler/ready.ts"
import { handlerGroup } from "../../internal/handler/RequestServices.ts"
import { toMillis } from "../../internal/handler/toMillis.ts"
import { TapeRetention } from "../../sources/TapeRetention.ts"
import { Candles } from "../candles/Candles.ts"
import { candleJson, candlesJson, lastTradeJson } from "../CexJson.ts"
import { Exchanges } from "../Exchanges.ts"
import { Markets, marketsJson } from "../markets/Markets.ts"
import { Trades } from "../trades/Trades.ts"
import { BulkResponses } from "./BulkResponses.ts"
import { candleCoverage, candlesCoverage } from "./CoverageHeader.ts"
import { renderJson } from "./JsonResponse.ts"
import { toSources } from "./toSources.ts"
import { makeTradesHandler } from "./TradesHandler.ts"

export const CexHandlers = handlerGroup(
  Effect.gen(function* () {
    const exchanges = yield* Exchanges
    const trades = yield* Trades
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
          return ready(renderJson(marketsJson(listed), dataHeaders({ sources: toSources(["exchange"]) })))
        }),
        trades: readTrades,
        lastTrade: Effect.fnUntraced(function* ({ params: { exchange, market } }) {
          const isCurrent = yield* trades.watchUnchanged(exchange, market)
          const { origins, trade } = yield* trades.last(exchange, market)
          if (isCurrent !== undefined && origins.every((one) => one === "tape")) {
            yield* declareCacheable({ isCurrent })
          }
          return ready(renderJson(lastTradeJson(exchange, market, trade), dataHeaders({ sources: toSources(origins) })))
        }),
        lastCandle: Effect.fnUntraced(function* ({ params: { exchange, market, timeframe } }) {
          const found = yield* candles.last(exchange, market, timeframe)
          return ready(
            renderJson(
              candleJson(exchange, market, timeframe, found.candle),
              dataHeaders({
                sources: toSources(found.origins),
                coverage: candleCoverage(found, timeframe),
                candleClosed: found.closed
              })
            )
          )
        }),
        candles: Effect.fnUntraced(function* ({ params: { exchange, market, timeframe }, query }) {
          yield* bulk.enter(query.limit)
          const found = yield* candles.read(exchange, market, timeframe, {
            limit: query.limit,
            since: toMillis(query.since),
            until: toMillis(query.until)
          })
          if (found.isImmutable) {
            const isNeverDropped = Option.isNone(yield* retention.status)
            yield* declareCacheable({ isCurrent: always, neverExpires: isNeverDropped })
          }
          return ready(
            renderJson(
              candlesJson(exchange, market, timeframe, found.rows),
              dataHeaders({
                sources: toSources(found.origins),
                coverage: candlesCoverage(found, timeframe),
                candleClosed: found.count === 0 ? undefined : found.closed,
                isImmutable: found.isImmutable
              })
            )
          )
        })
      })
    )
  })
)
