import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Admissions } from "../../../src/auth/limits/Admissions.ts"
import { Limiter } from "../../../src/auth/limits/Limiter.ts"
import { toLimits } from "../../../src/auth/limits/Plans.ts"
import type { Plan } from "../../../src/auth/limits/Plans.ts"
import { Usage } from "../../../src/auth/usage/Usage.ts"
import { RedisLink } from "../../../src/store/RedisLink.ts"
import { usageInMemory } from "../../RunningService.ts"

const limits = toLimits({ plans: { default: { burst: 10, perSecond: 10, concurrency: 1 } } })
const usage = Usage.layer.pipe(Layer.provide(usageInMemory))

const request = {
  caller: { id: "one", plan: undefined },
  address: "192.0.2.1",
  operation: "cex.trades",
  limit: undefined
}

describe("the slot of a request", () => {
  it.effect("is free again where charging its limits fails", () => {
    let isFailing = true
    const charge = () => (isFailing ? Effect.die(new Error("a defect of the limits")) : Effect.succeed([]))
    const limiter = Layer.mock(Limiter, {
      charge,
      chargeAll: charge,
      chargeAllNow: () => undefined,
      isLocal: () => false
    })
    return Effect.gen(function* () {
      const { admit, tryAdmit } = yield* Admissions
      yield* Effect.exit(admit(request))
      const attempt = tryAdmit(request)
      assert.strictEqual(attempt._tag, "Async")
      if (attempt._tag === "Async") yield* Effect.exit(attempt.admission)
      isFailing = false
      assert.isUndefined((yield* admit(request)).refusal)
      assert.strictEqual((yield* admit(request)).refusal?.code, "rate-limited")
    }).pipe(Effect.provide(Admissions.layer(limits).pipe(Layer.provide([limiter, usage]))))
  })
})

const layerOf = (plan: Plan) =>
  Admissions.layer(toLimits({ plans: { default: plan } })).pipe(
    Layer.provide(Limiter.layer),
    Layer.provide([usage, RedisLink.layerNone])
  )

describe("a plan without a limit of concurrency", () => {
  it.effect("leaves nothing to release, which costs every request a finalizer", () =>
    Effect.gen(function* () {
      const { admit, tryAdmit } = yield* Admissions
      assert.isUndefined((yield* admit(request)).release)
      const attempt = tryAdmit(request)
      assert.strictEqual(attempt._tag, "Sync")
      if (attempt._tag === "Sync") assert.deepInclude(attempt.admission, { refusal: undefined, release: undefined })
    }).pipe(Effect.provide(layerOf({ burst: 10, perSecond: 10 })))
  )
})

describe("the headers of a refused request", () => {
  const admissions = layerOf({ burst: 60, perSecond: 1, perDay: 55 })

  it.effect("describe the limit that refused it, even if another one has less left", () =>
    Effect.gen(function* () {
      const { admit } = yield* Admissions
      const bulk = { ...request, limit: "50000" }
      assert.strictEqual((yield* admit(bulk)).headers["ratelimit"], '"default-day";r=4;t=86400')
      yield* TestClock.adjust("45 seconds")
      const { headers, refusal } = yield* admit(bulk)
      assert.deepInclude(refusal, { code: "quota-exceeded", retryAfterMs: 86_355_000 })
      assert.strictEqual(headers["ratelimit"], '"default-day";r=4;t=86355')
    }).pipe(Effect.provide(admissions))
  )
})
