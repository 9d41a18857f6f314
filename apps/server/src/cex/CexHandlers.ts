import { Api } from "@chaintape/core/api/Api"
import { ExchangeSummary } from "@chaintape/core/cex/Exchange"
import { DateTime, Effect, Option } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { KeptAnswers } from "../answers/KeptAnswers.ts"
import { ready } from "../internal/ready.ts"
import { BulkAnswers } from "./BulkAnswers.ts"
import { Candles } from "./Candles.ts"
import { aroundTrades, candleJson, lastTradeJson, rowsOfPart, tradesJson, tradesJsonParts } from "./CexJson.ts"
import { candleCoverage, coverageHeader, coverageOf } from "./CoverageHeader.ts"
import { Exchanges } from "./Exchanges.ts"
import type { JoinedTrades } from "./JoinedTrades.ts"
import { Trades } from "./Trades.ts"

const sourceHeader = (origins: ReadonlyArray<string>) => ({ "chaintape-source": origins.join(", ") })

const rendered = (json: string, headers: Record<string, string>) =>
  HttpServerResponse.text(json, { contentType: "application/json", headers })

/** Whether nothing of an answer comes from anywhere but the record, nor could come from there another time. */
const isOfRecord = ({ completeness, origins }: Pick<JoinedTrades, "completeness" | "origins">) =>
  completeness !== "incomplete" && origins.every((one) => one === "record")

const forever = { "cache-control": "private, max-age=31536000, immutable" }

export const CexHandlers = HttpApiBuilder.group(
  Api,
  "cex",
  Effect.fn(function* (handlers) {
    const exchanges = yield* Exchanges
    const trades = yield* Trades
    const candles = yield* Candles
    const bulk = yield* BulkAnswers
    const kept = yield* KeptAnswers
    const always = () => true
    return handlers.handleAll({
      exchanges: ({ request: { source } }) =>
        Effect.sync(() => {
          kept.say(source, { isTrue: always })
          return exchanges.all.map(({ id, name }) => new ExchangeSummary({ id, name }))
        }),
      exchange: ({ params, request: { source } }) =>
        Effect.tap(exchanges.get(params.exchange), () => Effect.sync(() => kept.say(source, { isTrue: always }))),
      trades: Effect.fnUntraced(function* ({ params: { exchange, market }, query, request: { source } }) {
        // Before anything is read: what is written meanwhile is a change.
        const isTrue = yield* trades.unchanged(exchange, market)
        const since = Option.map(Option.fromUndefinedOr(query.since), DateTime.toEpochMillis)
        yield* bulk.enter(query.limit)
        const written = yield* Option.isNone(since) && query.limit > rowsOfPart
          ? trades.readWritten(exchange, market, query.limit)
          : Effect.succeedNone
        if (Option.isSome(written)) {
          const { completeness, fromTime, origins, parts, toTime } = written.value
          const headers = {
            ...sourceHeader(origins),
            "chaintape-coverage": coverageOf(completeness, fromTime, toTime)
          }
          const answer = bulk.respondWritten(aroundTrades(exchange, market), parts, headers)
          const enter = () => bulk.enterAtOnce(query.limit)
          if (isTrue !== undefined) kept.say(source, { isTrue, enter, parts: answer.parts })
          return ready(answer.response)
        }
        const result = yield* trades.read(exchange, market, { limit: query.limit, since })
        if (isTrue !== undefined && isOfRecord(result)) kept.say(source, { isTrue })
        const headers = {
          ...sourceHeader(result.origins),
          ...(result.isFinal ? forever : {}),
          "chaintape-coverage": coverageHeader(result, since)
        }
        return ready(
          result.trades.length > rowsOfPart
            ? yield* bulk.respond(tradesJsonParts(exchange, market, result.trades), headers)
            : rendered(tradesJson(exchange, market, result.trades), headers)
        )
      }),
      lastTrade: Effect.fnUntraced(function* ({ params: { exchange, market }, request: { source } }) {
        const isTrue = yield* trades.unchanged(exchange, market)
        const { origins, trade } = yield* trades.last(exchange, market)
        if (isTrue !== undefined && origins.every((one) => one === "record")) kept.say(source, { isTrue })
        return ready(rendered(lastTradeJson(exchange, market, trade), sourceHeader(origins)))
      }),
      lastCandle: Effect.fnUntraced(function* ({ params: { exchange, market, timeframe } }) {
        const found = yield* candles.last(exchange, market, timeframe)
        return ready(
          rendered(candleJson(exchange, market, timeframe, found.candle), {
            ...sourceHeader(found.origins),
            "chaintape-candle": `closed=?${found.closed ? 1 : 0}`,
            "chaintape-coverage": candleCoverage(found, timeframe)
          })
        )
      })
    })
  })
)
