import { Api } from "@chaintape/contract"
import { ExchangeSummary } from "@chaintape/core"
import { DateTime, Effect, Option } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { declareCacheable } from "../../internal/Cacheable.ts"
import { ready } from "../../internal/ready.ts"
import { handlerGroup } from "../../internal/RequestServices.ts"
import { TapeRetention } from "../../sources/TapeRetention.ts"
import { Candles } from "../candles/Candles.ts"
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
import { Markets } from "../markets/Markets.ts"
import { marketsJson } from "../markets/MarketsJson.ts"
import type { JoinedTrades } from "../trades/JoinedTrades.ts"
import { Trades } from "../trades/Trades.ts"
import { BulkAnswers } from "./BulkAnswers.ts"
import { candleCoverage, candlesCoverage, coverageHeader, toCoverage } from "./CoverageHeader.ts"

const sourceHeader = (origins: ReadonlyArray<string>) => ({ "chaintape-source": origins.join(", ") })

const rendered = (json: string, headers: Record<string, string>) =>
  HttpServerResponse.text(json, { contentType: "application/json", headers })

/** Whether an answer comes from the recording alone, and a repetition would, too. */
const isOfRecord = ({ completeness, origins }: Pick<JoinedTrades, "completeness" | "origins">) =>
  completeness !== "incomplete" && origins.every((one) => one === "record")

const toMillis = (time: DateTime.Utc | undefined) => Option.map(Option.fromUndefinedOr(time), DateTime.toEpochMillis)

const forever = { "cache-control": "private, max-age=31536000, immutable" }

export const CexHandlers = handlerGroup(
  Effect.gen(function* () {
    const exchanges = yield* Exchanges
    const trades = yield* Trades
    const candles = yield* Candles
    const markets = yield* Markets
    const bulk = yield* BulkAnswers
    const retention = yield* TapeRetention
    const always = () => true
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
          return ready(rendered(marketsJson(listed), { "chaintape-source": "ccxt" }))
        }),
        trades: Effect.fnUntraced(function* ({ params: { exchange, market }, query }) {
          // Read first, so that a write in between counts as a change.
          const isCurrent = yield* trades.unchanged(exchange, market)
          const since = toMillis(query.since)
          yield* bulk.enter(query.limit)
          const written = yield* Option.isNone(since) && query.limit > rowsOfPart
            ? trades.readWritten(exchange, market, query.limit)
            : Effect.succeedNone
          if (Option.isSome(written)) {
            const { completeness, fromTime, origins, parts, toTime } = written.value
            const headers = {
              ...sourceHeader(origins),
              "chaintape-coverage": toCoverage(completeness, fromTime, toTime)
            }
            const answer = bulk.respondWritten(aroundTrades(exchange, market), parts, headers)
            const acquire = () => bulk.enterAtOnce(query.limit)
            if (isCurrent !== undefined) yield* declareCacheable({ isCurrent, acquire, parts: answer.parts })
            return ready(answer.response)
          }
          const result = yield* trades.read(exchange, market, { limit: query.limit, since })
          if (isCurrent !== undefined && isOfRecord(result)) yield* declareCacheable({ isCurrent })
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
        lastTrade: Effect.fnUntraced(function* ({ params: { exchange, market } }) {
          const isCurrent = yield* trades.unchanged(exchange, market)
          const { origins, trade } = yield* trades.last(exchange, market)
          if (isCurrent !== undefined && origins.every((one) => one === "record")) {
            yield* declareCacheable({ isCurrent })
          }
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
        }),
        candles: Effect.fnUntraced(function* ({ params: { exchange, market, timeframe }, query }) {
          yield* bulk.enter(query.limit)
          const found = yield* candles.read(exchange, market, timeframe, {
            limit: query.limit,
            since: toMillis(query.since),
            until: toMillis(query.until)
          })
          if (found.isFinal) {
            const isNeverDropped = Option.isNone(yield* retention.status)
            yield* declareCacheable({ isCurrent: always, isFinal: isNeverDropped })
          }
          return ready(
            rendered(candlesJson(exchange, market, timeframe, found.rows), {
              ...sourceHeader(found.origins),
              ...(found.isFinal ? forever : {}),
              ...(found.count === 0 ? {} : { "chaintape-candle": `closed=?${found.closed ? 1 : 0}` }),
              "chaintape-coverage": candlesCoverage(found, timeframe)
            })
          )
        })
      })
    )
  })
)
