import type { Market, Trades as TradesBody } from "@chaintape/core"
import { type DateTime, Effect, Option } from "effect"
import { declareCacheable } from "../../internal/handler/Cacheable.ts"
import { dataHeaders } from "../../internal/handler/DataHeaders.ts"
import { ready } from "../../internal/handler/ready.ts"
import { toMillis } from "../../internal/handler/toMillis.ts"
import { aroundTrades, rowsOfPart, tradesJson, tradesJsonParts } from "../CexJson.ts"
import type { JoinedTrades } from "../trades/JoinedTrades.ts"
import { Trades } from "../trades/Trades.ts"
import { BulkResponses } from "./BulkResponses.ts"
import { coverageHeader, toCoverage } from "./CoverageHeader.ts"
import { renderJson } from "./JsonResponse.ts"
import { toSources } from "./toSources.ts"

interface TradesRequest {
  readonly params: { readonly exchange: string; readonly market: Market }
  readonly query: { readonly limit: number; readonly since?: DateTime.Utc | undefined }
}

/** Whether a response comes from the tape alone, and a repetition would, too. */
const isOfTape = ({ completeness, origins }: Pick<JoinedTrades, "completeness" | "origins">) =>
  completeness !== "incomplete" && origins.every((one) => one === "tape")

/** The handler of trades: the latest ones, or those since a time. */
export const makeTradesHandler = Effect.gen(function* () {
  const trades = yield* Trades
  const bulk = yield* BulkResponses

  /** Many of the latest trades, from the bytes that the tape has of them. */
  const respondSerialized = Effect.fnUntraced(function* (
    { params: { exchange, market }, query: { limit } }: TradesRequest,
    isCurrent: (() => boolean) | undefined
  ) {
    const written = yield* trades.readSerialized(exchange, market, limit)
    if (Option.isNone(written)) return undefined
    const { completeness, fromTime, origins, parts, toTime } = written.value
    const headers = dataHeaders({ sources: toSources(origins), coverage: toCoverage(completeness, fromTime, toTime) })
    const answer = bulk.respondSerialized(aroundTrades(exchange, market), parts, headers)
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
    const isCurrent = yield* trades.watchUnchanged(exchange, market)
    const since = toMillis(from)
    yield* bulk.enter(limit)
    if (Option.isNone(since) && limit > rowsOfPart) {
      const written = yield* respondSerialized(request, isCurrent)
      if (written !== undefined) return ready<TradesBody>(written)
    }
    const result = yield* trades.read(exchange, market, { limit, since })
    if (isCurrent !== undefined && isOfTape(result)) yield* declareCacheable({ isCurrent })
    const headers = dataHeaders({
      sources: toSources(result.origins),
      coverage: coverageHeader(result, since),
      isImmutable: result.isImmutable
    })
    return ready<TradesBody>(
      result.trades.length > rowsOfPart
        ? yield* bulk.respond(tradesJsonParts(exchange, market, result.trades), headers)
        : renderJson(tradesJson(exchange, market, result.trades), headers)
    )
  })
})
