/**
 * What can go wrong with a call besides the problems that the service states.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"

const after = (attempts: number) => (attempts === 1 ? "(after 1 attempt)" : `(after ${attempts} attempts)`)

/**
 * The request did not reach the service, or its answer was cut off.
 *
 * @since 0.1.0
 * @category errors
 */
export class TransportError extends Data.TaggedError("TransportError")<{
  readonly operation: string
  readonly attempts: number
  readonly detail: string
}> {
  readonly isRetryable = true
  override get message(): string {
    return `"${this.operation}" did not reach the service: ${this.detail} ${after(this.attempts)}`
  }
}

/**
 * No answer came in time. `limit` says which bound was hit: that of one attempt, or that of the whole call.
 *
 * @since 0.1.0
 * @category errors
 */
export class TimeoutError extends Data.TaggedError("TimeoutError")<{
  readonly operation: string
  readonly attempts: number
  readonly limit: "attempt" | "deadline"
  readonly milliseconds: number
}> {
  readonly isRetryable = true
  override get message(): string {
    return `"${this.operation}" had no answer within ${this.milliseconds} ms ${after(this.attempts)}`
  }
}

/**
 * Something answered that does not speak this interface: another program, a proxy, or another version of the service.
 *
 * @since 0.1.0
 * @category errors
 */
export class UnexpectedAnswer extends Data.TaggedError("UnexpectedAnswer")<{
  readonly operation: string
  readonly attempts: number
  readonly status: number
  readonly detail: string
}> {
  get isRetryable(): boolean {
    return (
      this.status === 408 || this.status === 429 || this.status === 502 || this.status === 503 || this.status === 504
    )
  }
  override get message(): string {
    return `"${this.operation}" was answered with status ${this.status} and ${this.detail}`
  }
}

/**
 * @since 0.1.0
 * @category errors
 */
export type ClientError = TransportError | TimeoutError | UnexpectedAnswer
