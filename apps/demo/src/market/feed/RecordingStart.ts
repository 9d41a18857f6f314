import type { ChartCandle, ChartCandles } from "../../chart/ChartCandle.ts"

/**
 * The candle in which a recording begins (`from` in Unix milliseconds, `length` in seconds). Undefined if the recording proves
 * the whole candle: then the market had no trade before.
 */
export const findRecordingStart = (
  candles: ChartCandles,
  from: number | undefined,
  length: number
): ChartCandle | undefined =>
  from === undefined
    ? undefined
    : candles.find(({ isProven, start }) => !isProven && start * 1000 < from && from < (start + length) * 1000)
