import { assert, describe, it } from "@effect/vitest"
import { Context, DateTime, Effect, Layer, Metric, Option } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"
import { TestClock } from "effect/testing"
import { CallerAddress } from "../../../src/auth/CallerAddress.ts"
import { makeKeyCounts } from "../../../src/auth/limits/Admissions.ts"
import { budgetHeaders, toPolicyHeader } from "../../../src/auth/limits/BudgetHeaders.ts"
import { Limiter } from "../../../src/auth/limits/Limiter.ts"
import { bucketCharge, dayCharge, makeBuckets } from "../../../src/auth/limits/MemoryLimits.ts"
import { getPlan, toLimits } from "../../../src/auth/limits/Plans.ts"
import { UnauthenticatedRequests } from "../../../src/auth/limits/UnauthenticatedRequests.ts"
import { Usage } from "../../../src/auth/usage/Usage.ts"
import { makeKeyedSlots } from "../../../src/internal/concurrency/Slots.ts"
import { RedisLink } from "../../../src/store/RedisLink.ts"
import { usageInMemory } from "../../RunningService.ts"

const int = (minimum: number, maximum: number) =>
  Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum, maximum })))

/** Accepted charges with their times. */
interface Charge {
  readonly at: number
  readonly cost: number
}

const assertBucketLaw = (accepted: ReadonlyArray<Charge>, burst: number, perSecond: number) => {
  for (const [first, { at: from }] of accepted.entries()) {
    let sum = 0
    for (const { at, cost } of accepted.slice(first)) {
      sum += cost
      // A fraction refilled before the window began may fall into it.
      assert.isAtMost(sum, burst + (perSecond * (at - from)) / 1000 + 1, `from ${from} to ${at}`)
    }
  }
}

describe("the bucket", () => {
  it.effect.prop(
    "grants at most its size plus the refill in any window",
    [
      int(1, 40),
      int(1, 40),
      Arbitrary.array(Arbitrary.all([int(0, 40), int(1, 12)]), { minLength: 1, maxLength: 120 })
    ],
    ([burst, perSecond, arrivals]) => {
      const buckets = makeBuckets(10)
      const accepted: Array<Charge> = []
      let at = 0
      let refused = 0
      for (const [pause, cost] of arrivals) {
        at += pause
        const charge = bucketCharge("one", { burst, perSecond }, cost)
        const accepts = buckets.accepts(charge, at)
        const { isRefused } = buckets.charge(charge, at)
        assert.strictEqual(isRefused, !accepts)
        if (isRefused) refused += 1
        else accepted.push({ at, cost: charge.units })
      }
      assertBucketLaw(accepted, burst, perSecond)
      assert.strictEqual(accepted.length + refused, arrivals.length)
      assert.isAbove(accepted.length, 0)
      return Effect.void
    }
  )

  it("states when a refused charge can be repeated, and refuses it until then", () => {
    const buckets = makeBuckets(10)
    const charge = bucketCharge("one", { burst: 10, perSecond: 4 }, 8)
    assert.deepStrictEqual(buckets.charge(charge, 0), { isRefused: false, remaining: 2, waitMs: 2000 })
    assert.deepStrictEqual(buckets.charge(charge, 100), { isRefused: true, remaining: 0, waitMs: 1400 })
    assert.isTrue(buckets.charge(charge, 1499).isRefused)
    assert.deepStrictEqual(buckets.charge(charge, 1500), { isRefused: false, remaining: 0, waitMs: 2500 })
  })

  it("refills from the moment when it was last full", () => {
    const buckets = makeBuckets(10)
    const charge = bucketCharge("one", { burst: 2, perSecond: 1 }, 2)
    const refusals = [0, 2900, 4800, 4900].map((now) => buckets.charge(charge, now).isRefused)
    assert.deepStrictEqual(refusals, [false, false, true, false])
  })

  it("is stored for the most recent callers, up to the limit", () => {
    const buckets = makeBuckets(2)
    const left = (key: string) => buckets.charge(bucketCharge(key, { burst: 5, perSecond: 0.001 }, 1), 0).remaining
    assert.deepStrictEqual(["a", "b", "a", "c", "a", "b"].map(left), [4, 4, 3, 4, 2, 4])
  })
})

