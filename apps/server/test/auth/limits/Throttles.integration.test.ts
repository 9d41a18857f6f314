import { once } from "node:events"
import { connect } from "node:net"
import { assert, describe, it, layer } from "@effect/vitest"
import { Clock, Effect, Fiber, Layer, Schedule } from "effect"
import type { Limits } from "../../../src/auth/limits/Plans.ts"
import { casesOf, runsMany } from "../../Cases.ts"
import { coinbaseStub } from "../../cex/ccxt/CoinbaseStub.ts"
import { evenTape, start } from "../../cex/ccxt/Sandbox.ts"
import { json, stubExchange } from "../../cex/ccxt/StubExchange.ts"
import { assertProblem } from "../../http/response/Problem.ts"
import type { Call, Reply } from "../../HttpCall.ts"
import { record } from "../../HttpCall.ts"
import { measureRealTime } from "../../MeasureRealTime.ts"
import {
  generous,
  key,
  keyed,
  metrics,
  plain,
  RunningService,
  unusableKeys,
  wellFormedKey
} from "../../RunningService.ts"
import { until } from "../../StartedProgram.ts"

const cheap = "/v2/cex/exchanges"
const noTrades = json([])

/** An exchange that delays all requests for trades. */
class Held {
  readonly #waiting: Array<() => void> = []
  /** The number of requests so far. */
  asked = 0

  answer = () => {
    this.asked += 1
    return new Promise<typeof noTrades>((resolve) => this.#waiting.push(() => resolve(noTrades)))
  }

  /** Answers the delayed requests: there are no trades. */
  release = Effect.sync(() => {
    for (const go of this.#waiting.splice(0)) go()
  })
}

/** A service behind the proxy 127.0.0.1. */
const service = (limits: Partial<Limits>, { held, trades = 10 }: { held?: Held; trades?: number } = {}) =>
  Layer.unwrap(
    Effect.map(
      stubExchange(coinbaseStub(evenTape(trades), (path) => (path.endsWith("/trades") ? held?.answer() : undefined))),
      ({ rest }) =>
        RunningService.layer({
          config: { exchanges: [{ id: "stub", driver: "coinbaseexchange", rest }] },
          limits: { ...generous, ...limits },
          proxies: ["127.0.0.1"]
        })
    )
  )

const from = (address: string, apiKey: string, path = cheap): Call => ({
  path,
  headers: { "api-key": apiKey, "x-forwarded-for": address }
})

const provided =
  (...how: Parameters<typeof service>) =>
  <E>(test: Effect.Effect<void, E, RunningService>) =>
    test.pipe(Effect.provide(Layer.fresh(service(...how))))

describe("the address of a caller", () => {
  layer(service({}), { excludeTestServices: true })((it) => {
    it.effect.each([
      [{ "x-forwarded-for": "198.51.100.1" }, "198.51.100.1"],
      [{ "x-forwarded-for": "10.0.0.1, 198.51.100.1" }, "198.51.100.1"],
      [{ "x-forwarded-for": ["10.0.0.1", "198.51.100.1"] }, "198.51.100.1"],
      [{ forwarded: 'for="[2001:db8::1]:443"' }, "2001:db8::1"],
      [{ forwarded: "for=1.1.1.1", "x-forwarded-for": "198.51.100.1" }, "127.0.0.1"],
      [{ "x-real-ip": "198.51.100.1" }, "127.0.0.1"],
      [{}, "127.0.0.1"]
    ] as const)("%o is %s", ([headers, expected]) =>
      Effect.gen(function* () {
        const { ip } = record(
          yield* plain({
            path: "/ping",
            headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat()]))
          })
        )
        assert.strictEqual(ip, expected)
      })
    )
  })
})

const p99 = (sample: ReadonlyArray<number>) => sample.toSorted((a, b) => a - b)[Math.floor(sample.length * 0.99)] ?? 0

const atOnce = 12

/** Wrong keys of one address. */
const flooded = casesOf("CHAINTAPE_WRONG_KEYS", { few: 1000, many: 10_000 })

