import { Effect } from "effect"

/** A request that was answered: the members of its line. A type, because an interface is no record. */
type LoggedRequest = {
  readonly method: string
  /** Without the query, which may contain the key. */
  readonly path: string
  readonly status: number
  readonly milliseconds: number
  readonly requestId: string
}

const line = Effect.logInfo("request")

/** Logs a request as one line, with the same members whether the response was computed or cached. */
export const logRequest = (request: LoggedRequest): Effect.Effect<void> => Effect.annotateLogs(line, request)