describe("several limits of one request", () => {
  const limiter = Limiter.layer.pipe(
    Layer.provide([Usage.layer.pipe(Layer.provide(usageInMemory)), RedisLink.layerNone])
  )
  const slow = { burst: 5, perSecond: 0.001 }
  const one = (units: number) => bucketCharge("one", slow, units)
  const two = (units: number) => bucketCharge("two", slow, units)
  const remaining = (charged: ReadonlyArray<{ readonly remaining: number }> | undefined) =>
    charged?.map((each) => each.remaining)

  it.effect("are charged in order, until one refuses", () =>
    Effect.gen(function* () {
      const { charge } = yield* Limiter
      assert.deepStrictEqual(remaining(yield* charge([one(1), two(4)])), [4, 1])
      const refused = yield* charge([one(1), two(2), dayCharge("one", 10, 1)])
      assert.deepStrictEqual(
        refused.map(({ isRefused }) => isRefused),
        [false, true]
      )
      assert.deepStrictEqual(remaining(yield* charge([one(1), two(1), dayCharge("one", 10, 1)])), [2, 0, 9])
    }).pipe(Effect.provide(Layer.fresh(limiter)))
  )

  it.effect("can be charged all or none", () =>
    Effect.gen(function* () {
      const { charge, chargeAll, chargeAllNow, isLocal } = yield* Limiter
      const day = dayCharge("one", 10, 4)
      assert.isTrue(isLocal([one(1), two(1)]))
      // What was used before is in the store.
      assert.isFalse(isLocal([one(1), day]))
      assert.deepStrictEqual(remaining(yield* chargeAll([one(1), two(4), day])), [4, 1, 6])
      assert.isTrue(isLocal([one(1), day]))
      assert.isUndefined(yield* chargeAll([one(1), two(2), day]))
      assert.isUndefined(chargeAllNow([one(5), two(1), day]))
      assert.deepStrictEqual(remaining(chargeAllNow([one(1), two(1), day])), [3, 0, 2])
      assert.isUndefined(chargeAllNow([one(1), day]))
      assert.deepStrictEqual(remaining(yield* charge([one(0), two(0), dayCharge("one", 10, 0)])), [3, 0, 2])
    }).pipe(Effect.provide(Layer.fresh(limiter)))
  )
})

