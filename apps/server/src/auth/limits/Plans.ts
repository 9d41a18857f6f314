import { QuotaExceeded, RateLimited } from "@chaintape/core"
import { type Effect, Metric } from "effect"
import { dayMs } from "../../internal/day.ts"
import { addressBlock } from "../CallerAddress.ts"
import type { VerifiedKey } from "../keys/ApiKeys.ts"
import { type Bucket, bucketCharge, type Charge, type Charged, dayCharge } from "./MemoryLimits.ts"

/** The limits of a key. */
export interface Plan extends Bucket {
  /** The quota per UTC day. */
  readonly perDay?: number
  /** Concurrent requests on one instance. */
  readonly concurrency?: number
}

export interface Limits {
  /** By name. `default` applies to every key without a plan. */
  readonly plans: { readonly [name: string]: Plan }
  /** All keys used by one address. */
  readonly address: Bucket
  /** Wrong keys from one address. */
  readonly wrongKeys: Bucket
  /** Requests from one address that no key pays for. */
  readonly withoutKey: Bucket
  /** Connections per address, unless it is a proxy. */
  readonly connectionsPerAddress: number
  /** Concurrent live streams on one instance. */
  readonly subscribers: number
}

const standardSubscribers = 2000

const standardPlan: Plan = { burst: 300, perSecond: 100 }

/** How many keys of the default plan an address may use up at once, by default. */
const plansPerAddress = 3

/**
 * The configured plans, with defaults. By default an address has three times the default plan for its keys, and the same
 * again without a key.
 */
export const toLimits = (given: Partial<Limits> = {}): Limits => {
  const plans = { default: standardPlan, ...given.plans }
  const { burst, perSecond } = plans.default
  const address = given.address ?? { burst: plansPerAddress * burst, perSecond: plansPerAddress * perSecond }
  return {
    plans,
    address,
    wrongKeys: given.wrongKeys ?? { burst: 20, perSecond: 0.2 },
    withoutKey: given.withoutKey ?? address,
    connectionsPerAddress: given.connectionsPerAddress ?? 1024,
    subscribers: given.subscribers ?? standardSubscribers
  }
}

/** A plan that is no longer configured falls back to the default. */
export const getPlan = (
  { plans }: Limits,
  name: string | undefined
): { readonly name: string; readonly plan: Plan } => {
  const found = name === undefined || !Object.hasOwn(plans, name) ? undefined : plans[name]
  return found === undefined || name === undefined
    ? { name: "default", plan: plans["default"] ?? standardPlan }
    : { name, plan: found }
}

/** `quota` units that are available again after `windowMs`. */
interface Policy {
  readonly name: string
  readonly quota: number
  readonly windowMs: number
}

/** The headers of a caller's budgets. They belong to one request: `ResponseCache` leaves them out. */
export const budgetHeaderNames = [
  "ratelimit",
  "ratelimit-policy",
  "ratelimit-limit",
  "ratelimit-remaining",
  "ratelimit-reset"
] as const

export type BudgetHeaders = { readonly [Name in (typeof budgetHeaderNames)[number]]?: string }

const seconds = (ms: number) => Math.ceil(ms / 1000)

/** The header of a caller's policies. */
export const toPolicyHeader = (policies: ReadonlyArray<Policy>): string =>
  policies.map(({ name, quota, windowMs }) => `"${name}";q=${quota};w=${seconds(windowMs)}`).join(", ")

const refusals = Metric.counter("chaintape_limit_refusals_total", {
  description: "Requests that a limit turned away",
  incremental: true
})

/** Which limit of which plan. */
export const countRefusal = (
  plan: string,
  limit: "burst" | "address" | "concurrency" | "day" | "wrong-keys" | "keyless"
): Effect.Effect<void> => Metric.update(Metric.withAttributes(refusals, { plan, limit }), 1)

export type Refusal = RateLimited | QuotaExceeded

const budgetExceeded = (whose: string, { burst, perSecond }: Bucket, retryAfterMs: number) =>
  new RateLimited({
    retryAfterMs,
    detail:
      `${whose} has used up its budget of ${burst} requests, to which ${perSecond} a second are added: ` +
      `wait ${retryAfterMs} ms.`
  })

const quotaExceeded = (perDay: number, retryAfterMs: number) =>
  new QuotaExceeded({
    retryAfterMs,
    detail: `The key has used up its ${perDay} requests of this UTC day: wait until the next one begins.`
  })

