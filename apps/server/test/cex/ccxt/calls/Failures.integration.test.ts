import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import type { ExchangeError, ExchangeErrorReason } from "../../../../src/cex/ExchangeSource.ts"
import { coinbaseTrade } from "../CoinbaseStub.ts"
import { evenTape, ids, latest, market, range, withSandbox } from "../Sandbox.ts"
import type { StubAnswer } from "../StubExchange.ts"

const tape = evenTape(50)
const trade = coinbaseTrade(tape, 50)
const page = JSON.stringify(
  range(1, 50)
    .map((id) => coinbaseTrade(tape, id))
    .toReversed()
)
const withRow = (row: object) => JSON.stringify([trade, { ...coinbaseTrade(tape, 49), ...row }])

/** The failure of a call for trades with this response. */
const failure = (answer: StubAnswer, limits = {}): Effect.Effect<ExchangeError, unknown> =>
  withSandbox(tape, (source) => Effect.flip(source.trades("sandbox", market, latest(10))), {
    over: (path) => (path.endsWith("/trades") ? answer : undefined),
    limits: { attempts: 1, ...limits }
  })

const status = (code: number, body = '{"message":"no"}'): StubAnswer => ({ status: code, body })

const cases: ReadonlyArray<readonly [name: string, reason: ExchangeErrorReason, answer: StubAnswer]> = [
  ...[429, 418].map((code) => [`status ${code}`, "Busy", status(code)] as const),
  ...[408, 504].map((code) => [`status ${code}`, "Timeout", status(code)] as const),
  ...[500, 502, 503, 507, 520].map((code) => [`status ${code}`, "Unavailable", status(code, "<html>")] as const),
  ...[401, 403, 451].map((code) => [`status ${code}`, "Refused", status(code)] as const),
  ...[400, 402, 404, 409, 422].map((code) => [`status ${code}`, "Rejected", status(code)] as const),
  ["an unusual status and an empty list", "Rejected", status(402, "[]")],
  ["an unusual server error and an empty list", "Unavailable", status(599, "[]")],
  ["a redirect", "Unavailable", { status: 302, headers: { location: "http://127.0.0.1:1/" }, body: "" }],
  ["a body cut by the socket", "Unavailable", { body: page.slice(0, 900), cut: true }],
  [
    "an HTML page",
    "BadResponse",
    { body: "<html><body>Maintenance</body></html>", headers: { "content-type": "text/html" } }
  ],
  ["an HTML page that says it is JSON", "BadResponse", { body: "<html></html>" }],
  ["truncated JSON of the right length", "BadResponse", { body: page.slice(0, 900) }],
  ["an empty body", "BadResponse", { body: "" }],
  ["JSON null", "BadResponse", { body: "null" }],
  ["a JSON text", "BadResponse", { body: '"soon"' }],
  ["an empty object", "BadResponse", { body: "{}" }],
  ["a message in place of the list", "BadResponse", { body: '{"message":"hello"}' }],
  ["a list that moved", "BadResponse", { body: `{"trades":${page}}` }],
  ["a row that is no object", "BadResponse", { body: "[1,2]" }],
  ["a null row", "BadResponse", { body: "[null]" }],
  ["a null price", "BadResponse", { body: withRow({ price: null }) }],
  ["a renamed price", "BadResponse", { body: withRow({ price: undefined, px: "1" }) }],
  ["a price of zero", "BadResponse", { body: withRow({ price: "0.00" }) }],
  ["a negative price", "BadResponse", { body: withRow({ price: "-1" }) }],
  ["a price that is no number", "BadResponse", { body: withRow({ price: "n/a" }) }],
  ["a size of zero", "BadResponse", { body: withRow({ size: "0" }) }],
  ["no side", "BadResponse", { body: withRow({ side: undefined }) }],
  ["an unknown side", "BadResponse", { body: withRow({ side: "BUY " }) }],
  ["no id", "BadResponse", { body: withRow({ trade_id: undefined }) }],
  ["an id that is an object", "BadResponse", { body: withRow({ trade_id: {} }) }],
  ["an empty id", "BadResponse", { body: withRow({ trade_id: "" }) }],
  ["an id without end", "BadResponse", { body: withRow({ trade_id: "7".repeat(200) }) }],
  ["no time", "BadResponse", { body: withRow({ time: undefined }) }],
  ["a time of zero", "BadResponse", { body: withRow({ time: "1970-01-01T00:00:00Z" }) }],
  ["a time in the future", "BadResponse", { body: withRow({ time: "2199-01-01T00:00:00Z" }) }]
]

