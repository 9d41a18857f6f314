import { assert, describe, it } from "@effect/vitest"
import { DateTime, Duration, Effect, Layer, Option, Random } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import { RateLimiter } from "effect/persistence"
import * as Schema from "effect/Schema"
import { TestClock } from "effect/testing"
import { budgetHeaders } from "../../src/keys/BudgetHeaders.ts"
import { makeKeyLabels } from "../../src/keys/KeyMetrics.ts"
import { makeLimiter } from "../../src/keys/MemoryLimitStore.ts"
import { makePlaces } from "../../src/keys/Places.ts"
import { limitsOf, planOf } from "../../src/keys/Plans.ts"
import { Quotas } from "../../src/keys/Quotas.ts"
import { Usage } from "../../src/keys/Usage.ts"
import { WrongKeys } from "../../src/keys/WrongKeys.ts"
import { RedisLink } from "../../src/store/RedisLink.ts"
import { usageInMemory } from "../RunningService.ts"

const int = (minimum: number, maximum: number) =>
  Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum, maximum })))

const limiterOver = (most: number) => Layer.effect(RateLimiter.RateLimiter, makeLimiter(most))

/** Charges that were accepted, each with its time. */
interface Charge {
  readonly at: number
  readonly cost: number
}

const assertBucketLaw = (accepted: ReadonlyArray<Charge>, burst: number, perSecond: number) => {
  for (const [first, { at: from }] of accepted.entries()) {
    let sum = 0
    for (const { at, cost } of accepted.slice(first)) {
      sum += cost
      // What flowed in before the window began, less than one, may fall into it.
      assert.isAtMost(sum, burst + (perSecond * (at - from)) / 1000 + 1, `from ${from} to ${at}`)
    }
  }
}

describe("the bucket", () => {
  it.effect.prop(
    "gives never more than its size and what flows in, in any window",
    [
      int(1, 40),
      int(1, 40),
      Arbitrary.array(Arbitrary.all([int(0, 40), int(1, 12)]), { minLength: 1, maxLength: 120 })
    ],
    ([burst, perSecond, arrivals]) =>
      Effect.gen(function* () {
        const limiter = yield* RateLimiter.RateLimiter
        const accepted: Array<Charge> = []
        let at = 0
        let refused = 0
        for (const [pause, cost] of arrivals) {
          at += pause
          yield* TestClock.adjust(pause)
          const tokens = Math.min(cost, burst)
          const answer = yield* Effect.option(
            limiter.consume({
              algorithm: "token-bucket",
              onExceeded: "fail",
              key: "one",
              limit: burst,
              window: Duration.millis((burst / perSecond) * 1000),
              tokens
            })
          )
          if (Option.isSome(answer)) accepted.push({ at, cost: tokens })
          else refused += 1
        }
        assertBucketLaw(accepted, burst, perSecond)
        assert.strictEqual(accepted.length + refused, arrivals.length)
        assert.isAbove(accepted.length, 0)
      }).pipe(Effect.provide(Layer.fresh(limiterOver(10))))
  )

  it.effect("is kept for the callers that came last, and no more of them than it may", () =>
    Effect.gen(function* () {
      const limiter = yield* RateLimiter.RateLimiter
      const left = (key: string) =>
        Effect.map(
          limiter.consume({ algorithm: "token-bucket", key, limit: 5, window: "1 hour" }),
          ({ remaining }) => remaining
        )
      assert.strictEqual(yield* left("a"), 4)
      assert.strictEqual(yield* left("b"), 4)
      assert.strictEqual(yield* left("a"), 3)
      assert.strictEqual(yield* left("c"), 4)
      assert.strictEqual(yield* left("a"), 2)
      assert.strictEqual(yield* left("b"), 4)
    }).pipe(Effect.provide(limiterOver(2)))
  )
})

