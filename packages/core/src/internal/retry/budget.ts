import type * as Headers from "effect/http/Headers"

/** Units assumed before the first response. */
const startingUnits = 1

/** Seconds. A limit that takes longer to refill is not applied here: a daily quota is rejected, not waited for. */
const maxWindow = 3600

/** A unit in reserve, because the clocks on both sides truncate to milliseconds. */
const reserve = 1

/** The smallest of the limits is used for all: `"default";q=300;w=3, "address";q=900;w=3`. The rate is per millisecond. */
const parsePolicy = (policy: string): { readonly size: number; readonly rate: number } => {
  let size = Infinity
  let rate = Infinity
  for (const [, quota, window] of policy.matchAll(/;\s*q=(\d+)\s*;\s*w=(\d+)/g)) {
    if (Number(window) > maxWindow) continue
    size = Math.min(size, Number(quota))
    rate = Math.min(rate, Number(quota) / Math.max(1, Number(window)) / 1000)
  }
  return { size, rate }
}

/**
 * A lower bound of the key's budget: it refills as slowly as the slowest limit, and excludes attempts in progress,
 * which the service may still charge. All times are milliseconds.
 */
export const makeBudget = () => {
  let size = startingUnits
  let rate = 0
  let left = startingUnits
  /** When `left` was computed. */
  let leftAt = 0
  /** The units of the attempts in progress. */
  let inProgress = 0
  /** Whether a response has stated the budget. */
  let isKnown = false
  /** Whether the newest attempt began while no other was in progress. */
  let isAlone = false
  /** The remaining units that the response to such an attempt stated. */
  let stated: number | undefined

  const refill = (now: number) => {
    left = Math.min(size - inProgress, left + (now - leftAt) * rate)
    leftAt = now
  }

  /** Assumes this budget, without a rate, until a response states one. */
  const assume = (units: number) => {
    if (isKnown) return
    size = units
    left = units - inProgress
  }

  /** The time until an attempt is affordable after others; infinite if a response has to come first. */
  const getWait = (units: number, before = 0) => {
    const missing = before + Math.min(units + reserve, size) - left
    return missing > 0 ? Math.ceil(missing / rate) : 0
  }

  /** Begins an attempt, and returns what it costs: at most the whole budget. */
  const charge = (units: number) => {
    const charged = Math.min(units, size)
    if (charged > 0) {
      isAlone = inProgress === 0
      stated = undefined
      left -= charged
      inProgress += charged
    }
    return charged
  }

  /** Ends an attempt that was charged. */
  const release = (charged: number) => {
    inProgress -= charged
    left = isKnown ? (stated ?? left) : size - inProgress
    // An attempt sent without waiting may have been rejected: nothing is certain to be left.
    if (inProgress === 0) left = Math.max(left, 0)
  }

  /** Reads the headers of a response, including a problem, and returns whether they state the budget. */
  const observe = (headers: Headers.Headers, now: number) => {
    const policy = parsePolicy(headers["ratelimit-policy"] ?? "")
    // Not a number without the header.
    const remaining = Number(/;\s*r=(\d+)/.exec(headers["ratelimit"] ?? "")?.[1])
    if (!(policy.size > 0 && policy.size < Infinity && remaining >= 0)) return false
    size = policy.size
    rate = policy.rate
    if (isKnown) refill(now)
    // The service may not have charged the other attempts yet that are in progress at the first response.
    left = isKnown ? Math.min(left, remaining) : remaining - (isAlone ? 0 : inProgress - 1)
    stated = isAlone ? remaining : undefined
    leftAt = now
    isKnown = true
    return true
  }

  return { refill, assume, getWait, charge, release, observe }
}
