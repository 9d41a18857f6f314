import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { TestClock } from "effect/testing"
import * as Blocks from "../../../src/api/BlocksOperations.ts"
import * as Operations from "../../../src/api/CexOperations.ts"
import * as System from "../../../src/api/SystemOperations.ts"
import { Market } from "../../../src/cex/Market.ts"
import type { Client } from "../../../src/client/Client.ts"
import { type Behaviour, gaps, json, problem, type SeenRequest, stubService } from "../StubService.ts"

const market = Market.make("BTC/USD")
const emptyTape = { exchange: "kraken", market: "BTC/USD", trades: [] }

interface Bucket {
  readonly burst: number
  readonly perSecond: number
}

/** The bucket of the service as `docs/limits.md` describes it: integer units, integer milliseconds. */
const makeBucket = ({ burst, perSecond }: Bucket) => {
  const unitMs = 1000 / perSecond
  let units = burst
  let refilledAt = 0
  const refill = (now: number) => {
    const added = Math.floor((now - refilledAt) / unitMs)
    units = Math.min(burst, units + added)
    refilledAt = units === burst ? now : refilledAt + added * unitMs
  }
  const headers = () => ({
    "ratelimit-policy": `"default";q=${burst};w=${Math.ceil(burst / perSecond)}, "day";q=1000000;w=86400`,
    ratelimit: `"default";r=${units};t=${Math.ceil((burst - units) / perSecond)}`
  })
  return {
    /** The units that other callers with the same key take. */
    spend: (cost: number) => {
      units -= cost
    },
    take: (cost: number, now: number) => {
      refill(now)
      const taken = Math.min(cost, burst)
      if (taken > units) {
        const retryAfterMs = Math.ceil((taken - units) * unitMs)
        return problem(429, "rate-limited", { retryAfterMs }, { ...headers(), ratelimit: '"default";r=0;t=1' })
      }
      units -= taken
      return json(emptyTape, 200, headers())
    }
  }
}

const costOf = ({ url }: SeenRequest) => 1 + Math.floor(Number(url.searchParams.get("limit") ?? 0) / 1000)

/** The service with its bucket: a request arrives `there` ms after it was sent, the response `back` ms later. */
const limited = (bucket: Bucket, latency: (count: number) => { readonly there: number; readonly back: number }) => {
  const { take } = makeBucket(bucket)
  const behaviour: Behaviour = (count, request) =>
    Effect.gen(function* () {
      const { back, there } = latency(count)
      yield* Effect.sleep(there)
      const answer = yield* take(costOf(request), yield* Clock.currentTimeMillis)
      return yield* Effect.delay(Effect.succeed(answer), Duration.millis(back))
    })
  return behaviour
}

const near = () => ({ there: 0, back: 0 })
const read = (client: Client["Service"], exchange: string, limit?: number, deadline?: Duration.Duration) =>
  client.call(Operations.trades, { exchange, market, limit }, { deadline })

const tagOf = <A, E extends { readonly _tag: string }>(call: Effect.Effect<A, E>) =>
  Effect.match(call, { onFailure: ({ _tag }) => _tag, onSuccess: () => "good" })

const together = <A>(calls: ReadonlyArray<Effect.Effect<A>>, time: Duration.Input) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(Effect.all(calls, { concurrency: "unbounded" }))
    yield* TestClock.adjust(time)
    return yield* Fiber.join(fiber)
  })

const many = (client: Client["Service"], count: number, limit?: number) =>
  Array.from({ length: count }, (_, index) => tagOf(read(client, String(index), limit)))

