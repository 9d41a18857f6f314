import { Effect, Metric } from "effect"
import type { Context } from "effect"

const requests = Metric.counter("chaintape_key_requests_total", {
  description: "Requests of keys, by the id of the key",
  incremental: true
})

const refusals = Metric.counter("chaintape_limit_refusals_total", {
  description: "Requests that a limit turned away",
  incremental: true
})

/** Keys with a time series of their own; all others share one. */
const maxKeys = 1000

/** The keys with a time series of their own: the first ones used. */
export const makeKeyLabels = () => {
  const known = new Set<string>()
  return (key: string): string => {
    if (known.has(key)) return key
    if (known.size >= maxKeys) return "other"
    known.add(key)
    return key
  }
}

/** By key and status: there are few labels, and assembling a series costs more than counting. */
const series = new Map<string, Metric.Metric<number, unknown>>()

/** `key` is the id of the key, or `other`. */
export const countRequestIn = (context: Context.Context<never>, key: string, status: number): void => {
  const name = `${status} ${key}`
  const known = series.get(name) ?? Metric.withAttributes(requests, { key, status: String(status) })
  series.set(name, known)
  known.updateUnsafe(1, context)
}

export const countRequest = (key: string, status: number): Effect.Effect<void> =>
  Effect.contextWith((context: Context.Context<never>) => Effect.sync(() => countRequestIn(context, key, status)))

/** Which limit of which plan. */
export const countRefusal = (
  plan: string,
  limit: "burst" | "address" | "concurrency" | "day" | "wrong-keys" | "keyless"
): Effect.Effect<void> => Metric.update(Metric.withAttributes(refusals, { plan, limit }), 1)
