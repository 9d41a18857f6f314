/**
 * How patient a client is: the bounds of a call and of its attempts, when it is tried again, when the client stops
 * asking for a while, and whether it keeps to the pace that the service allows.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"

/**
 * What a client does between its caller and the service.
 *
 * @example
 * ```ts
 * import { Client } from "@chaintape/core/client/Client"
 * import * as RetryPolicy from "@chaintape/core/client/RetryPolicy"
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
  /** Attempts of one call at most, the first included. */
  readonly attempts: number
  /** How long one attempt may take. */
  readonly attemptTimeout: Duration.Duration
  /** How long the whole call may take, waits included. */
  readonly deadline: Duration.Duration
  /** The wait before the second attempt; it doubles from then on. */
  readonly firstDelay: Duration.Duration
  /** The longest wait that the client chooses itself. */
  readonly maxDelay: Duration.Duration
  /** The longest `Retry-After` that is honoured; a longer one fails the call with the problem that carries it. */
  readonly maxRetryAfter: Duration.Duration
  /**
   * Whether a call waits for its turn when the `RateLimit` headers of the service say that little is left of the budget.
   * A turn that does not come before the deadline fails the call at once with `RateLimited`.
   */
  readonly paced: boolean
  /**
   * Retries that all calls of one client share: each takes 1, each success gives `budgetRefund` back. When it is used
   * up, calls fail with their first error, so that an outage meets at most this many extra requests.
   */
  readonly budget: number
  readonly budgetRefund: number
  /**
   * Failed attempts in a row, over all calls of one client, after which it stops asking: calls fail at once with
   * `CircuitOpen`. Only what shows that the service is not there counts. `Infinity` turns this off.
   */
  readonly failuresToOpen: number
  /** How long no attempt is made then; one is let through after each such time, until the service answers. */
  readonly coolDown: Duration.Duration
}

/**
 * What a single call may change. The other members are about what all calls of a client share.
 *
 * @example
 * ```ts
 * import type { CallPolicy } from "@chaintape/core/client/RetryPolicy"
 *
 * const once: CallPolicy = { attempts: 1 }
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export type CallPolicy = Partial<Omit<RetryPolicy, "budget" | "budgetRefund" | "failuresToOpen" | "coolDown">>

/**
 * The policy of a client that is told nothing else.
 *
 * @example
 * ```ts
 * import * as RetryPolicy from "@chaintape/core/client/RetryPolicy"
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
  paced: true,
  budget: 20,
  budgetRefund: 0.1,
  failuresToOpen: 10,
  coolDown: Duration.seconds(5)
}

/**
 * One attempt of each call, sent at once and whatever came before: for callers that have a policy of their own around
 * the client. The time bounds are those of {@link standard}.
 *
 * @example
 * ```ts
 * import { Client } from "@chaintape/core/client/Client"
 * import * as RetryPolicy from "@chaintape/core/client/RetryPolicy"
 *
 * const layer = Client.layer({ baseUrl: "http://127.0.0.1:3000", retry: RetryPolicy.none })
 * ```
 *
 * @since 0.1.0
 * @category constants
 */
export const none: RetryPolicy = /* @__PURE__ */ Object.assign({}, standard, {
  attempts: 1,
  paced: false,
  budget: 0,
  failuresToOpen: Infinity
})

/**
 * The wait before attempt `attempt + 1` in milliseconds, where `random` lies in [0, 1): half of the doubled delay is
 * fixed, half is drawn, and `retryAfterMs` is a minimum.
 *
 * @example
 * ```ts
 * import * as RetryPolicy from "@chaintape/core/client/RetryPolicy"
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
