import { QuotaExceeded, RateLimited } from "@chaintape/core"
import { Context, Effect, Layer } from "effect"
import { makeKeyedSlots } from "../../internal/concurrency/Slots.ts"
import { dayMs } from "../../internal/day.ts"
import { getMaxLimit } from "../../internal/getMaxLimit.ts"
import { addressBlock } from "../CallerAddress.ts"
import { type CountResponse, countRefusal, makeKeyCounts } from "../KeyMetrics.ts"
import type { VerifiedKey } from "../keys/ApiKeys.ts"
import { Usage } from "../usage/Usage.ts"
import { type Budget, budgetHeaders, type BudgetHeaders, type Policy, toPolicyHeader } from "./BudgetHeaders.ts"
import { Limiter } from "./Limiter.ts"
import { bucketCharge, type Charge, type Charged, dayCharge, toRetryAfterMs } from "./MemoryLimits.ts"
import { type Bucket, getPlan, type Limits, type Plan } from "./Plans.ts"

/** A request with a valid key. */
export interface KeyedRequest {
  readonly caller: Pick<VerifiedKey, "id" | "plan">
  readonly address: string
  /** `group.name`. */
  readonly operation: string
  /** The parameter `limit`. */
  readonly limit: string | ReadonlyArray<string> | undefined
}

type Refusal = RateLimited | QuotaExceeded

/** The result of all limits of a request. */
export interface Admission {
  /** The rest of the budgets; of the limit that refused the request, if one did. */
  readonly headers: BudgetHeaders
  readonly countResponse: CountResponse
  /** To be called when the response has ended. */
  readonly release: (() => void) | undefined
  readonly refusal: Refusal | undefined
}

/** One per request, plus one for each full thousand rows of `limit`, if the operation has it. */
const toCost = ({ limit, operation }: KeyedRequest): number => {
  const rows = typeof limit === "string" && /^[1-9]\d{0,5}$/.test(limit) ? Number(limit) : 0
  return rows <= getMaxLimit(operation) ? 1 + Math.floor(rows / 1000) : 1
}

/** The delay before a key whose concurrency is exhausted may retry. */
const slotRetryMs = 200

const usedUp = (whose: string, { burst, perSecond }: Bucket, retryAfterMs: number) =>
  new RateLimited({
    retryAfterMs,
    detail:
      `${whose} has used up its budget of ${burst} requests, to which ${perSecond} a second are added: ` +
      `wait ${retryAfterMs} ms.`
  })

const dayUsedUp = (perDay: number, retryAfterMs: number) =>
  new QuotaExceeded({
    retryAfterMs,
    detail: `The key has used up its ${perDay} requests of this UTC day: wait until the next one begins.`
  })

const allUnderWay = (concurrency: number) =>
  new RateLimited({
    retryAfterMs: slotRetryMs,
    detail: `The key has ${concurrency} concurrent requests, the limit of its plan: wait until one of them ends.`
  })

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
  toRefusal: (waitMs) => usedUp(whose, bucket, waitMs)
})

const dayLimit = (plan: string, perDay: number): Limit => ({
  kind: "day",
  policy: { name: `${plan}-day`, quota: perDay, windowMs: dayMs },
  charge: ({ caller }, cost) => dayCharge(caller.id, perDay, cost),
  toRefusal: (waitMs) => dayUsedUp(perDay, waitMs)
})

