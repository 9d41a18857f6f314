import { Metric } from "effect"
import type { Context, Effect } from "effect"

const toRequests = (key: string, status: number) =>
  Metric.counter("chaintape_key_requests_total", {
    description: "Requests of keys, by the id of the key",
    incremental: true,
    attributes: { key, status: String(status) }
  })

const refusals = Metric.counter("chaintape_limit_refusals_total", {
  description: "Requests that a limit turned away",
  incremental: true
})

/** Keys with time series of their own; all others share those of `other`. */
const maxKeys = 1000

/** Counts a response to a request of one key. */
export type CountResponse = (status: number, context: Context.Context<never>) => void

/** A key has few statuses, and assembling a series costs more than counting. */
const makeCountResponse = (key: string): CountResponse => {
  const series = new Map<number, ReturnType<typeof toRequests>>()
  return (status, context) => {
    const known = series.get(status) ?? toRequests(key, status)
    series.set(status, known)
    known.updateUnsafe(1, context)
  }
}

/** The counts of a key by its id. The keys that are used first have time series of their own. */
export const makeKeyCounts = () => {
  const counts = new Map<string, CountResponse>()
  const others = makeCountResponse("other")
  return (key: string): CountResponse => {
    const known = counts.get(key)
    if (known !== undefined || counts.size >= maxKeys) return known ?? others
    const count = makeCountResponse(key)
    counts.set(key, count)
    return count
  }
}

/** Which limit of which plan. */
export const countRefusal = (
  plan: string,
  limit: "burst" | "address" | "concurrency" | "day" | "wrong-keys" | "keyless"
): Effect.Effect<void> => Metric.update(Metric.withAttributes(refusals, { plan, limit }), 1)
