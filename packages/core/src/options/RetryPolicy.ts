/**
 * How a client retries: the timeouts of a call and of its attempts, the delays, the retry budget, and whether it keeps to
 * the rate that the service allows.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"

/**
 * The policy of a client for retries, timeouts and rate limits. The defaults are those of {@link standard}.
 *
 * @example
 * ```ts
 * import { Client, RetryPolicy } from "@chaintape/core"
 * import * as Duration from "effect/Duration"
 *
 * const impatient: RetryPolicy.RetryPolicy = { ...RetryPolicy.standard, attempts: 2, deadline: Duration.seconds(5) }
 * const layer = Client.layer({ baseUrl: "http://127.0.0.1:3000", retry: impatient })
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export interface RetryPolicy {
  /** Maximum attempts of one call, including the first; 4 by default. */
  readonly attempts: number
  /** Timeout of one attempt; 15 seconds by default. */
  readonly attemptTimeout: Duration.Input
  /** Timeout of the whole call, including delays; 45 seconds by default. */
  readonly deadline: Duration.Input
  /** Delay before the second attempt, 200 milliseconds by default; it doubles from then on. */
  readonly firstDelay: Duration.Input
  /** Maximum delay that the client chooses itself; 5 seconds by default. */
  readonly maxDelay: Duration.Input
  /**
   * Maximum `Retry-After` that is honored, 30 seconds by default; a longer one fails the call with the problem that
   * carries it.
   */
  readonly maxRetryAfter: Duration.Input
  /**
   * Whether a call waits when the `RateLimit` headers of the service say that the budget is nearly used up. If the
   * budget does not refill before the deadline, the call fails at once with `RateLimited`. True by default.
   */
  readonly rateLimit: boolean
  /**
   * Retry budget shared by all calls of one client: each retry takes 1, each success returns `retryRefund`. When it is
   * used up, calls fail with their first error, so that an outage causes at most this many extra requests; 20 by default.
   */
  readonly retryBudget: number
  /** The amount that each success returns to `retryBudget`; 0.1 by default. */
  readonly retryRefund: number
}

/**
 * The part of a policy that a single call may override. The other members concern all calls of a client.
 *
 * @example
 * ```ts
 * import type { RetryPolicy } from "@chaintape/core"
 *
 * const once: RetryPolicy.CallPolicy = { attempts: 1 }
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export type CallPolicy = Partial<Omit<RetryPolicy, "retryBudget" | "retryRefund">>

/**
 * The default policy.
 *
 * @example
 * ```ts
 * import { RetryPolicy } from "@chaintape/core"
 *
 * const twiceAsOften = { ...RetryPolicy.standard, attempts: 2 * RetryPolicy.standard.attempts }
 * ```
 *
 * @since 0.1.0
 * @category constants
 */
export const standard: RetryPolicy = {
  attempts: 4,
  attemptTimeout: Duration.seconds(15),
  deadline: Duration.seconds(45),
  firstDelay: Duration.millis(200),
  maxDelay: Duration.seconds(5),
  maxRetryAfter: Duration.seconds(30),
  rateLimit: true,
  retryBudget: 20,
  retryRefund: 0.1
}

/**
 * One attempt per call, sent at once: for callers with a retry policy of their own around the client. The timeouts are
 * those of {@link standard}.
 *
 * @example
 * ```ts
 * import { Client, RetryPolicy } from "@chaintape/core"
 *
 * const layer = Client.layer({ baseUrl: "http://127.0.0.1:3000", retry: RetryPolicy.none })
 * ```
 *
 * @since 0.1.0
 * @category constants
 */
export const none: RetryPolicy = /* @__PURE__ */ Object.assign({}, standard, {
  attempts: 1,
  rateLimit: false,
  retryBudget: 0
})

/**
 * The delay before attempt `attempt + 1` in milliseconds, with `random` in [0, 1): half of the doubled delay is fixed,
 * half is jitter, and `retryAfterMs` is a minimum.
 *
 * @example
 * ```ts
 * import { RetryPolicy } from "@chaintape/core"
 *
 * RetryPolicy.delayAfter(RetryPolicy.standard, 2, 0.5, undefined) // 300: between 200 and 400
 * RetryPolicy.delayAfter(RetryPolicy.standard, 2, 0.5, 7000) // 7000: the service asked for it
 * ```
 *
 * @since 0.1.0
 * @category combinators
 */
export const delayAfter = (
  policy: Pick<RetryPolicy, "firstDelay" | "maxDelay">,
  attempt: number,
  random: number,
  retryAfterMs: number | undefined
): number => {
  const doubled = Duration.toMillis(policy.firstDelay) * 2 ** (attempt - 1)
  const capped = Math.min(doubled, Duration.toMillis(policy.maxDelay))
  const drawn = capped / 2 + random * (capped / 2)
  return Math.ceil(Math.max(drawn, retryAfterMs ?? 0))
}