describe("wrong keys", () => {
  const wrongKeys = UnauthenticatedRequests.layer(toLimits({ wrongKeys: { burst: 3, perSecond: 0.5 } })).pipe(
    Layer.provide(CallerAddress.layer())
  )

  it.effect("are counted by address, and the count decreases over time", () =>
    Effect.gen(function* () {
      const { countWrongKey, isSuspect } = yield* UnauthenticatedRequests
      const waits = (address: string) =>
        Effect.map(
          countWrongKey(address),
          Option.map(({ retryAfterMs }) => retryAfterMs)
        )
      for (let wrong = 0; wrong < 3; wrong++) {
        assert.isFalse(yield* isSuspect("192.0.2.1"))
        assert.isTrue(Option.isNone(yield* waits("192.0.2.1")))
      }
      assert.isTrue(yield* isSuspect("192.0.2.1"))
      assert.deepStrictEqual(yield* waits("192.0.2.1"), Option.some(2000))
      assert.isFalse(yield* isSuspect("192.0.2.2"))
      yield* TestClock.adjust("2 seconds")
      assert.isFalse(yield* isSuspect("192.0.2.1"))
      assert.isTrue(Option.isNone(yield* waits("192.0.2.1")))
      assert.deepStrictEqual(yield* waits("192.0.2.1"), Option.some(2000))
    }).pipe(Effect.provide(wrongKeys))
  )

  it.effect("of IPv6 addresses are counted by the /64 block", () =>
    Effect.gen(function* () {
      const { countWrongKey, isSuspect } = yield* UnauthenticatedRequests
      for (const address of ["2001:db8::1", "2001:db8::2", "2001:db8:0:0:ffff::3"]) yield* countWrongKey(address)
      assert.isTrue(yield* isSuspect("2001:db8::4"))
      assert.isFalse(yield* isSuspect("2001:db8:0:1::1"))
    }).pipe(Effect.provide(Layer.fresh(wrongKeys)))
  )

  it.effect("are remembered for a bounded number of addresses", () =>
    Effect.gen(function* () {
      const { countWrongKey, isSuspect } = yield* UnauthenticatedRequests
      for (let wrong = 0; wrong < 4; wrong++) yield* countWrongKey("192.0.2.1")
      for (let address = 0; address < 9_998; address++) yield* countWrongKey(`10.0.${address >> 8}.${address & 255}`)
      assert.isTrue(yield* isSuspect("192.0.2.1"))
      for (let address = 0; address < 10_001; address++) yield* countWrongKey(`10.1.${address >> 8}.${address & 255}`)
      assert.isFalse(yield* isSuspect("192.0.2.1"))
    }).pipe(Effect.provide(Layer.fresh(wrongKeys)))
  )
})

describe("the quota of a day", () => {
  const usage = Usage.layer.pipe(Layer.provide(usageInMemory))
  const quotas = Layer.fresh(Limiter.layer.pipe(Layer.provideMerge(Layer.merge(usage, RedisLink.layerNone))))
  const take = (key: string, units: number, perDay: number) =>
    Effect.gen(function* () {
      const [charged] = yield* (yield* Limiter).charge([dayCharge(key, perDay, units)])
      return charged
    })
  const beforeMidnight = DateTime.makeUnsafe("2026-03-01T23:59:58Z")

  it.effect("ends with the day of UTC, and starts at zero with the next one", () =>
    Effect.gen(function* () {
      const first = yield* take("one", 2, 3)
      assert.deepStrictEqual(first, { isRefused: false, remaining: 1, waitMs: 2000 })
      assert.deepInclude(yield* take("one", 2, 3), { isRefused: true, remaining: 1 })
      assert.deepInclude(yield* take("two", 2, 3), { isRefused: false, remaining: 1 })
      assert.deepInclude(yield* take("one", 1, 3), { isRefused: false, remaining: 0 })
      yield* TestClock.adjust("1999 millis")
      const last = yield* take("one", 1, 3)
      assert.deepInclude(last, { isRefused: true, waitMs: 1 })
      yield* TestClock.adjust("1 millis")
      assert.deepInclude(yield* take("one", 1, 3), { isRefused: false, remaining: 2 })
    }).pipe(
      Effect.provide(quotas),
      // Writing the usage would be due very often on the way from the year 1970.
      (test) => Effect.andThen(TestClock.setTime(DateTime.toEpochMillis(beforeMidnight)), test)
    )
  )

  it.effect("lets a request that is larger than the quota use all of it", () =>
    Effect.gen(function* () {
      assert.deepInclude(yield* take("one", 51, 10), { isRefused: false, remaining: 0 })
      assert.deepInclude(yield* take("one", 1, 10), { isRefused: true })
    }).pipe(Effect.provide(quotas))
  )

  it.effect("continues from the stored usage after a restart", () =>
    Effect.gen(function* () {
      const { record } = yield* Usage
      record("one", { operation: "cex.trades", cost: 8, refused: false })
      record("one", { operation: "cex.trades", cost: 0, refused: true })
      assert.deepInclude(yield* take("one", 2, 10), { isRefused: false, remaining: 0 })
      assert.deepInclude(yield* take("one", 1, 10), { isRefused: true })
    }).pipe(Effect.provide(quotas))
  )
})

