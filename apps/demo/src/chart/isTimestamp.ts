import type { UTCTimestamp } from "lightweight-charts"

/** Whether a number of Unix seconds is a time on the axis of a chart. */
export const isTimestamp = (value: number): value is UTCTimestamp => Number.isInteger(value)
