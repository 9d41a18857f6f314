/**
 * Errors of a call besides the problems that the service returns.
 *
 * @since 0.1.0
 *
 * @example
 * ```ts
 * import * as assert from "node:assert/strict"
 * import { RequestTimeout, TransportError, UnexpectedResponse } from "@chaintape/core"
 *
 * const errors = [
 *   new TransportError({ operation: "cex.trades", attempts: 4, detail: "connect ECONNREFUSED" }),
 *   new RequestTimeout({ operation: "cex.trades", attempts: 1, limit: "deadline", milliseconds: 45_000 }),
 *   new UnexpectedResponse({ operation: "cex.trades", attempts: 1, status: 200, detail: "a body that is no JSON" })
 * ]
 * assert.deepEqual(
 *   errors.map(({ isRetryable }) => isRetryable),
 *   [true, true, false]
 * )
 * ```
 */
import * as Data from "effect/Data"
import { isChaintapeError } from "../internal/contract/errorMark.ts"

const at = (url: string | undefined) => (url === undefined ? "" : ` at ${url}`)
const after = (attempts: number) => `(after ${attempts} attempt${attempts === 1 ? "" : "s"})`

/**
 * The request did not reach the service, or the response was truncated.
 *
 * @since 0.1.0
 * @category errors
 */
export class TransportError extends Data.TaggedError("TransportError")<{
  /** The group and the name of the operation, such as `cex.trades`. */
  readonly operation: string
  /** The address of the request, without the key. */
  readonly url?: string | undefined
  /** Attempts that were made, including the first. */
  readonly attempts: number
  /** The message of the transport. */
  readonly detail: string
}> {
  readonly isRetryable = true
  get [isChaintapeError](): true {
    return true
  }
  override get message(): string {
    return `"${this.operation}"${at(this.url)} had no complete response: ${this.detail} ${after(this.attempts)}`
  }
}

/**
 * The call or an attempt timed out. `limit` says which: one attempt, or the whole call.
 *
 * @since 0.1.0
 * @category errors
 */
export class RequestTimeout extends Data.TaggedError("RequestTimeout")<{
  /** The group and the name of the operation, such as `cex.trades`. */
  readonly operation: string
  /** The address of the request, without the key. */
  readonly url?: string | undefined
  /** Attempts that were made, including the first. */
  readonly attempts: number
  /** Which limit: that of one attempt, or that of the whole call. */
  readonly limit: "attempt" | "deadline"
  /** The limit, in milliseconds. */
  readonly milliseconds: number
}> {
  readonly isRetryable = true
  get [isChaintapeError](): true {
    return true
  }
  override get message(): string {
    return `"${this.operation}"${at(this.url)} had no answer within ${this.milliseconds} ms ${after(this.attempts)}`
  }
}

/**
 * The response does not match this interface: it came from another program, a proxy, or another version of the service.
 *
 * @since 0.1.0
 * @category errors
 */
export class UnexpectedResponse extends Data.TaggedError("UnexpectedResponse")<{
  /** The group and the name of the operation, such as `cex.trades`. */
  readonly operation: string
  /** The address of the request, without the key. */
  readonly url?: string | undefined
  /** Attempts that were made, including the first. */
  readonly attempts: number
  /** The HTTP status. */
  readonly status: number
  /** Describes the unexpected part of the response. */
  readonly detail: string
}> {
  get [isChaintapeError](): true {
    return true
  }
  get isRetryable(): boolean {
    return [408, 429, 502, 503, 504].includes(this.status)
  }
  override get message(): string {
    return `"${this.operation}"${at(this.url)} was answered with status ${this.status} and ${this.detail}`
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
 * import type { ClientError } from "@chaintape/core"
 *
 * const isWorthAnotherTry = (error: ClientError) => error.isRetryable
 * ```
 */
export type ClientError = TransportError | RequestTimeout | UnexpectedResponse