/** The limits of a plan, in the order in which a request passes them. Concurrency comes between the two lists. */
interface PlanLimits {
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

const toBudget = ({ policy: { name, quota } }: Limit, { remaining, waitMs }: Charged): Budget => ({
  name,
  quota,
  remaining,
  waitMs
})

const toHeaders = ({ policy }: PlanLimits, limits: ReadonlyArray<Limit>, charged: ReadonlyArray<Charged>) =>
  budgetHeaders(
    policy,
    charged.flatMap((one, index) => {
      const limit = limits[index]
      return limit === undefined ? [] : [toBudget(limit, one)]
    })
  )

/** A slot of a plan's concurrency; without a release, which costs each request a finalizer, if the plan does not limit it. */
interface Slot {
  readonly release: (() => void) | undefined
}

const unlimited: Slot = { release: undefined }

/** The parts that all ways to admit a request share. */
const makeShared = Effect.fnUntraced(function* (limits: Limits) {
  const limiter = yield* Limiter
  const usage = yield* Usage
  const toCountResponse = makeKeyCounts()
  const takeSlot = makeKeyedSlots()
  const known = new Map<string, PlanLimits>()
  return {
    limiter,
    usage,
    toCountResponse,
    findPlan: ({ caller }: KeyedRequest): PlanLimits => {
      const { name, plan } = getPlan(limits, caller.plan)
      const found = known.get(name) ?? toPlanLimits(name, plan, limits.address)
      known.set(name, found)
      return found
    },
    /** Takes a slot of the plan's concurrency; undefined if none is free. */
    takeSlot: ({ caller }: KeyedRequest, { concurrency }: Plan): Slot | undefined => {
      if (concurrency === undefined) return unlimited
      const release = takeSlot(caller.id, concurrency)
      return release === undefined ? undefined : { release }
    },
    accept: (
      { caller, operation }: KeyedRequest,
      plan: PlanLimits,
      cost: number,
      charged: ReadonlyArray<Charged>,
      { release }: Slot
    ): Admission => {
      usage.record(caller.id, { operation, cost, refused: false })
      return {
        headers: toHeaders(plan, plan.all, charged),
        countResponse: toCountResponse(caller.id),
        release,
        refusal: undefined
      }
    }
  }
})

type Shared = Effect.Success<ReturnType<typeof makeShared>>

/** Uninterruptible: a slot that was taken is given back. */
const makeAdmit = ({ accept, findPlan, takeSlot, limiter, toCountResponse, usage }: Shared) =>
  Effect.fnUntraced(function* (request: KeyedRequest): Effect.fn.Return<Admission> {
    const plan = findPlan(request)
    const cost = toCost(request)
    const slot = takeSlot(request, plan.plan)
    const passed = slot === undefined ? plan.buckets : plan.all
    const charged = yield* limiter
      .charge(passed.map(({ charge }) => charge(request, cost)))
      .pipe(Effect.onError(() => Effect.sync(() => slot?.release?.())))
    const last = charged.at(-1)
    const refused = last?.isRefused === true ? passed[charged.length - 1] : undefined
    if (refused === undefined && slot !== undefined) return accept(request, plan, cost, charged, slot)
    slot?.release?.()
    yield* countRefusal(plan.name, refused?.kind ?? "concurrency")
    usage.record(request.caller.id, { operation: request.operation, cost: 0, refused: true })
    const waitMs = toRetryAfterMs(last?.waitMs ?? 0)
    const described = refused === undefined ? 0 : charged.length - 1
    return {
      // It waits for the limit that refused it, which need not be the one with the least left.
      headers: toHeaders(plan, passed.slice(described), charged.slice(described)),
      countResponse: toCountResponse(request.caller.id),
      release: undefined,
      refusal: refused?.toRefusal(waitMs) ?? allUnderWay(plan.plan.concurrency ?? 0)
    }
  }, Effect.uninterruptible)

/** Has the admission of a request that no limit refuses; undefined if one does, and then nothing is charged. */
export type AdmissionAttempt =
  | { readonly _tag: "Sync"; readonly admission: Admission | undefined }
  /** The limits are in Redis or in the store. */
  | { readonly _tag: "Async"; readonly admission: Effect.Effect<Admission | undefined> }

const makeTryAdmit =
  ({ accept, findPlan, takeSlot, limiter }: Shared) =>
  (request: KeyedRequest): AdmissionAttempt => {
    const plan = findPlan(request)
    const cost = toCost(request)
    const charges = plan.all.map(({ charge }) => charge(request, cost))
    const slot = takeSlot(request, plan.plan)
    if (slot === undefined) return { _tag: "Sync", admission: undefined }
    const finish = (charged: ReadonlyArray<Charged> | undefined): Admission | undefined => {
      if (charged !== undefined) return accept(request, plan, cost, charged, slot)
      slot.release?.()
      return undefined
    }
    if (limiter.isLocal(charges)) return { _tag: "Sync", admission: finish(limiter.chargeAllNow(charges)) }
    const admission = limiter.chargeAll(charges).pipe(
      Effect.map(finish),
      Effect.onError(() => Effect.sync(() => slot.release?.()))
    )
    return { _tag: "Async", admission }
  }

/** Charges each request to its key and its address. */
export class Admissions extends Context.Service<
  Admissions,
  {
    /** The limits apply in order, until one refuses the request. */
    readonly admit: (request: KeyedRequest) => Effect.Effect<Admission>
    /** All limits apply, or none: the full pipeline says which one refuses the request. */
    readonly tryAdmit: (request: KeyedRequest) => AdmissionAttempt
  }
>()("@chaintape/server/auth/limits/Admissions") {
  static readonly layer = (limits: Limits) =>
    Layer.effect(
      Admissions,
      Effect.map(makeShared(limits), (shared) =>
        Admissions.of({ admit: makeAdmit(shared), tryAdmit: makeTryAdmit(shared) })
      )
    )
}
