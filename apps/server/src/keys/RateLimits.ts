import { operations } from "@chaintape/core/api/Api"
import { Caller, RateLimit } from "@chaintape/core/api/Authorization"
import { QuotaExceeded, RateLimited } from "@chaintape/core/problem/Problem"
import { Context, Duration, Effect, Layer, Predicate } from "effect"
import type { Scope } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import { RateLimiter } from "effect/persistence"
import { addressBlock } from "./AddressBlock.ts"
import { ApiKeys } from "./ApiKeys.ts"
import { budgetHeaders, type Budget, type Policy } from "./BudgetHeaders.ts"
import { CallerAddress } from "./CallerAddress.ts"
import { countRefusal, countRequest, makeKeyLabels } from "./KeyMetrics.ts"
import type { Left, Taking } from "./MemoryLimitStore.ts"
import { makePlaces } from "./Places.ts"
import { type Bucket, type Limits, type Plan, planOf } from "./Plans.ts"
import { QuickEntry } from "./QuickEntry.ts"
import { Quotas } from "./Quotas.ts"
import * as SharedLimitStore from "./SharedLimitStore.ts"
import { Usage } from "./Usage.ts"

const largestLimits = new Map(
  operations.map(({ group, name, query }) => {
    const limit = "limit" in query ? query.limit.json["maximum"] : undefined
    return [`${group}.${name}`, Predicate.isNumber(limit) ? limit : 0]
  })
)

/** One for the request, and one for each full thousand of rows asked for, where the operation has a limit. */
const costOf = (operation: string, limit: string | ReadonlyArray<string> | undefined): number => {
  const rows = typeof limit === "string" && /^[1-9]\d{0,5}$/.test(limit) ? Number(limit) : 0
  return rows <= (largestLimits.get(operation) ?? 0) ? 1 + Math.floor(rows / 1000) : 1
}

const millis = (duration: Duration.Duration) => Math.max(1, Math.ceil(Duration.toMillis(duration)))

/** How soon a key whose requests are all under way may try again. */
const placesRetry = 200

type Refusal = RateLimited | QuotaExceeded

/** What became of one limit: what is left, and why the request is refused, if it is. */
interface Outcome {
  readonly budget?: Budget
  readonly refusal?: Refusal
}

const usedUp = (whose: string, { burst, perSecond }: Bucket, wait: Duration.Duration) =>
  new RateLimited({
    retryAfterMs: millis(wait),
    detail:
      `${whose} has used up its budget of ${burst} requests, to which ${perSecond} a second are added: ` +
      `wait ${millis(wait)} ms.`
  })

const dayUsedUp = (perDay: number, wait: Duration.Duration) =>
  new QuotaExceeded({
    retryAfterMs: millis(wait),
    detail: `The key has used up its ${perDay} requests of this UTC day: wait until the next one begins.`
  })

const allUnderWay = (concurrency: number) =>
  new RateLimited({
    retryAfterMs: placesRetry,
    detail: `The key has ${concurrency} requests under way, as many as it may have at once: wait for one of them.`
  })

const windowMsOf = ({ burst, perSecond }: Bucket) => (burst / perSecond) * 1000

const makeLimits = Effect.gen(function* () {
  const limiter = yield* RateLimiter.RateLimiter
  const quotas = yield* Quotas
  const places = makePlaces()
  /** The larger requests are never refused for their size alone: they wait for a full bucket. */
  const bucket = (key: string, name: string, whose: string, size: Bucket, cost: number): Effect.Effect<Outcome> => {
    const budget = (remaining: number, wait: Duration.Duration): Budget => ({
      name,
      quota: size.burst,
      remaining,
      waitMs: Duration.toMillis(wait)
    })
    return limiter
      .consume({
        algorithm: "token-bucket",
        onExceeded: "fail",
        key,
        limit: size.burst,
        window: Duration.millis(windowMsOf(size)),
        tokens: Math.min(cost, size.burst)
      })
      .pipe(
        Effect.map(({ remaining, resetAfter }): Outcome => ({ budget: budget(remaining, resetAfter) })),
        Effect.catch(({ reason }) =>
          reason._tag === "RateLimitExceeded"
            ? Effect.succeed({ budget: budget(0, reason.retryAfter), refusal: usedUp(whose, size, reason.retryAfter) })
            : Effect.die(reason)
        )
      )
  }
  const day = (keyId: string, plan: string, perDay: number, cost: number): Effect.Effect<Outcome> =>
    Effect.map(quotas.take(keyId, cost, perDay), ({ refused, remaining, wait }) => ({
      budget: { name: `${plan}-day`, quota: perDay, remaining, waitMs: Duration.toMillis(wait) },
      ...(refused ? { refusal: dayUsedUp(perDay, wait) } : {})
    }))
  const place = (keyId: string, concurrency: number) =>
    Effect.map(places.take(keyId, concurrency), (taken): Outcome =>
      taken ? {} : { refusal: allUnderWay(concurrency) }
    )
  return { bucket, day, place }
})

