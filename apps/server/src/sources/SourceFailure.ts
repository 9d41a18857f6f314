import { UpstreamBusy, UpstreamFailed, UpstreamTimeout } from "@chaintape/core"

/** Why a source, such as an exchange or a node, did not return what it was asked for. */
export type SourceFailure =
  /** The source limits our rate, or our own queue is full. */
  | "Busy"
  /** The source did not answer in time. */
  | "Timeout"
  /** The connection failed, or the source returned a server error. */
  | "Unavailable"
  /** The source denies access, such as to a region or without credentials. */
  | "Refused"
  /** The response violates the source's interface, or contradicts an earlier one. None of it is used. */
  | "BadResponse"

/** Whether a repetition may succeed at once. A busy source demands a wait. */
export const transientFailures = {
  Busy: false,
  Timeout: true,
  Unavailable: true,
  Refused: false,
  BadResponse: false
} as const satisfies Record<SourceFailure, boolean>

const refusals = new Set([401, 403, 407, 451])

/** The failure that an HTTP status means; undefined for a success. */
export const toSourceFailure = (status: number): SourceFailure | undefined => {
  if (status >= 200 && status < 300) return undefined
  // Exchanges use 418 for a caller that ignored 429.
  if (status === 429 || status === 418) return "Busy"
  if (refusals.has(status)) return "Refused"
  if (status === 408 || status === 504) return "Timeout"
  return status >= 500 ? "Unavailable" : "BadResponse"
}

interface Failed {
  readonly reason: SourceFailure
  /** A sentence for the caller. */
  readonly message: string
  /** The delay that the source, or our queue, requires. */
  readonly retryAfterMs?: number | undefined
}

const failedReasons = {
  Unavailable: "unavailable",
  Refused: "refused",
  BadResponse: "bad-response"
} as const

/** Maps the failure of a source to a problem. */
export const toProblem = (
  source: string,
  { message, reason, retryAfterMs }: Failed
): UpstreamFailed | UpstreamBusy | UpstreamTimeout => {
  if (reason === "Timeout") return new UpstreamTimeout({ source, detail: `${message} Try again later.` })
  if (reason === "Busy") {
    const wait = retryAfterMs ?? 1000
    return new UpstreamBusy({
      source,
      retryAfterMs: wait,
      detail: `${message} Try again in ${Math.ceil(wait / 1000)} s.`
    })
  }
  return new UpstreamFailed({ source, reason: failedReasons[reason], detail: `${message} Try again later.` })
}