describe("slots", () => {
  it("are as many as a key may have at once, and each is released once", () => {
    const take = makeKeyedSlots()
    const first = take("one", 2)
    const second = take("one", 2)
    assert.isDefined(first)
    assert.isUndefined(take("one", 2))
    assert.isDefined(take("two", 1))
    first?.()
    first?.()
    assert.isDefined(take("one", 2))
    assert.isUndefined(take("one", 2))
    second?.()
    assert.isDefined(take("one", 2))
  })
})

describe("slots of a busy key", () => {
  it("follow the number of its plan, which may change while requests are in flight", () => {
    const take = makeKeyedSlots()
    const first = take("one", 1)
    assert.isUndefined(take("one", 1))
    assert.isDefined(take("one", 2))
    first?.()
    assert.isUndefined(take("one", 1))
  })
})

describe("the headers", () => {
  const policy = (name: string, quota: number, seconds: number) => ({ name, quota, windowMs: seconds * 1000 })

  it("list every policy and report the tightest", () => {
    const [key, address, day] = [
      policy("default", 300, 3),
      policy("address", 900, 3),
      policy("default-day", 50, 86_400)
    ]
    const left = (of: typeof key, remaining: number) => ({ ...of, remaining, waitMs: 1500 })
    assert.deepStrictEqual(
      budgetHeaders(toPolicyHeader([key, address, day]), [left(key, 299), left(address, 600), left(day, 7.5)]),
      {
        "ratelimit-policy": '"default";q=300;w=3, "address";q=900;w=3, "default-day";q=50;w=86400',
        ratelimit: '"default-day";r=7;t=2',
        "ratelimit-limit": "50",
        "ratelimit-remaining": "7",
        "ratelimit-reset": "2"
      }
    )
    assert.strictEqual(budgetHeaders(toPolicyHeader([key]), [left(key, -3)])["ratelimit"], '"default";r=0;t=2')
  })
})

describe("plans", () => {
  it("are the standard ones without a configuration", () => {
    assert.deepStrictEqual(toLimits(), {
      plans: { default: { burst: 300, perSecond: 100 } },
      address: { burst: 900, perSecond: 300 },
      wrongKeys: { burst: 20, perSecond: 0.2 },
      withoutKey: { burst: 900, perSecond: 300 },
      connectionsPerAddress: 1024,
      subscribers: 2000
    })
  })

  it("give a key with an unknown plan the default plan", () => {
    const limits = toLimits({ plans: { large: { burst: 9, perSecond: 9 } } })
    assert.deepStrictEqual(getPlan(limits, "large"), { name: "large", plan: { burst: 9, perSecond: 9 } })
    for (const name of [undefined, "gone", "toString", "__proto__", "default"]) {
      assert.deepStrictEqual(getPlan(limits, name), { name: "default", plan: { burst: 300, perSecond: 100 } })
    }
  })
})

describe("the series of a key", () => {
  it("are its own for the first thousand keys", () => {
    const registry: Metric.MetricRegistry = new Map()
    const context = Context.make(Metric.MetricRegistry, registry)
    const getCount = makeKeyCounts()
    for (const status of [200, 200, 429]) for (let key = 0; key < 5000; key++) getCount(`key-${key}`)(status, context)
    const counts = new Map(
      [...registry.values()].map(({ attributes, hooks }) => [
        `${attributes?.["key"]} ${attributes?.["status"]}`,
        hooks.get(context).count
      ])
    )
    assert.strictEqual(counts.size, 2002)
    assert.deepStrictEqual([counts.get("key-999 200"), counts.get("key-999 429")], [2, 1])
    assert.deepStrictEqual([counts.get("other 200"), counts.get("other 429")], [8000, 4000])
    assert.isFalse(counts.has("key-1000 200"))
  })
})