/** A limit, and what comes of it. */
type Step = readonly [kind: Parameters<typeof countRefusal>[1], outcome: Effect.Effect<Outcome, never, Scope.Scope>]

/** What every answer tells as the policy, whether or not this request has met it. */
const makePolicies = (address: Bucket) => {
  const made = new Map<string, ReadonlyArray<Policy>>()
  return (name: string, plan: Plan): ReadonlyArray<Policy> => {
    const known = made.get(name) ?? [
      { name, quota: plan.burst, windowMs: windowMsOf(plan) },
      { name: "address", quota: address.burst, windowMs: windowMsOf(address) },
      ...(plan.perDay === undefined ? [] : [{ name: `${name}-day`, quota: plan.perDay, windowMs: 86_400_000 }])
    ]
    made.set(name, known)
    return known
  }
}

const flat = (headers: Readonly<Record<string, string>>): ReadonlyArray<string> => {
  const all: Array<string> = []
  for (const name in headers) all.push(name, headers[name] ?? "")
  return all
}

const takingOf = (key: string, bucket: Bucket, cost: number): Taking => ({
  key,
  tokens: Math.min(cost, bucket.burst),
  limit: bucket.burst,
  refillMs: windowMsOf(bucket) / bucket.burst
})

const leftOf = (name: string, { burst }: Bucket, left: Left | undefined): Budget => ({
  name,
  quota: burst,
  remaining: left?.remaining ?? 0,
  waitMs: left?.resetMs ?? 0
})

/** Charges each request to its key and its address, and tells every caller what is left. */
export const layer = (limits: Limits) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const addresses = yield* CallerAddress
      const keys = yield* ApiKeys
      const near = yield* SharedLimitStore.NearLimits
      const usage = yield* Usage
      const labelOf = makeKeyLabels()
      const { bucket, day, place } = yield* makeLimits
      const policiesOf = makePolicies(limits.address)
      const quick = QuickEntry.of({
        enter: ({ address, group, key, limit, operation }) => {
          const caller = keys.recall(key)
          if (caller === undefined || caller.scopes?.includes(group) === false) return undefined
          const { name, plan } = planOf(limits, caller.plan)
          // Held until the answer is sent, and asked of what is written: not without waiting.
          if (plan.concurrency !== undefined || plan.perDay !== undefined) return undefined
          const cost = costOf(`${group}.${operation}`, limit)
          const left = near.take([
            takingOf(`key:${caller.id}`, plan, cost),
            takingOf(`address:${addressBlock(address)}`, limits.address, cost)
          ])
          if (left === undefined) return undefined
          usage.record(caller.id, { cost, refused: false })
          const budgets = [leftOf(name, plan, left[0]), leftOf("address", limits.address, left[1])]
          return { headers: flat(budgetHeaders(policiesOf(name, plan), budgets)), label: labelOf(caller.id) }
        }
      })
      const limit = RateLimit.of((app, { endpoint, group }) =>
        Effect.gen(function* () {
          const { keyId, plan: planName } = yield* Caller
          const request = yield* HttpServerRequest.HttpServerRequest
          const { limit } = yield* HttpServerRequest.ParsedSearchParams
          const { name, plan } = planOf(limits, planName)
          const cost = costOf(`${group.identifier}.${endpoint.identifier}`, limit)
          const block = addressBlock(addresses.of(request))
          // A request goes through them in this order until one refuses it.
          const steps: Array<Step> = [
            ["burst", bucket(`key:${keyId}`, name, "The key", plan, cost)],
            ["address", bucket(`address:${block}`, "address", "The address", limits.address, cost)]
          ]
          if (plan.concurrency !== undefined) steps.push(["concurrency", place(keyId, plan.concurrency)])
          if (plan.perDay !== undefined) steps.push(["day", day(keyId, name, plan.perDay, cost)])
          const budgets: Array<Budget> = []
          let refusal: Refusal | undefined
          for (const [kind, step] of steps) {
            const outcome: Outcome = yield* step
            if (outcome.budget !== undefined) budgets.push(outcome.budget)
            refusal = outcome.refusal
            if (refusal === undefined) continue
            yield* countRefusal(name, kind)
            break
          }
          const refused = refusal !== undefined
          usage.record(keyId, { cost: refused ? 0 : cost, refused })
          yield* HttpEffect.appendPreResponseHandler((_request, response) =>
            Effect.as(
              countRequest(labelOf(keyId), response.status),
              HttpServerResponse.setHeaders(response, budgetHeaders(policiesOf(name, plan), budgets))
            )
          )
          return yield* refusal === undefined ? app : Effect.fail(refusal)
        })
      )
      return Context.make(RateLimit, limit).pipe(Context.add(QuickEntry, quick))
    })
  ).pipe(Layer.provide(Quotas.layer), Layer.provide(RateLimiter.layer), Layer.provide(SharedLimitStore.layer))
