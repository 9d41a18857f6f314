import { Cex } from "@chaintape/cex"
import { type Candles, Decimal, type Timeframe, timeframeSeconds } from "@chaintape/core"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { ChartCandles } from "../../chart/ChartCandle.ts"
import type { Listing } from "../../proof/Claim.ts"
import { countRequests } from "../../service/Budget.ts"

/** The candles of a market before a minute. */
export interface History {
  /** The complete ones. */
  readonly candles: ChartCandles
  /** Those of one minute of the candle that contains the minute. */
  readonly minutes: ChartCandles
  /** Whether there are no older ones. */
  readonly isWhole: boolean
}

export interface HistoryRequest extends Listing {
  readonly timeframe: Timeframe
  /** The minute, in Unix milliseconds. */
  readonly before: number
  /** Candles in a page. */
  readonly limit: number
}

/** Older candles are not read beyond this number. */
const maxCandles = 20_000

const seconds = (time: DateTime.Utc) => DateTime.toEpochMillis(time) / 1000

/** Those that start in one of these ranges are not proven; none is if there are no ranges. */
export const toChartCandles = (
  candles: Candles["candles"],
  ranges?: ReadonlyArray<{ readonly from: DateTime.Utc; readonly to: DateTime.Utc }>
): ChartCandles => {
  const unproven = ranges?.map(({ from, to }) => [seconds(from), seconds(to)] as const)
  return candles.map(({ close, high, low, open, openTime, volume }) => {
    const start = seconds(openTime)
    return {
      start,
      open: Decimal.toNumber(open),
      high: Decimal.toNumber(high),
      low: Decimal.toNumber(low),
      close: Decimal.toNumber(close),
      volume: Decimal.toNumber(volume),
      isProven: unproven?.every(([from, to]) => start < from || start > to) ?? false
    }
  })
}

const read = Effect.fnUntraced(function* (request: Parameters<Cex["Service"]["candles"]>[0]) {
  const cex = yield* Cex
  const { coverage, value } = yield* countRequests(cex.withResponse.candles(request))
  const { state, unproven } = Option.getOrElse(coverage, () => ({ state: "unverifiable", unproven: [] }))
  return toChartCandles(value.candles, state === "unverifiable" ? undefined : unproven)
})

const readPage = Effect.fnUntraced(function* (
  { before, exchange, limit, market, timeframe }: HistoryRequest,
  last: History | undefined
) {
  const length = timeframeSeconds[timeframe] * 1000
  const start = Math.floor(before / length) * length
  const minutes =
    last?.minutes ??
    (start === before
      ? []
      : yield* read({ exchange, market, timeframe: "1m", since: start, until: before - 1, limit: length / 60_000 }))
  const [first] = last?.candles ?? []
  const until = (first === undefined ? start : first.start * 1000) - 1
  const older = yield* read({ exchange, market, timeframe, until, limit })
  const candles = [...older, ...(last?.candles ?? [])]
  const history: History = { candles, minutes, isWhole: older.length === 0 || candles.length >= maxCandles }
  return history
})

/**
 * The newest page of candles, and after each `wanted` one more page before it. A page that was not read is still wanted when
 * the stream is opened again.
 */
export const readHistory = (request: HistoryRequest, wanted: Effect.Effect<void>) => {
  let isWanted = true
  return (last: History | undefined): Stream.Stream<History, Effect.Error<ReturnType<typeof readPage>>, Cex> =>
    last?.isWhole === true
      ? Stream.empty
      : Stream.paginate(last, (known) =>
          Effect.gen(function* () {
            if (!isWanted) yield* wanted
            isWanted = true
            const history = yield* readPage(request, known)
            isWanted = false
            return [[history], history.isWhole ? Option.none() : Option.some(history)] as const
          })
        )
}