describe("wrong keys", () => {
  it.live("are refused after a number of them from one address, and valid keys are not", () =>
    Effect.gen(function* () {
      const wrong = ["an-unknown-key-of-a-stranger", unusableKeys.revoked, unusableKeys.expired, "x"]
      for (const apiKey of [...wrong, `${wellFormedKey.slice(0, -1)}b`]) {
        assertProblem(yield* plain(from("198.51.100.1", apiKey)), 401, "invalid-api-key")
      }
      for (const apiKey of wrong) {
        const reply = yield* plain(from("198.51.100.1", apiKey))
        const { retryAfterMs } = assertProblem(reply, 429, "rate-limited")
        assert.isTrue(typeof retryAfterMs === "number" && retryAfterMs > 50_000 && retryAfterMs <= 100_000)
        assert.property(reply.headers, "retry-after")
        assert.notProperty(reply.headers, "ratelimit")
        assert.notInclude(reply.body, apiKey.length > 1 ? apiKey : "another")
      }
      assert.strictEqual((yield* plain(from("198.51.100.1", key))).status, 200)
      assertProblem(yield* plain(from("198.51.100.1", "x")), 429, "rate-limited")
      assertProblem(yield* plain(from("198.51.100.2", "x")), 401, "invalid-api-key")
      // A client that invents a hop is still identified by the address that the proxy saw.
      assertProblem(yield* plain(from("203.0.113.7, 198.51.100.1", "x")), 429, "rate-limited")
      assertProblem(
        yield* plain({ path: cheap, headers: { "x-forwarded-for": "198.51.100.1" } }),
        401,
        "missing-api-key"
      )
    }).pipe(provided({ wrongKeys: { burst: 5, perSecond: 0.01 } }))
  )

  it.live(
    `do not slow other callers down, ${flooded} of them from one address`,
    () =>
      Effect.gen(function* () {
        const statuses = new Map<number, number>()
        const refused = () => (statuses.get(401) ?? 0) + (statuses.get(429) ?? 0)
        const flood = Effect.forEach(
          Array.from({ length: flooded }, (_, number) => number),
          (number) =>
            Effect.map(plain(from("198.51.100.1", `wrong-key-number-${number}`)), ({ status }) =>
              statuses.set(status, (statuses.get(status) ?? 0) + 1)
            ),
          { concurrency: atOnce, discard: true }
        )
        /** The durations in milliseconds, and how many wrong keys were rejected meanwhile. */
        const answered = (count: number) =>
          Effect.forEach(Array.from({ length: count }), () =>
            Effect.gen(function* () {
              const [began, before] = [yield* Clock.currentTimeMillis, refused()]
              const { status } = yield* plain(from("203.0.113.1", key))
              assert.strictEqual(status, 200)
              return { ms: (yield* Clock.currentTimeMillis) - began, overtaken: refused() - before }
            }).pipe(Effect.tap(() => Effect.sleep("5 millis")))
          ).pipe(
            Effect.map((found) => ({
              ms: p99(found.map(({ ms }) => ms)),
              overtaken: p99(found.map(({ overtaken }) => overtaken))
            }))
          )
        yield* answered(50)
        const calm = runsMany ? yield* answered(200) : undefined
        const begun = yield* Clock.currentTimeMillis
        // It continues until the measurement is complete.
        const flooding = yield* Effect.forkChild(Effect.forever(flood))
        // A request with a valid key waits for earlier requests, and for few later ones.
        assert.isBelow((yield* answered(100)).overtaken, 4 * atOnce)
        // The flood, its responses and the measurement share one process here, and that one its CPU with other tests.
        if (calm !== undefined) yield* measureRealTime(answered(400), ({ ms }) => ms < Math.max(150, 10 * calm.ms))
        yield* until("all of them", () => refused() >= flooded, 120_000)
        yield* Fiber.interrupt(flooding)
        const seconds = ((yield* Clock.currentTimeMillis) - begun) / 1000
        assert.isAtMost(statuses.get(401) ?? 0, 21 + 0.2 * seconds)
        assert.strictEqual(statuses.size, 2)
      }).pipe(provided({ wrongKeys: { burst: 20, perSecond: 0.2 } })),
    240_000
  )
})

