import { Duration, Effect } from "effect"
import { RateLimiter } from "effect/persistence"
import { LruMap } from "../internal/LruMap.ts"
import { monotonicMillis } from "../internal/monotonic.ts"

interface BucketState {
  tokens: number
  lastRefill: number
}

/** What is taken of which bucket. */
export interface Taking {
  readonly key: string
  readonly tokens: number
  /** The size of the bucket. */
  readonly limit: number
  /** Milliseconds in which one flows back. */
  readonly refillMs: number
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
const makeBuckets = (most: number) => {
  const buckets = new LruMap<string, BucketState>({ entries: most })
  const at = ({ key, limit, refillMs }: Taking, now: number): BucketState => {
    let state = buckets.get(key)
    if (state === undefined) {
      state = { tokens: limit, lastRefill: now }
      buckets.set(key, state)
    }
    refill(state, limit, refillMs, now)
    return state
  }
  return at
}

/** What is left of a bucket. */
export interface Left {
  readonly remaining: number
  /** Milliseconds until it is full again. */
  readonly resetMs: number
}

/** The buckets of this process: as a store of the limiter, and for those who wait for nothing. */
export const memoryLimits = (most: number) => {
  const at = makeBuckets(most)
  /** Takes from all of them, or nothing where one has not enough. Each has another key. */
  const takeAll = (takings: ReadonlyArray<Taking>, now: number): ReadonlyArray<Left> | undefined => {
    const states = takings.map((taking) => ({ taking, state: at(taking, now) }))
    if (states.some(({ state, taking }) => state.tokens < taking.tokens)) return undefined
    return states.map(({ state, taking: { limit, refillMs, tokens } }) => {
      state.tokens -= tokens
      const elapsedMs = Math.max(0, now - state.lastRefill)
      const resetMs = Math.max(0, Math.ceil(limit - state.tokens) * refillMs - elapsedMs)
      return { remaining: state.tokens, resetMs }
    })
  }
  const store = RateLimiter.RateLimiterStore.of({
    tokenBucket: ({ allowOverflow, key, limit, refillRate, tokens }) =>
      Effect.map(monotonicMillis, (now) => {
        const state = at({ key, limit, tokens, refillMs: Duration.toMillis(refillRate) }, now)
        const remaining = state.tokens - tokens
        if (allowOverflow || remaining >= 0) state.tokens = remaining
        return [remaining, Math.max(0, now - state.lastRefill)] as const
      }),
    fixedWindow: () => Effect.die("no limit has a fixed window"),
    adaptiveConsume: () => Effect.die("no limit adapts"),
    adaptiveFeedback: () => Effect.die("no limit adapts")
  })
  return { store, takeAll }
}

/**
 * A limiter of this process alone, with buckets of its own. It is no layer: a layer is built once, with the store of whoever
 * comes first, and everybody's buckets would be the same.
 */
export const makeLimiter = (most: number): Effect.Effect<RateLimiter.RateLimiter> =>
  Effect.provideService(RateLimiter.make, RateLimiter.RateLimiterStore, memoryLimits(most).store)
