import { Effect, Metric } from "effect"
import type { Context } from "effect"

const requests = Metric.counter("chaintape_http_requests_total", {
  description: "Requests answered",
  incremental: true
})
const seconds = Metric.histogram("chaintape_http_request_seconds", {
  description: "Time from the request to its answer",
  boundaries: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30]
})

/** What a `Chaintape-Source` header may hold, alone or joined. */
const sources = /^(record|ccxt|index|subgraph|rpc)(, (record|ccxt|index|subgraph|rpc)){0,2}$/

export interface Answered {
  /** The template, never a path that callers choose. */
  readonly route: string
  readonly status: number
  /** The answer's `Chaintape-Source`. */
  readonly source: string | undefined
  readonly milliseconds: number
}

/** Their labels are few, and to put a series together costs more than to count. */
const seriesOf = <A extends ReadonlyArray<string>, B>(make: (...labels: A) => B) => {
  const made = new Map<string, B>()
  return (...labels: A): B => {
    const place = labels.join(" ")
    const known = made.get(place)
    if (known !== undefined) return known
    const series = make(...labels)
    made.set(place, series)
    return series
  }
}

const requestsOf = seriesOf((route: string, status: string, source: string) =>
  Metric.withAttributes(requests, { route, status, source })
)
const secondsOf = seriesOf((route: string) => Metric.withAttributes(seconds, { route }))

/** Counts an answer. What was asked with which key is counted by `keys/KeyMetrics.ts`. */
export const countAnswerIn = (
  context: Context.Context<never>,
  { milliseconds, route, source = "", status }: Answered
): void => {
  requestsOf(route, String(status), sources.test(source) ? source : "none").updateUnsafe(1, context)
  secondsOf(route).updateUnsafe(milliseconds / 1000, context)
}

export const countAnswer = (answered: Answered): Effect.Effect<void> =>
  Effect.contextWith((context: Context.Context<never>) => Effect.sync(() => countAnswerIn(context, answered)))
