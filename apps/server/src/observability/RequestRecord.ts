import { Effect, Metric } from "effect"
import type { Context } from "effect"
import { dataSources } from "../internal/handler/DataHeaders.ts"

const toRequests = (route: string, status: string, source: string) =>
  Metric.counter("chaintape_http_requests_total", {
    description: "Requests with a response",
    incremental: true,
    attributes: { route, status, source }
  })

const toSeconds = (route: string) =>
  Metric.histogram("chaintape_http_request_seconds", {
    description: "Time from the request to its response",
    boundaries: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30],
    attributes: { route }
  })

/** The values of the `Chaintape-Source` header, single or joined. */
const one = `(${dataSources.join("|")})`
const sources = new RegExp(`^${one}(, ${one}){0,2}$`)

export interface RespondedRequest {
  readonly method: string
  /** Without the query, which may contain the key. */
  readonly path: string
  /** The route template, never a path chosen by clients. */
  readonly route: string
  readonly status: number
  /** The `Chaintape-Source` of the response. */
  readonly source: string | undefined
  readonly milliseconds: number
  readonly requestId: string
}

/** There are few labels, and assembling a series costs more than counting. */
const withCache = <A extends ReadonlyArray<string>, B>(make: (...labels: A) => B) => {
  const made = new Map<string, B>()
  return (...labels: A): B => {
    const name = labels.join(" ")
    const known = made.get(name)
    if (known !== undefined) return known
    const series = make(...labels)
    made.set(name, series)
    return series
  }
}

const line = Effect.logInfo("request")

/**
 * Counts a request. Returns the effect that logs it as one line, with the same members whether the response was computed or
 * cached. Requests by key are counted in `auth/limits/Admissions.ts`.
 */
export const makeRequestRecord = () => {
  const getRequests = withCache(toRequests)
  const getSeconds = withCache(toSeconds)
  return (
    context: Context.Context<never>,
    { method, milliseconds, path, requestId, route, source = "", status }: RespondedRequest
  ): Effect.Effect<void> => {
    getRequests(route, String(status), sources.test(source) ? source : "none").updateUnsafe(1, context)
    getSeconds(route).updateUnsafe(milliseconds / 1000, context)
    return Effect.annotateLogs(line, { method, path, status, milliseconds, requestId })
  }
}
