import { Api } from "@chaintape/core/api/Api"
import { ExchangeSummary } from "@chaintape/core/cex/Exchange"
import { DateTime, Effect, Option } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { ready } from "../internal/ready.ts"
import { Candles } from "./Candles.ts"
import { candleJson, lastTradeJson, tradesJson } from "./CexJson.ts"
import { candleCoverage, coverageHeader } from "./CoverageHeader.ts"
import { Exchanges } from "./Exchanges.ts"
import { Trades } from "./Trades.ts"

const rendered = (json: string, headers: Record<string, string> = {}) =>
  HttpServerResponse.text(json, {
    contentType: "application/json",
    headers: { "chaintape-source": "ccxt", ...headers }
  })

export const CexHandlers = HttpApiBuilder.group(
  Api,
  "cex",
  Effect.fn(function* (handlers) {
    const exchanges = yield* Exchanges
    const trades = yield* Trades
    const candles = yield* Candles
    return handlers.handleAll({
      exchanges: () => Effect.succeed(exchanges.all.map(({ id, name }) => new ExchangeSummary({ id, name }))),
      exchange: ({ params }) => exchanges.get(params.exchange),
      trades: Effect.fnUntraced(function* ({ params: { exchange, market }, query }) {
        const since = Option.map(Option.fromUndefinedOr(query.since), DateTime.toEpochMillis)
        const result = yield* trades.read(exchange, market, { limit: query.limit, since })
        return ready(
          rendered(tradesJson(exchange, market, result.trades), {
            "chaintape-coverage": coverageHeader(result, since)
          })
        )
      }),
      lastTrade: Effect.fnUntraced(function* ({ params: { exchange, market } }) {
        const trade = yield* trades.last(exchange, market)
        return ready(rendered(lastTradeJson(exchange, market, trade)))
      }),
      lastCandle: Effect.fnUntraced(function* ({ params: { exchange, market, timeframe } }) {
        const { candle, closed } = yield* candles.last(exchange, market, timeframe)
        return ready(
          rendered(candleJson(exchange, market, timeframe, candle), {
            "chaintape-candle": `closed=?${closed ? 1 : 0}`,
            "chaintape-coverage": candleCoverage(candle, timeframe)
          })
        )
      })
    })
  })
)
