/**
 * The common members of all errors of the packages.
 *
 * @since 0.1.0
 */
import * as Predicate from "effect/Predicate"
import { isChaintapeError } from "../internal/contract/errorMark.ts"

/** Whether it is one of the errors. Without the class, which not every bundle needs. */
export const isMarked = (value: unknown): value is ChaintapeError => Predicate.hasProperty(value, isChaintapeError)

/**
 * The base of every error of the packages: `error instanceof ChaintapeError` holds for the problems that the service answers,
 * for `ClientError`s and for the errors of streams. `_tag` says which one it is, `isRetryable` whether the same call may
 * succeed later.
 *
 * @since 0.1.0
 * @category errors
 *
 * @example
 * ```ts
 * import * as assert from "node:assert/strict"
 * import { ChaintapeError, NoData, TransportError } from "@chaintape/core"
 *
 * const isWorthAnotherTry = (error: unknown): boolean => error instanceof ChaintapeError && error.isRetryable
 *
 * assert.equal(isWorthAnotherTry(new TransportError({ operation: "cex.trades", attempts: 4, detail: "reset" })), true)
 * assert.equal(isWorthAnotherTry(new NoData({ exchange: "kraken", market: "BTC/USD", detail: "No trade yet." })), false)
 * assert.equal(isWorthAnotherTry(new TypeError("mine")), false)
 * ```
 */
export abstract class ChaintapeError extends Error {
  abstract readonly _tag: string
  abstract readonly isRetryable: boolean
  static override [Symbol.hasInstance](value: unknown): boolean {
    return (this === ChaintapeError && isMarked(value)) || super[Symbol.hasInstance](value)
  }
}
