import type * as Headers from "effect/http/Headers"

/**
 * Concurrent attempts: eight ended ones allow one more. A service that has just started, and whose code is not compiled
 * yet, rejects what it could not answer within milliseconds.
 */
const fewestAtOnce = 8
const maxAtOnce = 32
const growth = 1 / 8

/** Units of budget assumed before the first response. */
const startingUnits = 1
/** Units assumed once the first response takes longer than `longestFirst`: a slow operation does not delay the others. */
const laterUnits = 100
/** Milliseconds. */
export const longestFirst = 2000

/** Seconds. A limit that takes longer to refill is not paced: a daily quota is rejected, not waited for. */
const longestWindow = 3600

/** A unit in reserve, because the clocks on both sides truncate to milliseconds. */
const reserve = 1

/** The size in units, and the rate in units per millisecond. */
interface Bucket {
  readonly size: number
  readonly rate: number
}

/** The smallest of the limits is used for all: `"default";q=300;w=3, "address";q=900;w=3`. */
const parsePolicy = (policy: string): Bucket | undefined => {
  let [size, rate] = [Infinity, Infinity]
  for (const [, quota, window] of policy.matchAll(/;\s*q=(\d+)\s*;\s*w=(\d+)/g)) {
    if (Number(window) > longestWindow) continue
    size = Math.min(size, Number(quota))
    rate = Math.min(rate, Number(quota) / Math.max(1, Number(window)) / 1000)
  }
  return size > 0 && size < Infinity ? { size, rate } : undefined
}

const parseRemaining = (budget: string): number | undefined => {
  const remaining = /;\s*r=(\d+)/.exec(budget)?.[1]
  return remaining === undefined ? undefined : Number(remaining)
}

/**
 * A lower bound of what a key may still send: it refills as slowly as the slowest limit, and excludes attempts in
 * progress, which the service may still charge. Times are in milliseconds.
 */
export interface Budget {
  /** Whether no response has come yet, and the first one is not late: one attempt at a time. */
  readonly isStarting: () => boolean
  readonly refill: (now: number) => void
  /**
   * Milliseconds until an attempt of this cost is allowed, after others of the cost `before`; undefined if a response
   * has to come first.
   */
  readonly waitFor: (units: number, before?: number) => number | undefined
  /** Charges an attempt that begins, and returns what it was charged: never more than the whole budget. */
  readonly charge: (units: number, now: number) => number
  /** Ends an attempt that was charged this much. */
  readonly release: (charged: number) => void
  /** Reads the headers of a response, including a problem; false if they state no budget. */
  readonly observe: (headers: Headers.Headers, now: number) => boolean
  /** A success whose headers state no budget: the service has none. */
  readonly lift: () => void
}

export const makeBudget = (): Budget => {
  let bucket: Bucket = { size: startingUnits, rate: 0 }
  /** Whether a response has stated the bucket. */
  let isKnown = false
  let left = startingUnits
  /** The time of `left`. */
  let at = 0
  /** The units and the number of attempts in progress, and how many are allowed. */
  let underWay = 0
  let attempts = 0
  let atOnce = fewestAtOnce
  /** When the first attempt began. */
  let begun: number | undefined
  /** What the newest response stated to be left. */
  let stated: number | undefined
  /** Whether the newest attempt began while no other was in progress. */
  let isAlone = false

  const isStarting = () => !isKnown && bucket.size === startingUnits

  const refill = (now: number) => {
    if (begun !== undefined && isStarting() && now - begun >= longestFirst) {
      bucket = { size: laterUnits, rate: 0 }
      left += laterUnits - startingUnits
      atOnce = maxAtOnce
    }
    left = Math.min(bucket.size - underWay, left + (now - at) * bucket.rate)
    at = now
  }

  return {
    isStarting,
    refill,
    waitFor: (units, before = 0) => {
      const missing = before + Math.min(units + reserve, bucket.size) - left
      if (missing > 0) return bucket.rate === 0 ? undefined : Math.ceil(missing / bucket.rate)
      return attempts + 1 <= atOnce ? 0 : undefined
    },
    charge: (units, now) => {
      begun ??= now
      const charged = Math.min(units, bucket.size)
      if (charged === 0) return 0
      isAlone = underWay === 0
      stated = undefined
      left -= charged
      underWay += charged
      attempts++
      return charged
    },
    release: (charged) => {
      underWay -= charged
      attempts--
      atOnce = Math.min(atOnce + growth, maxAtOnce)
      if (!isKnown) left += charged
      else if (isAlone && stated !== undefined) left = stated
      // An attempt sent without waiting may have been rejected: nothing is certain to be left.
      if (underWay === 0) left = Math.max(left, 0)
    },
    observe: (headers, now) => {
      const known = parsePolicy(headers["ratelimit-policy"] ?? "")
      const remaining = parseRemaining(headers["ratelimit"] ?? "")
      if (known === undefined || remaining === undefined) return false
      bucket = known
      stated = remaining
      if (isKnown) refill(now)
      // The service may not have charged the other attempts yet that are in progress at the first response.
      left = isKnown ? Math.min(left, remaining) : remaining - (isAlone ? 0 : underWay - 1)
      at = now
      isKnown = true
      return true
    },
    lift: () => {
      if (isKnown) return
      bucket = { size: Infinity, rate: 0 }
      left = Infinity
    }
  }
}