describe("wrong keys", () => {
  const wrongKeys = WrongKeys.layer({ burst: 3, perSecond: 0.5 })

  it.effect("are counted by address, and forgiven with time", () =>
    Effect.gen(function* () {
      const { count, isExhausted } = yield* WrongKeys
      const waits = (address: string) =>
        Effect.map(
          count(address),
          Option.map((wait) => Duration.toMillis(wait))
        )
      for (let wrong = 0; wrong < 3; wrong++) {
        assert.isFalse(yield* isExhausted("192.0.2.1"))
        assert.isTrue(Option.isNone(yield* waits("192.0.2.1")))
      }
      assert.isTrue(yield* isExhausted("192.0.2.1"))
      assert.deepStrictEqual(yield* waits("192.0.2.1"), Option.some(2000))
      assert.isFalse(yield* isExhausted("192.0.2.2"))
      yield* TestClock.adjust("2 seconds")
      assert.isFalse(yield* isExhausted("192.0.2.1"))
      assert.isTrue(Option.isNone(yield* waits("192.0.2.1")))
      assert.deepStrictEqual(yield* waits("192.0.2.1"), Option.some(2000))
    }).pipe(Effect.provide(wrongKeys))
  )

  it.effect("of IPv6 are counted by the block that one party has", () =>
    Effect.gen(function* () {
      const { count, isExhausted } = yield* WrongKeys
      for (const address of ["2001:db8::1", "2001:db8::2", "2001:db8:0:0:ffff::3"]) yield* count(address)
      assert.isTrue(yield* isExhausted("2001:db8::4"))
      assert.isFalse(yield* isExhausted("2001:db8:0:1::1"))
    }).pipe(Effect.provide(Layer.fresh(wrongKeys)))
  )

  it.effect("are remembered for a bounded number of addresses", () =>
    Effect.gen(function* () {
      const { count, isExhausted } = yield* WrongKeys
      for (let wrong = 0; wrong < 4; wrong++) yield* count("192.0.2.1")
      for (let address = 0; address < 9_998; address++) yield* count(`10.0.${address >> 8}.${address & 255}`)
      assert.isTrue(yield* isExhausted("192.0.2.1"))
      for (let address = 0; address < 10_001; address++) yield* count(`10.1.${address >> 8}.${address & 255}`)
      assert.isFalse(yield* isExhausted("192.0.2.1"))
    }).pipe(Effect.provide(Layer.fresh(wrongKeys)))
  )
})

describe("the quota of a day", () => {
  const usage = Usage.layer.pipe(Layer.provide(usageInMemory))
  const quotas = Layer.fresh(Quotas.layer.pipe(Layer.provideMerge(Layer.merge(usage, RedisLink.layerNone))))
  const beforeMidnight = DateTime.makeUnsafe("2026-03-01T23:59:58Z")

  it.effect("ends with the day of UTC, and begins anew with the next one", () =>
    Effect.gen(function* () {
      const { take } = yield* Quotas
      const first = yield* take("one", 2, 3)
      assert.deepStrictEqual(
        { ...first, wait: Duration.toMillis(first.wait) },
        { refused: false, remaining: 1, wait: 2000 }
      )
      assert.deepInclude(yield* take("one", 2, 3), { refused: true, remaining: 1 })
      assert.deepInclude(yield* take("two", 2, 3), { refused: false, remaining: 1 })
      assert.deepInclude(yield* take("one", 1, 3), { refused: false, remaining: 0 })
      yield* TestClock.adjust("1999 millis")
      const last = yield* take("one", 1, 3)
      assert.deepStrictEqual([last.refused, Duration.toMillis(last.wait)], [true, 1])
      yield* TestClock.adjust("1 millis")
      assert.deepInclude(yield* take("one", 1, 3), { refused: false, remaining: 2 })
    }).pipe(
      Effect.provide(quotas),
      // The writing of the usage would be due very often on the way from the year 1970.
      (test) => Effect.andThen(TestClock.setTime(DateTime.toEpochMillis(beforeMidnight)), test)
    )
  )

  it.effect("lets a request that is larger than the day take all of it", () =>
    Effect.gen(function* () {
      const { take } = yield* Quotas
      assert.deepInclude(yield* take("one", 51, 10), { refused: false, remaining: 0 })
      assert.deepInclude(yield* take("one", 1, 10), { refused: true })
    }).pipe(Effect.provide(quotas))
  )

  it.effect("goes on where it was before a restart", () =>
    Effect.gen(function* () {
      const { record } = yield* Usage
      record("one", { cost: 8, refused: false })
      record("one", { cost: 0, refused: true })
      const { take } = yield* Quotas
      assert.deepInclude(yield* take("one", 2, 10), { refused: false, remaining: 0 })
      assert.deepInclude(yield* take("one", 1, 10), { refused: true })
    }).pipe(Effect.provide(quotas))
  )
})

