import { RateLimited } from "@chaintape/core"
import { Context, Effect, Layer, Metric } from "effect"
import { makeKeyedSlots } from "../../internal/concurrency/Slots.ts"
import { getMaxLimit } from "../../internal/getMaxLimit.ts"
import { Usage } from "../usage/Usage.ts"
import type { BudgetHeaders } from "./BudgetHeaders.ts"
import { countRefusal } from "./countRefusal.ts"
import { Limiter } from "./Limiter.ts"
import { type Charged, toRetryAfterMs } from "./MemoryLimits.ts"
import { makeFindPlan, toHeaders } from "./PlanLimits.ts"
import type { KeyedRequest, PlanLimits, Refusal } from "./PlanLimits.ts"
import type { Limits, Plan } from "./Plans.ts"

const toRequests = (key: string, status: number) =>
  Metric.counter("chaintape_key_requests_total", {
    description: "Requests of keys, by the id of the key",
    incremental: true,
    attributes: { key, status: String(status) }
  })

/** Keys with time series of their own; all others share those of `other`. */
const maxKeys = 1000

/** Counts a response to a request of one key. */
export type CountResponse = (status: number, context: Context.Context<never>) => void

/** A key has few statuses, and assembling a series costs more than counting. */
const makeCountResponse = (key: string): CountResponse => {
  const series = new Map<number, ReturnType<typeof toRequests>>()
  return (status, context) => {
    const known = series.get(status) ?? toRequests(key, status)
    series.set(status, known)
    known.updateUnsafe(1, context)
  }
}

/** The counts of a key by its id. The keys that are used first have time series of their own. */
export const makeKeyCounts = () => {
  const counts = new Map<string, CountResponse>()
  const others = makeCountResponse("other")
  return (key: string): CountResponse => {
    const known = counts.get(key)
    if (known !== undefined || counts.size >= maxKeys) return known ?? others
    const count = makeCountResponse(key)
    counts.set(key, count)
    return count
  }
}

/** The result of all limits of a request. */
export interface Admission {
  /** The rest of the budgets; of the limit that refused the request, if one did. */
  readonly headers: BudgetHeaders
  readonly countResponse: CountResponse
  /** To be called when the response has ended. */
  readonly release: (() => void) | undefined
  readonly refusal: Refusal | undefined
}

/**
 * One per request, plus one for each full thousand rows of `limit`, if the operation has it. `getUnits` of the client
 * computes the same from a decoded request, without the table of operations, which would add to each bundle.
 */
export const toCost = ({ limit, operation }: Pick<KeyedRequest, "limit" | "operation">): number => {
  const rows = typeof limit === "string" && /^[1-9]\d{0,5}$/.test(limit) ? Number(limit) : 0
  return rows <= getMaxLimit(operation) ? 1 + Math.floor(rows / 1000) : 1
}

/** The delay before a key whose concurrency is exhausted may retry. */
const slotRetryMs = 200

const allUnderWay = (concurrency: number) =>
  new RateLimited({
    retryAfterMs: slotRetryMs,
    detail: `The key has ${concurrency} concurrent requests, the limit of its plan: wait until one of them ends.`
  })

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
  return {
    limiter,
    usage,
    toCountResponse,
    findPlan: makeFindPlan(limits),
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
    const planLimits = findPlan(request.caller.plan)
    const cost = toCost(request)
    const slot = takeSlot(request, planLimits.plan)
    const passed = slot === undefined ? planLimits.buckets : planLimits.all
    const charged = yield* limiter
      .charge(passed.map(({ charge }) => charge(request, cost)))
      .pipe(Effect.onError(() => Effect.sync(() => slot?.release?.())))
    const last = charged.at(-1)
    const refused = last?.isRefused === true ? passed[charged.length - 1] : undefined
    if (refused === undefined && slot !== undefined) return accept(request, planLimits, cost, charged, slot)
    slot?.release?.()
    yield* countRefusal(planLimits.name, refused?.kind ?? "concurrency")
    usage.record(request.caller.id, { operation: request.operation, cost: 0, refused: true })
    const waitMs = toRetryAfterMs(last?.waitMs ?? 0)
    const described = refused === undefined ? 0 : charged.length - 1
    return {
      // It waits for the limit that refused it, which need not be the one with the least left.
      headers: toHeaders(planLimits, passed.slice(described), charged.slice(described)),
      countResponse: toCountResponse(request.caller.id),
      release: undefined,
      refusal: refused?.toRefusal(waitMs) ?? allUnderWay(planLimits.plan.concurrency ?? 0)
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
    const planLimits = findPlan(request.caller.plan)
    const cost = toCost(request)
    const charges = planLimits.all.map(({ charge }) => charge(request, cost))
    const slot = takeSlot(request, planLimits.plan)
    if (slot === undefined) return { _tag: "Sync", admission: undefined }
    const finish = (charged: ReadonlyArray<Charged> | undefined): Admission | undefined => {
      if (charged !== undefined) return accept(request, planLimits, cost, charged, slot)
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
