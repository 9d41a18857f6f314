import { operations } from "@chaintape/core/api/Api"
import { Caller, RateLimit } from "@chaintape/core/api/Authorization"
import { RateLimited } from "@chaintape/core/problem/Problem"
import { Duration, Effect, Layer, Predicate } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import { RateLimiter } from "effect/persistence"

/** A bucket of `quota` requests that is full again after `window`. */
export interface Plan {
  readonly name: string
  readonly quota: number
  readonly window: Duration.Duration
}

export const standardPlan: Plan = { name: "default", quota: 300, window: Duration.seconds(3) }

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

const seconds = (duration: Duration.Duration) => Math.ceil(Duration.toSeconds(duration))

const budgetHeaders = (plan: Plan, remaining: number, resetAfter: Duration.Duration) => ({
  "ratelimit-policy": `"${plan.name}";q=${plan.quota};w=${seconds(plan.window)}`,
  ratelimit: `"${plan.name}";r=${remaining};t=${seconds(resetAfter)}`,
  "ratelimit-limit": String(plan.quota),
  "ratelimit-remaining": String(remaining),
  "ratelimit-reset": String(seconds(resetAfter))
})

/** The larger requests are never refused for their size alone: they wait for a full bucket. */
const charge = (plan: Plan, cost: number) => Math.min(cost, plan.quota)

/** Charges each request to its key, and tells every caller what is left. */
export const layer = (plan: Plan) =>
  Layer.effect(
    RateLimit,
    Effect.gen(function* () {
      const limiter = yield* RateLimiter.RateLimiter
      const consume = (key: string, cost: number) =>
        limiter.consume({
          algorithm: "token-bucket",
          onExceeded: "fail",
          key,
          limit: plan.quota,
          window: plan.window,
          tokens: charge(plan, cost)
        })
      return RateLimit.of((app, { endpoint, group }) =>
        Effect.gen(function* () {
          const { keyId } = yield* Caller
          const { limit } = yield* HttpServerRequest.ParsedSearchParams
          const state = yield* consume(keyId, costOf(`${group.identifier}.${endpoint.identifier}`, limit)).pipe(
            Effect.map(({ remaining, resetAfter }) => ({ refused: false, remaining, wait: resetAfter })),
            Effect.catch(({ reason }) =>
              reason._tag === "RateLimitExceeded"
                ? Effect.succeed({ refused: true, remaining: reason.remaining, wait: reason.retryAfter })
                : Effect.die(reason)
            )
          )
          yield* HttpEffect.appendPreResponseHandler((_request, response) =>
            Effect.succeed(
              HttpServerResponse.setHeaders(response, budgetHeaders(plan, Math.floor(state.remaining), state.wait))
            )
          )
          if (!state.refused) return yield* app
          const retryAfterMs = Math.max(1, Math.ceil(Duration.toMillis(state.wait)))
          return yield* new RateLimited({
            retryAfterMs,
            detail:
              `The key has used up its budget of ${plan.quota} requests in ${seconds(plan.window)} s: ` +
              `wait ${retryAfterMs} ms.`
          })
        })
      )
    })
  ).pipe(Layer.provide(RateLimiter.layer), Layer.provide(RateLimiter.layerStoreMemory))
