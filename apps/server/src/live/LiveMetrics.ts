import type { Effect } from "effect"
import { Metric } from "effect"
import type { Ending } from "./LiveFrame.ts"

const streams = Metric.gauge("chaintape_live_streams", { description: "Live streams that are open" })

const events = Metric.counter("chaintape_live_events_total", {
  description: "Events sent by live streams, counted once per reader",
  incremental: true
})

const ended = Metric.counter("chaintape_live_ended_total", {
  description: "Live streams that the service has ended",
  incremental: true
})

export const liveMetrics = {
  open: (count: number): Effect.Effect<void> => Metric.update(streams, count),
  sent: (count: number, readers: number): Effect.Effect<void> => Metric.update(events, count * readers),
  ended: (reason: Ending["reason"]): Effect.Effect<void> => Metric.update(Metric.withAttributes(ended, { reason }), 1)
}
