import { Duration, Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import { monotonicMillis } from "../sources/Monotonic.ts"

interface BucketState {
  tokens: number
  lastRefill: number
}

interface BucketOptions {
  readonly key: string
  readonly tokens: number
  readonly limit: number
  readonly refillRate: Duration.Duration
  readonly allowOverflow: boolean
}

const refill = (state: BucketState, limit: number, rateMs: number, now: number): void => {
  const flowed = Math.floor((now - state.lastRefill) / rateMs)
  if (flowed > 0) {
    state.tokens = Math.min(limit, state.tokens + flowed)
    state.lastRefill += flowed * rateMs
  }
  if (state.tokens >= limit) state.lastRefill = now
}

/**
 * Buckets in the memory of the process, at most `most` of them. The one that was asked for the longest time ago is given
 * up first: by then it is full again, unless `most` callers came in between, and a full one is like none.
 */
export const memoryLimitStore = (most: number) => {
  const buckets = new Map<string, BucketState>()
  const take = (options: BucketOptions, now: number): readonly [remaining: number, elapsedMs: number] => {
    const state = buckets.get(options.key) ?? { tokens: options.limit, lastRefill: now }
    buckets.delete(options.key)
    buckets.set(options.key, state)
    if (buckets.size > most) {
      const [oldest] = buckets.keys()
      if (oldest !== undefined) buckets.delete(oldest)
    }
    refill(state, options.limit, Duration.toMillis(options.refillRate), now)
    const remaining = state.tokens - options.tokens
    if (options.allowOverflow || remaining >= 0) state.tokens = remaining
    return [remaining, Math.max(0, now - state.lastRefill)]
  }
  return RateLimiter.RateLimiterStore.of({
    tokenBucket: (options) => Effect.map(monotonicMillis, (now) => take(options, now)),
    fixedWindow: () => Effect.die("no limit has a fixed window"),
    adaptiveConsume: () => Effect.die("no limit adapts"),
    adaptiveFeedback: () => Effect.die("no limit adapts")
  })
}

/** Limits of this process alone. */
export const layer = (most: number) => Layer.sync(RateLimiter.RateLimiterStore, () => memoryLimitStore(most))
