import * as Duration from "effect/Duration"
import * as Predicate from "effect/Predicate"

/** Milliseconds. A budget may be raised before it is due: a page does not wait longer. */
const longest = 60_000

/**
 * How long to wait after an error: as long as the service asks for, and not less than `least`. A wrong key is sent rarely: each
 * address may send few of them.
 */
export const toRetryPause = (error: unknown, least: Duration.Input): Duration.Duration => {
  if (Predicate.isTagged(error, "InvalidApiKey")) return Duration.millis(longest)
  const asked =
    Predicate.hasProperty(error, "retryAfterMs") && Predicate.isNumber(error.retryAfterMs) ? error.retryAfterMs : 0
  return Duration.millis(Math.max(Math.min(asked, longest), Duration.toMillis(Duration.fromInputUnsafe(least))))
}
