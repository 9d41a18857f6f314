import { type Effect, Metric } from "effect"

const refusals = Metric.counter("chaintape_limit_refusals_total", {
  description: "Requests that a limit turned away",
  incremental: true
})

export type LimitKind = "burst" | "address" | "concurrency" | "day" | "wrong-keys" | "keyless"

/** Counts a request that this limit of the plan refused. */
export const countRefusal = (plan: string, limit: LimitKind): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(refusals, { plan, limit }), 1)
