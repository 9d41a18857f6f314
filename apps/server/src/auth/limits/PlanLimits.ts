import { QuotaExceeded, RateLimited } from "@chaintape/core"
import { dayMs } from "../../internal/day.ts"
import { addressBlock } from "../CallerAddress.ts"
import type { VerifiedKey } from "../keys/ApiKeys.ts"
import { budgetHeaders, toPolicyHeader } from "./BudgetHeaders.ts"
import type { BudgetHeaders, Policy } from "./BudgetHeaders.ts"
import type { LimitKind } from "./countRefusal.ts"
import { type Bucket, bucketCharge, type Charge, type Charged, dayCharge } from "./MemoryLimits.ts"
import { getPlan, type Limits, type Plan } from "./Plans.ts"

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
  readonly kind: LimitKind
  readonly policy: Policy
  readonly charge: (request: KeyedRequest, cost: number) => Charge
  readonly toRefusal: (waitMs: number) => Refusal
}

const bucketLimit = (
  name: string,
  kind: LimitKind,
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

/** The limits of a plan, in the order in which a request is charged. */
export interface PlanLimits {
  readonly name: string
  readonly plan: Plan
  /** Charged also for a request that is refused because too many of its key run at once. */
  readonly buckets: ReadonlyArray<Limit>
  /** The buckets and the limit of the day. */
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