describe("calls of one client", () => {
  it.effect("are sent as soon as the budget has room for them, and none is refused", () =>
    Effect.gen(function* () {
      const { client, requests } = yield* stubService(limited({ burst: 300, perSecond: 100 }, near))
      const tags = yield* together(many(client, 1000), "10 seconds")
      assert.deepStrictEqual([...new Set(tags)], ["good"])
      assert.lengthOf(requests, 1000)
      const counts = [0, 1000, 2000, 7000].map((end) => requests.filter(({ at }) => at <= end).length)
      // One unit always remains.
      assert.deepStrictEqual(counts, [299, 399, 499, 999])
    })
  )

  it.effect("are 8 at once, one more for every eight that have ended, and at most 32 for any budget", () =>
    Effect.gen(function* () {
      const [underWay, seen] = [new Set<number>(), new Array<number>()]
      const slow = limited({ burst: 300, perSecond: 100 }, near)
      const { client } = yield* stubService((count, request) =>
        Effect.gen(function* () {
          underWay.add(count)
          seen.push(underWay.size)
          const answer = yield* slow(count, request)
          yield* Effect.sleep("1 second")
          underWay.delete(count)
          return answer
        })
      )
      const tags = yield* together(many(client, 600), "40 seconds")
      assert.deepStrictEqual([...new Set(tags)], ["good"])
      assert.lengthOf(seen, 600)
      // The first request is sent alone.
      assert.strictEqual(Math.max(...seen.slice(0, 9)), 8)
      assert.strictEqual(Math.max(...seen.slice(0, 18)), 9)
      assert.strictEqual(Math.max(...seen), 32)
    })
  )

  it.effect("whose budget does not suffice before their deadline fail at once, however many are in flight", () =>
    Effect.gen(function* () {
      const slow = limited({ burst: 50, perSecond: 10 }, near)
      const { client } = yield* stubService((count, request) => Effect.delay(slow(count, request), "1 second"))
      yield* Effect.forkChild(Effect.all(many(client, 40), { concurrency: "unbounded" }))
      yield* TestClock.adjust(1500)
      const late = Effect.gen(function* () {
        const tag = yield* tagOf(read(client, "late", 50_000, Duration.seconds(2)))
        return [tag, yield* Clock.currentTimeMillis] as const
      })
      assert.deepStrictEqual(yield* together([late], "10 seconds"), [["RateLimited", 1500]])
    })
  )

  it.effect("that ask for many rows cost more", () =>
    Effect.gen(function* () {
      const { client, requests } = yield* stubService(limited({ burst: 300, perSecond: 100 }, near))
      const tags = yield* together(many(client, 10, 50_000), "10 seconds")
      assert.deepStrictEqual([...new Set(tags)], ["good"])
      // 51 units each, five at once; the units 301 to 511 are available after 10 ms for each missing one.
      assert.deepStrictEqual(
        requests.map(({ at }) => at),
        [0, 0, 0, 0, 0, 70, 580, 1090, 1600, 2110]
      )
    })
  )

  it.effect("that cost more than a whole budget wait until it is whole", () =>
    Effect.gen(function* () {
      const { client, requests } = yield* stubService(limited({ burst: 10, perSecond: 10 }, near))
      yield* read(client, "one")
      const tags = yield* together(many(client, 2, 50_000), "10 seconds")
      assert.deepStrictEqual(tags, ["good", "good"])
      assert.deepStrictEqual(gaps(requests), [100, 1000])
    })
  )

  it.effect("that wait are sent in the order of their arrival", () =>
    Effect.gen(function* () {
      const { client, requests } = yield* stubService(limited({ burst: 10, perSecond: 10 }, near))
      yield* together(many(client, 50), "10 seconds")
      assert.deepStrictEqual(
        requests.map(({ url }) => url.pathname),
        Array.from({ length: 50 }, (_, index) => `/v2/cex/${index}/BTC-USD/trades`)
      )
    })
  )

  it.effect("whose turn does not come before the deadline fail at once, with the wait and what to do", () =>
    Effect.gen(function* () {
      const { client, requests } = yield* stubService(limited({ burst: 10, perSecond: 10 }, near))
      yield* together(many(client, 9), "0 seconds")
      const error = yield* Effect.flip(read(client, "late", 5000, Duration.millis(600)))
      assert.deepInclude(error, { _tag: "RateLimited", retryAfterMs: 600 })
      assert.strictEqual(
        error.message,
        "The budget of the key has room for this call in 600 ms, after its deadline: ask for less, or set " +
          "a later one."
      )
      assert.strictEqual(yield* Clock.currentTimeMillis, 0)
      assert.lengthOf(requests, 9)
      assert.deepStrictEqual(
        yield* together([tagOf(read(client, "in time", 5000, Duration.millis(601)))], "1 second"),
        ["good"]
      )
    })
  )

  it.effect("that are interrupted while they wait leave their place to the next", () =>
    Effect.gen(function* () {
      const { client, requests } = yield* stubService(limited({ burst: 10, perSecond: 10 }, near))
      yield* together(many(client, 9), "0 seconds")
      const waiting = yield* Effect.forkChild(read(client, "given up", 8000))
      yield* TestClock.adjust("200 millis")
      yield* Fiber.interrupt(waiting)
      assert.deepStrictEqual(yield* together([tagOf(read(client, "next"))], "0 seconds"), ["good"])
      assert.lengthOf(requests, 10)
    })
  )

  it.effect("that are interrupted behind others leave those alone", () =>
    Effect.gen(function* () {
      const { client, requests } = yield* stubService(limited({ burst: 10, perSecond: 10 }, near))
      yield* together(many(client, 9), "0 seconds")
      const first = yield* Effect.forkChild(read(client, "first", 3000))
      const second = yield* Effect.forkChild(read(client, "second", 3000))
      const third = yield* Effect.forkChild(read(client, "third"))
      yield* TestClock.adjust("100 millis")
      yield* Fiber.interrupt(second)
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(first)
      yield* Fiber.join(third)
      assert.deepStrictEqual(
        requests.slice(9).map(({ at, url }) => [url.pathname.split("/")[3], at]),
        [
          ["first", 400],
          ["third", 500]
        ]
      )
    })
  )

  it.effect("that follow one another are sent at the rate of the service, although the header rounds it down", () =>
    Effect.gen(function* () {
      // A bucket that is full again after 100 ms: the header states a second.
      const { client, requests } = yield* stubService(
        limited({ burst: 10, perSecond: 100 }, () => ({ there: 10, back: 10 }))
      )
      const one = tagOf(read(client, "kraken"))
      const fiber = yield* Effect.forkChild(Effect.all(Array.from({ length: 50 }, () => one)))
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual([...new Set(yield* Fiber.join(fiber))], ["good"])
      assert.deepStrictEqual([...new Set(gaps(requests))], [20])
    })
  )

  it.effect("slow down when others use the same key", () =>
    Effect.gen(function* () {
      const bucket = makeBucket({ burst: 100, perSecond: 10 })
      const { client, requests } = yield* stubService((_, request) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => bucket.take(costOf(request), now))
      )
      yield* read(client, "first")
      bucket.spend(95)
      // The next response states 3: two more may be sent, and the fourth waits for its unit.
      const tags: Array<string> = []
      for (const exchange of ["a", "b", "c"]) tags.push(yield* tagOf(read(client, exchange)))
      assert.deepStrictEqual(tags, ["good", "good", "good"])
      assert.deepStrictEqual(yield* together([tagOf(read(client, "d"))], "1 second"), ["good"])
      assert.deepStrictEqual(gaps(requests), [0, 0, 0, 100])
    })
  )

  it.effect("slow down when others use the same key while some are under way", () =>
    Effect.gen(function* () {
      const bucket = makeBucket({ burst: 100, perSecond: 10 })
      const { client, requests } = yield* stubService((_, request) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.delay(bucket.take(costOf(request), now), "10 millis"))
      )
      yield* together([tagOf(read(client, "first"))], "10 millis")
      bucket.spend(95)
      // One is always in flight, so that no response is about an unused budget.
      const tags = yield* together(
        Array.from({ length: 8 }, (_, index) =>
          Effect.delay(tagOf(read(client, String(index))), Duration.millis(5 * index))
        ),
        "2 seconds"
      )
      assert.deepStrictEqual([...new Set(tags)], ["good"])
      assert.deepStrictEqual(
        gaps(requests).map((gap) => gap >= 90),
        [false, false, false, false, true, true, true, true]
      )
    })
  )

  it.effect("are one before the first answer, so that none is refused where nothing is left of the budget", () =>
    Effect.gen(function* () {
      const { client, requests } = yield* stubService(
        limited({ burst: 300, perSecond: 100 }, () => ({ there: 50, back: 50 }))
      )
      const fiber = yield* Effect.forkChild(Effect.all(many(client, 250), { concurrency: "unbounded" }))
      yield* TestClock.adjust("99 millis")
      assert.lengthOf(requests, 1)
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual([...new Set(yield* Fiber.join(fiber))], ["good"])
    })
  )

  it.effect("leave room for those that the service has not charged yet at the first answer", () =>
    Effect.gen(function* () {
      const bucket = makeBucket({ burst: 100, perSecond: 1 })
      bucket.spend(67)
      const { client, requests } = yield* stubService(
        (count, request) =>
          Effect.gen(function* () {
            // The first answer takes long, and those sent meanwhile arrive after it.
            if (count > 1 && count <= 32) yield* Effect.sleep("8 seconds")
            const answer = yield* bucket.take(costOf(request), yield* Clock.currentTimeMillis)
            if (count === 1) yield* Effect.sleep("2500 millis")
            return answer
          }),
        { retry: { attempts: 1 } }
      )
      const tags = yield* together([...many(client, 32), tagOf(read(client, "large", 14_000))], "1 minute")
      assert.deepStrictEqual([...new Set(tags)], ["good"])
      assert.deepStrictEqual(
        [0, 2000, 10_000].map((end) => requests.filter(({ at }) => at <= end).length),
        [1, 32, 32]
      )
    })
  )

  it.effect("that wait for a first answer that never comes end at their deadline", () =>
    Effect.gen(function* () {
      const { client, requests } = yield* stubService(() => Effect.never)
      const ends = yield* together(
        Array.from({ length: 150 }, (_, index) =>
          Effect.gen(function* () {
            // The first ones stay in flight while the waiting ones give up.
            const tag = yield* tagOf(read(client, String(index), undefined, Duration.seconds(index < 32 ? 9 : 2)))
            return [tag, yield* Clock.currentTimeMillis] as const
          })
        ),
        "9 seconds"
      )
      assert.deepStrictEqual(new Set(ends.slice(0, 32).map(String)), new Set(["RequestTimeout,9000"]))
      assert.deepStrictEqual(new Set(ends.slice(32).map(String)), new Set(["RequestTimeout,2000"]))
      assert.lengthOf(requests, 32)
    })
  )

  it.effect("that begin when their deadline is over are not sent", () =>
    Effect.gen(function* () {
      const { client, requests } = yield* stubService(() => Effect.never)
      const all = many(client, 150).map((call) => Effect.asVoid(call))
      yield* together(all, "45 seconds")
      // At 45 seconds the first ones end, too late for those that waited for them.
      assert.deepStrictEqual(
        [0, 2000, 45_000].map((end) => requests.filter(({ at }) => at === end).length),
        [1, 31, 0]
      )
    })
  )

  it.effect.each([
    ["the client", { rateLimit: false }, undefined],
    ["the call", {}, { rateLimit: false }]
  ] as const)("are sent at once where the policy of %s says so", ([, retry, call]) =>
    Effect.gen(function* () {
      const { client, requests } = yield* stubService(limited({ burst: 10, perSecond: 10 }, near), {
        retry: { ...retry, attempts: 1 }
      })
      const tags = yield* together(
        Array.from({ length: 15 }, (_, index) =>
          tagOf(client.call(Operations.trades, { exchange: String(index), market }, { retry: call }))
        ),
        "0 seconds"
      )
      assert.deepStrictEqual([...new Set(tags.slice(10))], ["RateLimited"])
      assert.lengthOf(requests, 15)
    })
  )

  it.effect("do not wait for those that were sent at once and refused", () =>
    Effect.gen(function* () {
      const { client, requests } = yield* stubService(limited({ burst: 300, perSecond: 100 }, near), {
        retry: { attempts: 1 }
      })
      yield* read(client, "first")
      const unpaced = (exchange: string) =>
        client.call(Operations.trades, { exchange, market }, { retry: { rateLimit: false } })
      const tags = yield* together(
        Array.from({ length: 2000 }, (_, index) => tagOf(unpaced(String(index)))),
        "0 seconds"
      )
      assert.lengthOf(
        tags.filter((tag) => tag === "RateLimited"),
        1701
      )
      assert.deepStrictEqual(yield* together([tagOf(read(client, "paced", 1, Duration.millis(100)))], "100 millis"), [
        "good"
      ])
      assert.deepStrictEqual(requests.at(-1)?.at, 20)
    })
  )

  const unlimited: ReadonlyArray<readonly [string, Record<string, string>]> = [
    ["nothing", {}],
    ["only the quota of a day", { "ratelimit-policy": '"day";q=1;w=86400', ratelimit: '"day";r=0;t=40000' }],
    ["something else", { "ratelimit-policy": "10 per hour", ratelimit: "limit=10, remaining=0" }]
  ]
  it.effect.each(unlimited)("are not paced if the service sends %s", ([, headers]) =>
    Effect.gen(function* () {
      const { client, requests } = yield* stubService(() => json(emptyTape, 200, headers))
      yield* together(many(client, 500), "0 seconds")
      assert.lengthOf(requests, 500)
    })
  )

  it.effect("that need no key have no pace", () =>
    Effect.gen(function* () {
      const { client, requests } = yield* stubService((count, { url }) =>
        url.pathname === "/ping" || url.pathname === "/v2/ping"
          ? json({ ping: "pong", ip: "127.0.0.1" })
          : json([], 200, { "ratelimit-policy": '"default";q=10;w=1', ratelimit: '"default";r=0;t=1' })
      )
      yield* client.call(Blocks.blockchains, {})
      for (const _ of Array.from({ length: 20 })) yield* client.call(System.ping, {})
      assert.lengthOf(requests, 21)
    })
  )
})

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))
const latencies = Schema.Array(Schema.Struct({ there: between(0, 400), back: between(0, 400) })).check(
  Schema.isMinLength(1),
  Schema.isMaxLength(20)
)
const asked = Schema.Array(
  Schema.Struct({ after: between(0, 3000), limit: Schema.Literals([1, 200, 999, 1000, 5000, 50_000]) })
).check(Schema.isMinLength(1), Schema.isMaxLength(150))
const buckets = Schema.Struct({ burst: between(1, 300), perSecond: Schema.Literals([1, 3, 10, 100, 300]) })