describe("places", () => {
  it.effect("are held until the request ends, however it ends", () =>
    Effect.gen(function* () {
      const { take } = makePlaces()
      const draws = yield* Effect.forEach(Array.from({ length: 300 }), () => Random.nextIntBetween(0, 3))
      for (const draw of draws) {
        const ended = Effect.gen(function* () {
          assert.isTrue(yield* take("one", 2))
          assert.isTrue(yield* take("one", 2))
          assert.isFalse(yield* take("one", 2))
          assert.isTrue(yield* take("two", 2))
          if (draw === 0) return yield* Effect.fail("failed")
          return draw === 1 ? yield* Effect.die("died") : yield* Effect.interrupt
        })
        yield* Effect.exit(Effect.scoped(ended))
      }
      assert.isTrue(yield* Effect.scoped(take("one", 1)))
      assert.isTrue(yield* Effect.scoped(take("two", 1)))
    })
  )
})

describe("the headers", () => {
  const policy = (name: string, quota: number, seconds: number) => ({ name, quota, windowMs: seconds * 1000 })

  it("list every policy and tell of the tightest", () => {
    const [key, address, day] = [
      policy("default", 300, 3),
      policy("address", 900, 3),
      policy("default-day", 50, 86_400)
    ]
    const left = (of: typeof key, remaining: number) => ({ ...of, remaining, waitMs: 1500 })
    assert.deepStrictEqual(budgetHeaders([key, address, day], [left(key, 299), left(address, 600), left(day, 7.5)]), {
      "ratelimit-policy": '"default";q=300;w=3, "address";q=900;w=3, "default-day";q=50;w=86400',
      ratelimit: '"default-day";r=7;t=2',
      "ratelimit-limit": "50",
      "ratelimit-remaining": "7",
      "ratelimit-reset": "2"
    })
    assert.strictEqual(budgetHeaders([key], [left(key, -3)])["ratelimit"], '"default";r=0;t=2')
  })
})

describe("plans", () => {
  it("are the standard ones where the configuration says nothing", () => {
    assert.deepStrictEqual(limitsOf(), {
      plans: { default: { burst: 300, perSecond: 100 } },
      address: { burst: 900, perSecond: 300 },
      wrongKeys: { burst: 20, perSecond: 0.2 },
      withoutKey: { burst: 900, perSecond: 300 },
      connectionsPerAddress: 1024,
      subscribers: 2000
    })
  })

  it("give a key whose plan is gone the default one", () => {
    const limits = limitsOf({ plans: { large: { burst: 9, perSecond: 9 } } })
    assert.deepStrictEqual(planOf(limits, "large"), { name: "large", plan: { burst: 9, perSecond: 9 } })
    for (const name of [undefined, "gone", "toString", "__proto__", "default"]) {
      assert.deepStrictEqual(planOf(limits, name), { name: "default", plan: { burst: 300, perSecond: 100 } })
    }
  })
})

describe("the series of a key", () => {
  it("are its own for the first thousand keys", () => {
    const labelOf = makeKeyLabels()
    const labels = Array.from({ length: 5000 }, (_, number) => labelOf(`key-${number}`))
    assert.strictEqual(new Set(labels).size, 1001)
    assert.strictEqual(labelOf("key-999"), "key-999")
    assert.strictEqual(labelOf("key-1000"), "other")
  })
})