const remaining = ({ headers }: Reply) => headers["ratelimit"]

describe("several limits", () => {
  it.live("are all in the headers, and the tightest one is the remaining budget", () =>
    Effect.gen(function* () {
      const first = yield* plain(from("198.51.100.1", key))
      assert.strictEqual(
        first.headers["ratelimit-policy"],
        '"default";q=4;w=400, "address";q=6;w=600, "default-day";q=100;w=86400'
      )
      assert.match(String(remaining(first)), /^"default";r=3;t=\d+$/)
      for (let call = 0; call < 3; call++) yield* plain(from("198.51.100.1", key))
      const refused = yield* plain(from("198.51.100.1", key))
      const { detail } = assertProblem(refused, 429, "rate-limited")
      assert.match(detail, /^The key /)
      assert.match(String(remaining(refused)), /^"default";r=0;t=\d+$/)
      // The second key of the address gets what the first one has left of its budget.
      assert.match(String(remaining(yield* plain(from("198.51.100.1", wellFormedKey)))), /^"address";r=1;t=\d+$/)
      assert.strictEqual((yield* plain(from("198.51.100.1", wellFormedKey))).status, 200)
      const byAddress = assertProblem(yield* plain(from("198.51.100.1", wellFormedKey)), 429, "rate-limited")
      assert.match(byAddress.detail, /^The address /)
      assert.strictEqual((yield* plain(from("198.51.100.2", wellFormedKey))).status, 200)
      const counted = yield* metrics
      assert.match(counted, /chaintape_limit_refusals_total\{[^}]*limit="burst"[^}]*\} [1-9]/)
      assert.match(counted, /chaintape_limit_refusals_total\{[^}]*limit="address"[^}]*\} [1-9]/)
      assert.match(counted, /chaintape_key_requests_total\{[^}]*key="0123456789"[^}]*\} [1-9]/)
    }).pipe(
      provided({
        plans: { default: { burst: 4, perSecond: 0.01, perDay: 100 } },
        address: { burst: 6, perSecond: 0.01 }
      })
    )
  )

  it.live("of a day have their own problem, which states when the day ends", () =>
    Effect.gen(function* () {
      for (const left of [2, 1, 0]) {
        const reply = yield* keyed(cheap)
        assert.strictEqual(reply.status, 200)
        assert.match(String(remaining(reply)), new RegExp(`^"default-day";r=${left};t=\\d+$`))
      }
      const now = yield* Clock.currentTimeMillis
      const reply = yield* keyed(cheap)
      const { retryAfterMs } = assertProblem(reply, 429, "quota-exceeded")
      const rest = (at: number) => 86_400_000 - (at % 86_400_000)
      if (typeof retryAfterMs !== "number") return assert.fail("there is no retryAfterMs")
      assert.isAtMost(retryAfterMs, rest(now))
      assert.isAtLeast(retryAfterMs, rest(yield* Clock.currentTimeMillis))
      assert.match(String(remaining(reply)), /^"default-day";r=0;t=\d+$/)
      assert.strictEqual((yield* plain({ path: cheap, headers: { "api-key": wellFormedKey } })).status, 200)
    }).pipe(provided({ plans: { default: { burst: 1000, perSecond: 1000, perDay: 3 } } }))
  )
})

