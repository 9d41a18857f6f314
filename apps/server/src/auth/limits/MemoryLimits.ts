import { Data } from "effect"
import { LruMap } from "../../internal/LruMap.ts"

/** A token bucket. */
export interface Bucket {
  /** Its capacity. */
  readonly burst: number
  /** Its refill rate. */
  readonly perSecond: number
}

/** Units to be taken from one token bucket. */
export interface BucketCharge {
  readonly _tag: "Bucket"
  readonly key: string
  readonly units: number
  readonly capacity: number
  /** Milliseconds per refilled unit. */
  readonly refillMs: number
}

/** Units to be taken from the quota of one UTC day. */
export interface DayCharge {
  readonly _tag: "Day"
  readonly key: string
  readonly units: number
  readonly perDay: number
}

export type Charge = BucketCharge | DayCharge

/** A function of each kind of charge: a new kind does not compile until all of them handle it. */
export const { $match: matchCharge } = Data.taggedEnum<Charge>()

/** The state of a limit after a charge. */
export interface Charged {
  readonly isRefused: boolean
  /** Units, possibly with a fraction. */
  readonly remaining: number
  /** Milliseconds until it is full again; if refused, until the charge may be repeated. */
  readonly waitMs: number
}

/** The milliseconds after which a refused caller may retry: whole, and at least one. */
export const toRetryAfterMs = (waitMs: number): number => Math.max(1, Math.ceil(waitMs))

/** A charge above the capacity takes a full bucket: it is never refused for its size alone. */
export const bucketCharge = (key: string, { burst, perSecond }: Bucket, units: number): BucketCharge => ({
  _tag: "Bucket",
  key,
  units: Math.min(units, burst),
  capacity: burst,
  refillMs: 1000 / perSecond
})

/** A charge above the quota takes all of it. */
export const dayCharge = (key: string, perDay: number, units: number): DayCharge => ({
  _tag: "Day",
  key,
  units: Math.min(units, perDay),
  perDay
})

/** `remaining` is negative if the charge is refused; `elapsedMs` is the time since the last refill. */
export const toBucketCharged = (
  { capacity, refillMs }: BucketCharge,
  remaining: number,
  elapsedMs: number
): Charged => {
  const missing = remaining < 0 ? -remaining : capacity - remaining
  const waitMs = Math.max(0, Math.ceil(missing) * refillMs - elapsedMs)
  return { isRefused: remaining < 0, remaining: Math.max(0, remaining), waitMs }
}

interface BucketState {
  units: number
  refilledAt: number
}

/** The addresses of which a limit per address holds the buckets. */
export const maxAddresses = 10_000

/**
 * Token buckets in memory, at most `max`. The least recently used bucket is evicted first: by then it is full again,
 * unless `max` callers came in between, and a full bucket equals a missing one.
 */
export const makeBuckets = (max: number) => {
  const buckets = new LruMap<string, BucketState>({ entries: max })
  const refill = ({ capacity, key, refillMs }: BucketCharge, now: number): BucketState => {
    let state = buckets.get(key)
    if (state === undefined) {
      state = { units: capacity, refilledAt: now }
      buckets.set(key, state)
    }
    const flowed = Math.floor((now - state.refilledAt) / refillMs)
    if (flowed > 0) {
      state.units = Math.min(capacity, state.units + flowed)
      state.refilledAt += flowed * refillMs
    }
    if (state.units >= capacity) state.refilledAt = now
    return state
  }
  return {
    accepts: (charge: BucketCharge, now: number): boolean => refill(charge, now).units >= charge.units,
    /** Takes the units, or none if refused. `now` is monotonic milliseconds. */
    charge: (charge: BucketCharge, now: number): Charged => {
      const state = refill(charge, now)
      const remaining = state.units - charge.units
      if (remaining >= 0) state.units = remaining
      return toBucketCharged(charge, remaining, Math.max(0, now - state.refilledAt))
    }
  }
}
