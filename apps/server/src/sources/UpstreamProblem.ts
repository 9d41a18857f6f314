import { UpstreamBusy, UpstreamFailed, UpstreamTimeout } from "@chaintape/core/problem/Problem"

type Reason = "Busy" | "Timeout" | "Unavailable" | "Refused" | "BadResponse"

interface SourceFailure {
  readonly reason: Reason
  readonly message: string
  readonly retryAfterMs?: number
}

const failedReasons = {
  Unavailable: "unavailable",
  Refused: "refused",
  BadResponse: "bad-response"
} as const

/** The problem that a source's failure is to the caller. */
export const upstreamProblem = (
  source: string,
  { message, reason, retryAfterMs }: SourceFailure
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
