import { assert, describe, layer } from "@effect/vitest"
import { Clock, Context, Effect, Layer } from "effect"
import type { Reply } from "../HttpCall.ts"
import { generous, keyed, plain } from "../RunningService.ts"
import { stubbedService } from "../StubbedService.ts"
import { assertProblem } from "./response/Problem.ts"

/** The refill is so slow that it does not matter on any machine: time is `passed`. */
const limits = { ...generous, plans: { default: { burst: 5, perSecond: 0.05 } } }
const perUnitMs = 20_000

/** The clock of the machine, which a test advances. */
class Forward extends Context.Service<Forward, (ms: number) => Effect.Effect<void>>()(
  "@chaintape/server/test/http/Forward"
) {
  static readonly layer = Layer.effectContext(
    Effect.map(Clock.Clock, (clock) => {
      let ahead = 0
      const millis = () => clock.currentTimeMillisUnsafe() + ahead
      const nanos = () => clock.currentTimeNanosUnsafe() + BigInt(ahead) * 1_000_000n
      const monotonic = () => clock.monotonicTimeNanosUnsafe() + BigInt(ahead) * 1_000_000n
      return Context.make(Forward, (ms) => Effect.sync(() => void (ahead += ms))).pipe(
        Context.add(Clock.Clock, {
          currentTimeMillisUnsafe: millis,
          currentTimeMillis: Effect.sync(millis),
          currentTimeNanosUnsafe: nanos,
          currentTimeNanos: Effect.sync(nanos),
          monotonicTimeNanosUnsafe: monotonic,
          monotonicTimeNanos: Effect.sync(monotonic),
          sleep: (duration) => clock.sleep(duration)
        })
      )
    })
  )
}

const passed = (ms: number) => Effect.flatMap(Forward, (forward) => forward(ms))
const cheap = "/v2/cex/exchanges"

const remaining = ({ headers }: Reply) => Number(headers["ratelimit-remaining"])

const assertBudget = ({ headers }: Reply) => {
  assert.strictEqual(headers["ratelimit-policy"], '"default";q=5;w=100, "address";q=1000000;w=10')
  assert.match(String(headers["ratelimit"]), /^"default";r=[0-5];t=\d+$/)
  assert.strictEqual(headers["ratelimit-limit"], "5")
  assert.match(String(headers["ratelimit-remaining"]), /^[0-5]$/)
  assert.match(String(headers["ratelimit-reset"]), /^\d+$/)
}

/** Uses the budget up. */
const drain = Effect.gen(function* () {
  for (let calls = 0; calls < 50; calls++) {
    const reply = yield* keyed(cheap)
    if (reply.status === 429) return reply
  }
  return assert.fail("the budget never ends")
})

/** Refills the bucket. */
const full = passed(5 * perUnitMs)

describe("the caller's budget", () => {
  layer(stubbedService(limits).pipe(Layer.provideMerge(Forward.layer)), { excludeTestServices: true })((it) => {
    it.effect("is in every response after the key was accepted, problems included", () =>
      Effect.gen(function* () {
        yield* full
        for (const path of [
          cheap,
          "/v2/cex/nope",
          "/v2/blocks/synthetic?limit=0",
          "/v2/cex/nope/BTCUSD/trades?x=%zz"
        ]) {
          assertBudget(yield* keyed(path))
        }
        for (const path of [cheap, `${cheap}?apiKey=wrong`, "/ping", "/nope"]) {
          assert.notProperty((yield* plain(path)).headers, "ratelimit", path)
        }
      })
    )

    it.effect("is used up, states how long to wait, and is available again after that", () =>
      Effect.gen(function* () {
        yield* full
        const refused = yield* drain
        assertBudget(refused)
        assert.strictEqual(remaining(refused), 0)
        const { retryAfterMs } = assertProblem(refused, 429, "rate-limited")
        if (typeof retryAfterMs !== "number") return assert.fail("there is no retryAfterMs")
        assert.isAtLeast(retryAfterMs, 1)
        assert.isAtMost(retryAfterMs, perUnitMs)
        assert.strictEqual(refused.headers["retry-after"], String(Math.ceil(retryAfterMs / 1000)))
        yield* passed(retryAfterMs)
        assert.strictEqual((yield* keyed(cheap)).status, 200)
      })
    )

    it.effect("is used by every keyed request, whatever its answer", () =>
      Effect.gen(function* () {
        yield* full
        const replies = yield* Effect.forEach(
          ["/v2/cex/nope", "/v2/blocks/synthetic?limit=0", cheap, "/v2/blocks", "/v2/cex/stub"],
          keyed
        )
        assert.strictEqual(remaining(replies[0] ?? (yield* drain)), 4)
        const refused = yield* drain
        assertProblem(yield* keyed("/v2/blocks/synthetic?limit=0"), 429, "rate-limited")
        assert.strictEqual(refused.status, 429)
        assertProblem(yield* plain(cheap), 401, "missing-api-key")
        assertProblem(yield* keyed({ method: "POST", path: cheap }), 405, "method-not-allowed")
        assert.strictEqual((yield* plain("/ping")).status, 200)
      })
    )

    it.effect(
      "is used up by one for each request and one for each full thousand of rows",
      () =>
        Effect.gen(function* () {
          for (const [limit, cost] of [
            [999, 1],
            [1000, 2],
            [1999, 2],
            [2000, 3],
            [3500, 4]
          ]) {
            yield* full
            const reply = yield* keyed(`/v2/cex/stub/BTC-USD/trades?limit=${limit}`)
            assert.deepStrictEqual([reply.status, remaining(reply)], [200, 5 - Number(cost)], `limit=${limit}`)
          }
        }),
      20_000
    )

    it.effect("lets a request larger than the bucket pass when the bucket is full, and only then", () =>
      Effect.gen(function* () {
        yield* full
        const reply = yield* keyed("/v2/cex/stub/BTC-USD/trades?limit=50000")
        assert.deepStrictEqual([reply.status, remaining(reply)], [200, 0])
        assertProblem(yield* keyed("/v2/cex/stub/BTC-USD/trades?limit=50000"), 429, "rate-limited")
      })
    )
  })
})
