/**
 * When and how long to wait before a call is tried again.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"

/**
 * The bounds of one call and of its attempts.
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
   * Retries that all calls of one client share: each takes 1, each success gives `budgetRefund` back. When it is used
   * up, calls fail with their first error, so that an outage meets at most this many extra requests.
   */
  readonly budget: number
  readonly budgetRefund: number
}

/**
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
  budget: 20,
  budgetRefund: 0.1
}

/**
 * The wait before attempt `attempt + 1` in milliseconds, where `random` lies in [0, 1): half of the doubled delay is
 * fixed, half is drawn, and `retryAfter` is a minimum.
 *
 * @since 0.1.0
 * @category combinators
 */
export const delayAfter = (
  policy: RetryPolicy,
  attempt: number,
  random: number,
  retryAfterMs: number | undefined
): number => {
  const doubled = Duration.toMillis(policy.firstDelay) * 2 ** (attempt - 1)
  const capped = Math.min(doubled, Duration.toMillis(policy.maxDelay))
  const drawn = capped / 2 + random * (capped / 2)
  return Math.ceil(Math.max(drawn, retryAfterMs ?? 0))
}
