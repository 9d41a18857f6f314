import { Effect, Metric } from "effect"

const stored = Metric.counter("chaintape_recorder_trades_total", {
  description: "Trades written to the tape",
  incremental: true
})
const backfilled = Metric.counter("chaintape_recorder_backfilled_total", {
  description: "Trades written to the tape that were asked for to close gaps",
  incremental: true
})
const disconnects = Metric.counter("chaintape_recorder_disconnects_total", {
  description: "Connections to exchanges that were lost",
  incremental: true
})
const failedWrites = Metric.counter("chaintape_recorder_failed_writes_total", {
  description: "Writes of the tape that failed and were tried again",
  incremental: true
})
const gaps = Metric.gauge("chaintape_recorder_gaps", { description: "Gaps in the tape at this moment" })
const waiting = Metric.gauge("chaintape_recorder_waiting", { description: "Trades that wait to be written" })

export interface RecorderMetrics {
  readonly stored: (trades: number, backfilledTrades: number) => Effect.Effect<void>
  readonly disconnected: Effect.Effect<void>
  readonly writeFailed: Effect.Effect<void>
  readonly observe: (gapCount: number, waitingTrades: number) => Effect.Effect<void>
}

export const recorderMetrics = (exchange: string, market: string): RecorderMetrics => {
  const attributes = { exchange, market }
  return {
    stored: (trades, backfilledTrades) =>
      Effect.andThen(
        Metric.update(Metric.withAttributes(stored, attributes), trades),
        Metric.update(Metric.withAttributes(backfilled, attributes), backfilledTrades)
      ),
    disconnected: Metric.update(Metric.withAttributes(disconnects, attributes), 1),
    writeFailed: Metric.update(Metric.withAttributes(failedWrites, attributes), 1),
    observe: (gapCount, waitingTrades) =>
      Effect.andThen(
        Metric.update(Metric.withAttributes(gaps, attributes), gapCount),
        Metric.update(Metric.withAttributes(waiting, attributes), waitingTrades)
      )
  }
}
