import type { Answer, Burn, Mint, Pool, PoolAddress, PoolCandles, PoolTrades, Swap, Timeframe } from "@chaintape/core"
import * as Operations from "@chaintape/core/operations/dex"
import * as DateTime from "effect/DateTime"
import type { Bar } from "../../chart/Bars.ts"
import type { Claim, Values } from "../../proof/Claim.ts"
import { toClaim } from "../../proof/Claim.ts"
import { toShownRequest } from "../../service/Shown.ts"
import type { Moment } from "../Deployment.ts"
import { at } from "../Deployment.ts"
import { pin, readDex, toPair, toSubject } from "../DexClaims.ts"
import { toSymbol } from "../TokenName.tsx"

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
export const toBarClaim = (
  moment: Moment,
  answer: Answer<PoolCandles>,
  pool: Pool,
  timeframe: Timeframe,
  { start }: Bar
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

type Event = Swap | Mint | Burn

const toEventValues = ({ amount0, amount1, amountUSD, pool, transactionId }: Event): Values => [
  [`Amount, ${toSymbol(pool.token0)}`, amount0],
  [`Amount, ${toSymbol(pool.token1)}`, amount1],
  ["Worth, USD", amountUSD],
  ["Transaction", transactionId]
]

const sameTime = 1000

/** A swap, a mint or a burn, from those of its pool at its time. */
export const toEventClaim = (moment: Moment, pool: PoolAddress, kind: string, event: Event): Claim => {
  const [from, to] = [event.timestamp, event.timestamp]
  const request = { ...at(moment), pool, from, to, limit: sameTime }
  return toClaim({
    title: kind,
    subject: toSubject({ moment }, `Pool ${toSymbol(event.pool.token0)} / ${toSymbol(event.pool.token1)}`),
    values: toEventValues(event),
    request: toShownRequest(Operations.poolTrades, request),
    read: readDex((dex) => dex.withResponse.poolTrades(request)),
    find: ({ burns = [], mints = [], swaps = [] }: PoolTrades) => {
      const found = [...swaps, ...mints, ...burns].find(({ id }) => id === event.id)
      return found === undefined ? undefined : toEventValues(found)
    },
    blockchain: moment.deployment.blockchain
  })
}
