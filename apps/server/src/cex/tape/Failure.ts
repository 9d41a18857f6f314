import { Cause } from "effect"
import { ExchangeError } from "../ExchangeSource.ts"

export interface Failure {
  /** A sentence. */
  readonly message: string
  readonly retryAfterMs: number
  readonly error: unknown
}

/** What a cause tells, be it an error or a defect. */
export const failureOf = (cause: Cause.Cause<unknown>): Failure => {
  const error = Cause.squash(cause)
  return {
    error,
    message: error instanceof Error ? error.message : String(error),
    retryAfterMs: error instanceof ExchangeError ? (error.retryAfterMs ?? 0) : 0
  }
}