describe("the requests of a key that are under way", () => {
  const held = new Held()
  let asked = 0
  /**
   * Each market has its own requests: two that share a call reach the exchange only when the first is abandoned. The
   * slot of an abandoned request is released a little later.
   */
  const slow = (product: string) =>
    Effect.suspend(() => {
      asked += 1
      return keyed(`/v2/cex/stub/${product}/trades?limit=1&since=${start + asked}`)
    }).pipe(Effect.repeat({ until: ({ status }) => status !== 429, schedule: Schedule.spaced("20 millis") }))
  const two = Effect.all([slow("BTC-USD"), slow("ETH-USD")], { concurrency: 2 })
  const isFree = Effect.map(keyed(cheap), ({ status }) => status === 200)
  const becomesFree = isFree.pipe(
    Effect.repeat({ until: (free: boolean) => free, schedule: Schedule.spaced("20 millis") }),
    Effect.timeout("20 seconds")
  )

  it.live(
    "are limited in number, and none is counted after it has ended or was abandoned",
    () =>
      Effect.gen(function* () {
        for (let round = 1; round <= 5; round++) {
          const given = yield* Effect.forkChild(two)
          yield* until("both at the exchange", () => held.asked === 2 * round)
          yield* Fiber.interrupt(given)
          yield* becomesFree
          for (const path of ["/v2/cex/nope", `${cheap}?x=1`]) yield* keyed(path)
        }
        const both = yield* Effect.forkChild(two)
        yield* until("both at the exchange", () => held.asked === 12)
        const refused = yield* keyed(cheap)
        const { detail, retryAfterMs } = assertProblem(refused, 429, "rate-limited")
        assert.strictEqual(retryAfterMs, 200)
        assert.include(detail, "concurrent requests")
        assert.property(refused.headers, "ratelimit")
        assert.strictEqual((yield* plain({ path: cheap, headers: { "api-key": wellFormedKey } })).status, 200)
        yield* held.release
        assert.deepStrictEqual(
          (yield* Fiber.join(both)).map(({ status }) => status),
          [200, 200]
        )
        yield* becomesFree
      }).pipe(provided({ plans: { default: { burst: 1000, perSecond: 1000, concurrency: 2 } } }, { held })),
    120_000
  )

  it.live(
    "include those whose answer comes from the cache, and waits for an earlier one of its connection",
    () =>
      Effect.gen(function* () {
        const { hostname, port } = new URL((yield* RunningService).origin)
        // The response is cached.
        yield* keyed(cheap)
        const already = held.asked
        const pipelined = yield* Effect.acquireRelease(
          Effect.sync(() => connect(Number(port), hostname)),
          (opened) => Effect.sync(() => opened.destroy())
        )
        for (const path of [`/v2/cex/stub/BTC-USD/trades?limit=1&since=${start}`, cheap]) {
          pipelined.write(`GET ${path} HTTP/1.1\r\nhost: x\r\napi-key: ${key}\r\n\r\n`)
        }
        yield* until("one at the exchange", () => held.asked > already)
        const refused = keyed(cheap).pipe(
          Effect.repeat({ until: ({ status }) => status === 429, schedule: Schedule.spaced("20 millis") }),
          Effect.timeout("20 seconds")
        )
        assertProblem(yield* refused, 429, "rate-limited")
        pipelined.destroy()
        yield* becomesFree
      }).pipe(
        Effect.scoped,
        provided({ plans: { default: { burst: 1000, perSecond: 1000, concurrency: 2 } } }, { held })
      ),
    60_000
  )

  /** Requests a large answer, and reads nothing of it once it has begun. The connection ends with the scope. */
  const reader = Effect.gen(function* () {
    const { hostname, port } = new URL((yield* RunningService).origin)
    const socket = yield* Effect.acquireRelease(
      Effect.sync(() => connect(Number(port), hostname)),
      (opened) => Effect.sync(() => opened.destroy())
    )
    socket.write(`GET /v2/cex/stub/BTC-USD/trades?limit=50000 HTTP/1.1\r\nhost: x\r\napi-key: ${key}\r\n\r\n`)
    yield* Effect.promise(() => once(socket, "readable"))
  })

  it.live(
    "include those whose answer is still being read",
    () =>
      Effect.gen(function* () {
        yield* Effect.scoped(
          Effect.gen(function* () {
            yield* reader
            for (let asked = 0; asked < 100; asked++) assertProblem(yield* keyed(cheap), 429, "rate-limited")
          })
        )
        yield* becomesFree
      }).pipe(provided({ plans: { default: { burst: 1000, perSecond: 1000, concurrency: 1 } } }, { trades: 50_000 })),
    120_000
  )
})