describe("any calls at any latency", () => {
  it.effect.prop(
    "no request of the only user of a key is refused, and no call ends after its deadline",
    [buckets, latencies, asked],
    ([bucket, ways, calls]) =>
      Effect.gen(function* () {
        const refused: Array<number> = []
        // A higher cost is known only after the first response.
        const { client, requests } = yield* stubService(
          limited(bucket, (count) => ways[count % ways.length] ?? near()),
          { retry: { attempts: 1, attemptTimeout: Duration.seconds(30), deadline: Duration.seconds(30) } }
        )
        const first = yield* Effect.forkChild(read(client, "first"))
        yield* TestClock.adjust("2 seconds")
        yield* Fiber.join(first)
        const ended = yield* together(
          calls.map(({ after, limit }, index) =>
            Effect.gen(function* () {
              yield* Effect.sleep(after)
              const begin = yield* Clock.currentTimeMillis
              const result = yield* Effect.result(read(client, String(index), limit))
              const isRefused = result._tag === "Failure" && !result.failure.message.startsWith("The budget of the key")
              if (isRefused && result.failure._tag === "RateLimited") refused.push(index)
              return (yield* Clock.currentTimeMillis) - begin
            })
          ),
          "1 minute"
        )
        assert.deepStrictEqual(refused, [])
        assert.isAtMost(Math.max(...ended), 30_000)
        assert.isAtLeast(requests.length, 2)
      }),
    { arbitrary: { runs: 150 } }
  )

  it.effect.prop(
    "the whole budget is used: calls that need more than it has end as soon as it can have it",
    [Schema.Struct({ burst: between(20, 100), perSecond: Schema.Literals([10, 100]) }), between(20, 120)],
    ([bucket, count]) =>
      Effect.gen(function* () {
        // The header is in whole seconds, and the pace follows the header.
        const perSecond = bucket.burst / Math.ceil(bucket.burst / bucket.perSecond)
        const { client, requests } = yield* stubService(limited(bucket, near))
        yield* together(many(client, count), "1 minute")
        const missing = Math.max(0, count - (bucket.burst - 1))
        const last = requests.at(-1)?.at ?? 0
        assert.isAtMost(last, Math.ceil((missing / perSecond) * 1000) + count)
        assert.lengthOf(requests, count)
      }),
    { arbitrary: { runs: 20 } }
  )
})

describe("Answer", () => {
  it.effect("returns the remaining budget, and when it is full again", () =>
    Effect.gen(function* () {
      const { client } = yield* stubService(() =>
        json(emptyTape, 200, { "ratelimit-remaining": "299", "ratelimit-reset": "2" })
      )
      const { remaining, resetAfterMs } = yield* read(client, "kraken")
      assert.deepStrictEqual([remaining, resetAfterMs], [Option.some(299), Option.some(2000)])
    })
  )
})