/** A request with a valid key. */
export interface KeyedRequest {
  readonly caller: Pick<VerifiedKey, "id" | "plan">
  readonly address: string
  /** `group.name`. */
  readonly operation: string
  /** The parameter `limit`. */
  readonly limit: string | ReadonlyArray<string> | undefined
}

/** A limit with its budget in headers, and its problem. */
interface Limit {
  readonly kind: Parameters<typeof countRefusal>[1]
  readonly policy: Policy
  readonly charge: (request: KeyedRequest, cost: number) => Charge
  readonly toRefusal: (waitMs: number) => Refusal
}

const bucketLimit = (
  name: string,
  kind: Limit["kind"],
  whose: string,
  bucket: Bucket,
  toKey: (request: KeyedRequest) => string
): Limit => ({
  kind,
  policy: { name, quota: bucket.burst, windowMs: (bucket.burst / bucket.perSecond) * 1000 },
  charge: (request, cost) => bucketCharge(toKey(request), bucket, cost),
  toRefusal: (waitMs) => budgetExceeded(whose, bucket, waitMs)
})

const dayLimit = (plan: string, perDay: number): Limit => ({
  kind: "day",
  policy: { name: `${plan}-day`, quota: perDay, windowMs: dayMs },
  charge: ({ caller }, cost) => dayCharge(caller.id, perDay, cost),
  toRefusal: (waitMs) => quotaExceeded(perDay, waitMs)
})

/** The limits of a plan, in the order in which a request passes them. Concurrency comes between the two lists. */
export interface PlanLimits {
  readonly name: string
  readonly plan: Plan
  readonly buckets: ReadonlyArray<Limit>
  readonly all: ReadonlyArray<Limit>
  /** The header of all of them. In every response, whether or not this request was checked against them. */
  readonly policy: string
}

const toPlanLimits = (name: string, plan: Plan, address: Bucket): PlanLimits => {
  const buckets = [
    bucketLimit(name, "burst", "The key", plan, ({ caller }) => `key:${caller.id}`),
    bucketLimit("address", "address", "The address", address, (request) => `address:${addressBlock(request.address)}`)
  ]
  const all = plan.perDay === undefined ? buckets : [...buckets, dayLimit(name, plan.perDay)]
  return { name, plan, buckets, all, policy: toPolicyHeader(all.map(({ policy }) => policy)) }
}

/** Finds the limits of the plan with this name. */
export const makeFindPlan = (limits: Limits) => {
  const known = new Map<string, PlanLimits>()
  return (wanted: string | undefined): PlanLimits => {
    const { name, plan } = getPlan(limits, wanted)
    const found = known.get(name) ?? toPlanLimits(name, plan, limits.address)
    known.set(name, found)
    return found
  }
}

/** The rest of the budget. `waitMs` is the time until it is full again, or until a rejected request may be retried. */
interface Budget extends Omit<Policy, "windowMs"> {
  readonly remaining: number
  readonly waitMs: number
}

/** The header of all policies, and the budget with the least left. */
export const budgetHeaders = (policy: string, budgets: ReadonlyArray<Budget>): BudgetHeaders => {
  const tightest = budgets.reduce<Budget | undefined>(
    (least, one) => (least === undefined || one.remaining < least.remaining ? one : least),
    undefined
  )
  if (tightest === undefined) return { "ratelimit-policy": policy }
  const { name, quota, waitMs } = tightest
  const remaining = Math.max(0, Math.floor(tightest.remaining))
  const reset = seconds(waitMs)
  return {
    "ratelimit-policy": policy,
    ratelimit: `"${name}";r=${remaining};t=${reset}`,
    "ratelimit-limit": String(quota),
    "ratelimit-remaining": String(remaining),
    "ratelimit-reset": String(reset)
  }
}

/** The headers of these limits after their charges. */
export const toHeaders = (
  { policy }: PlanLimits,
  limits: ReadonlyArray<Limit>,
  charged: ReadonlyArray<Charged>
): BudgetHeaders =>
  budgetHeaders(
    policy,
    charged.flatMap(({ remaining, waitMs }, index) => {
      const limit = limits[index]
      return limit === undefined ? [] : [{ name: limit.policy.name, quota: limit.policy.quota, remaining, waitMs }]
    })
  )