describe("an exchange that fails", { timeout: 60_000 }, () => {
  it.live.each(cases)("with %s is reported as %s", ([, reason, answer]) =>
    Effect.gen(function* () {
      const error = yield* failure(answer)
      assert.strictEqual(error.reason, reason, error.message)
      assert.match(error.message, /^The exchange "sandbox" .+\.$/)
      assert.notMatch(error.message, /https?:|127\.0\.0\.1|<html/)
    })
  )

  it.live("that does not answer is reported in time, and its socket is closed", () =>
    withSandbox(
      tape,
      (source, stub) =>
        Effect.gen(function* () {
          const error = yield* Effect.flip(source.trades("sandbox", market, latest(10)))
          assert.strictEqual(error.reason, "Timeout")
          while (stub.open.now > 0) yield* Effect.sleep(5)
        }),
      {
        over: (path) => (path.endsWith("/trades") ? { body: "", hang: true } : undefined),
        limits: { attempts: 1, requestMs: 100 }
      }
    )
  )

  it.live("is asked again after a server error, up to the limit", () => {
    let calls = 0
    return withSandbox(
      tape,
      (source) =>
        Effect.gen(function* () {
          const result = yield* source.trades("sandbox", market, latest(3))
          assert.deepStrictEqual(ids(result), [48, 49, 50])
          assert.strictEqual(calls, 3)
          calls = -100
          const error = yield* Effect.flip(source.trades("sandbox", { base: "ETH", quote: "USD" }, latest(3)))
          assert.strictEqual(error.reason, "Unavailable")
          assert.strictEqual(calls, -96)
        }),
      { over: (path) => (path.endsWith("/trades") && ++calls < 3 ? status(503) : undefined) }
    )
  })

  it.live.each([
    ["is never asked again before its Retry-After", { attempts: 2 }, "success", 2],
    ["gets no other call either before its Retry-After", { attempts: 1 }, "Busy", 3]
  ] as const)("%s", ([, limits, outcome, requests]) => {
    const sent: Array<number> = []
    return withSandbox(
      tape,
      (source) =>
        Effect.gen(function* () {
          const call = (base: string) => source.trades("sandbox", { base, quote: "USD" }, latest(3))
          const result = yield* Effect.result(call("BTC"))
          assert.strictEqual(Result.isFailure(result) ? result.failure.reason : "success", outcome)
          if (outcome === "Busy") yield* Effect.all([call("BTC"), call("ETH")], { concurrency: "unbounded" })
          const [first = 0, ...others] = sent
          assert.strictEqual(sent.length, requests)
          for (const time of others) assert.isAtLeast(time - first, 990)
        }),
      {
        over: (path) => {
          if (!path.endsWith("/trades")) return undefined
          return sent.push(performance.now()) === 1 ? { ...status(429), headers: { "retry-after": "1" } } : undefined
        },
        limits
      }
    )
  })

  it.live("is not awaited beyond the deadline, and the error states when to retry", () =>
    Effect.gen(function* () {
      const error = yield* failure({ ...status(429), headers: { "retry-after": "60" } }, { attempts: 4 })
      assert.strictEqual(error.reason, "Busy")
      assert.strictEqual(error.retryAfterMs, 60_000)
    })
  )

  it.live("five times in a row gets no further request", () =>
    withSandbox(
      tape,
      (source, stub) =>
        Effect.gen(function* () {
          for (let call = 0; call < 5; call++) {
            assert.strictEqual((yield* Effect.flip(source.trades("sandbox", market, latest(10)))).reason, "BadResponse")
          }
          const sent = stub.requests.length
          const error = yield* Effect.flip(source.trades("sandbox", market, latest(10)))
          assert.strictEqual(error.reason, "Unavailable")
          assert.isAbove(error.retryAfterMs ?? 0, 10_000)
          assert.strictEqual(stub.requests.length, sent)
        }),
      { over: (path) => (path.endsWith("/trades") ? { body: "" } : undefined) }
    )
  )

  it.live.each([
    ["rejects every request for one market", status(400), "rejected the request (status 400)"],
    [
      "sends a row of one market that cannot be read",
      { body: withRow({ price: null }) },
      'a trade has no valid "price"'
    ]
  ] as const)("that %s still gets the requests for the others", ([, answer, message]) =>
    withSandbox(
      tape,
      (source) =>
        Effect.gen(function* () {
          for (let call = 0; call < 6; call++) {
            const error = yield* Effect.flip(source.trades("sandbox", market, latest(10)))
            assert.include(error.message, message)
          }
          assert.deepStrictEqual(
            ids(yield* source.trades("sandbox", { base: "ETH", quote: "USD" }, latest(2))),
            [49, 50]
          )
        }),
      { over: (path) => (path.endsWith("/BTC-USD/trades") ? answer : undefined) }
    )
  )

  it.live("with a bad list of markets is asked for it again by the next caller", () => {
    let calls = 0
    return withSandbox(
      tape,
      (source) =>
        Effect.gen(function* () {
          assert.strictEqual((yield* Effect.flip(source.trades("sandbox", market, latest(2)))).reason, "BadResponse")
          assert.deepStrictEqual(ids(yield* source.trades("sandbox", market, latest(2))), [49, 50])
        }),
      { over: (path) => (path === "/products" && ++calls === 1 ? { body: "[]" } : undefined) }
    )
  })
})
