/**
 * Errors of a call besides the problems that the service returns.
 *
 * @since 0.1.0
 *
 * @example
 * ```ts
 * import * as assert from "node:assert/strict"
 * import { TimeoutError, TransportError, UnexpectedAnswer } from "@chaintape/core"
 *
 * const errors = [
 *   new TransportError({ operation: "cex.trades", attempts: 4, detail: "connect ECONNREFUSED" }),
 *   new TimeoutError({ operation: "cex.trades", attempts: 1, limit: "deadline", milliseconds: 45_000 }),
 *   new UnexpectedAnswer({ operation: "cex.trades", attempts: 1, status: 200, detail: "a body that is no JSON" })
 * ]
 * assert.deepEqual(
 *   errors.map(({ isRetryable }) => isRetryable),
 *   [true, true, false]
 * )
 * ```
 */
import * as Data from "effect/Data"

const after = (attempts: number) => `(after ${attempts} attempt${attempts === 1 ? "" : "s"})`

/**
 * The request did not reach the service, or the response was truncated.
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
 * The call or an attempt timed out. `limit` says which: one attempt, or the whole call.
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
 * The response does not match this interface: it came from another program, a proxy, or another version of the service.
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
    return [408, 429, 502, 503, 504].includes(this.status)
  }
  override get message(): string {
    return `"${this.operation}" was answered with status ${this.status} and ${this.detail}`
  }
}

/**
 * The errors of a call besides the problems of its operation. Each has a `_tag`, an `operation`, a `message` that is a
 * sentence, and `isRetryable`.
 *
 * @since 0.1.0
 * @category errors
 * @example
 * ```ts
 * import type { ClientError } from "@chaintape/core/client/ClientError"
 *
 * const isWorthAnotherTry = (error: ClientError) => error.isRetryable
 * ```
 */
export type ClientError = TransportError | TimeoutError | UnexpectedAnswer
