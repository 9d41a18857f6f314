import type { Answer, Pool, PoolAddress, PoolCandles, PoolTrades, Timeframe } from "@chaintape/core"
import * as Operations from "@chaintape/core/operations/dex"
import * as DateTime from "effect/DateTime"
import type { ChartCandle } from "../../chart/ChartCandle.ts"
import type { Claim, Values } from "../../proof/Claim.ts"
import { toClaim } from "../../proof/Claim.ts"
import { toShownRequest } from "../../service/ShownRequests.ts"
import { pin, readDex, toPair, toSubject } from "../claims/DexClaims.ts"
import type { Event } from "../events/Event.ts"
import { toEvents } from "../events/Event.ts"
import { maxAtOneTime, toEventClaim } from "../events/EventClaim.ts"
import type { Moment } from "../moment/Deployment.ts"
import { at } from "../moment/Deployment.ts"
import { toSymbol } from "../name/TokenName.tsx"

const toCandleValues = ({ token0, token1 }: Pool, { candles }: PoolCandles, start: number): Values | undefined => {
  const candle = candles.find(({ openTime }) => DateTime.toEpochMillis(openTime) === start)
  if (candle === undefined) return undefined
  const unit = `${toSymbol(token1)} for one ${toSymbol(token0)}`
  return [
    ["Start", DateTime.formatIso(candle.openTime)],
    [`Open, ${unit}`, candle.open],
    [`High, ${unit}`, candle.high],
    [`Low, ${unit}`, candle.low],
    [`Close, ${unit}`, candle.close],
    ["Volume, USD", candle.volumeUSD]
  ]
}

/** A candle of a pool, from the response that the chart shows. */
export const toCandleClaim = (
  moment: Moment,
  answer: Answer<PoolCandles>,
  pool: Pool,
  timeframe: Timeframe,
  { start }: ChartCandle
): Claim => {
  const millis = start * 1000
  const at = { moment, asOf: answer.asOf }
  const request = { ...pin(at), pool: pool.id, timeframe, from: millis, to: millis, limit: 1 }
  return toClaim({
    title: "candle",
    subject: toSubject(at, toPair(pool)),
    values: toCandleValues(pool, answer.value, millis) ?? [],
    request: toShownRequest(Operations.candles, request),
    read: readDex((dex) => dex.withResponse.candles(request)),
    find: (found: PoolCandles) => toCandleValues(pool, found, millis),
    blockchain: moment.deployment.blockchain
  })
}

/** A swap, a mint or a burn of a pool. */
export const toPoolEventClaim = (moment: Moment, pool: PoolAddress, event: Event): Claim => {
  const request = { ...at(moment), pool, from: event.timestamp, to: event.timestamp, limit: maxAtOneTime }
  return toEventClaim({
    event,
    moment,
    operation: Operations.poolTrades,
    request,
    read: readDex((dex) => dex.withResponse.poolTrades(request)),
    toEvents: ({ burns = [], mints = [], swaps = [] }: PoolTrades) => toEvents([swaps], [mints], [burns], "all")
  })
}
