import type { Bar, Bars } from "../../chart/Bars.ts"

/**
 * The candle in which a recording begins (`from` in Unix milliseconds, `length` in seconds). Undefined if the recording proves
 * the whole candle: then the market had no trade before.
 */
export const findRecordingStart = (bars: Bars, from: number | undefined, length: number): Bar | undefined =>
  from === undefined
    ? undefined
    : bars.find(({ isProven, start }) => !isProven && start * 1000 < from && from < (start + length) * 1000)
