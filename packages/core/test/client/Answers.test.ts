import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as BlocksOperations from "../../src/api/BlocksOperations.ts"
import * as Operations from "../../src/api/CexOperations.ts"
import * as System from "../../src/api/SystemOperations.ts"
import { Market } from "../../src/cex/Market.ts"
import { type Behaviour, json, problem, stubService, text } from "./StubService.ts"

const retry = { attempts: 1 }
const market = Market.make("BTC/USD")
const noTrades = { exchange: "kraken", market: "BTC/USD", trades: [] }

const pingError = (answer: ReturnType<Behaviour>) =>
  stubService(() => answer, { retry }).pipe(Effect.flatMap(({ client }) => Effect.flip(client.call(System.ping, {}))))

const tradesWith = (headers: Record<string, string>) =>
  stubService(() => json(noTrades, 200, headers), { retry }).pipe(
    Effect.flatMap(({ client }) => client.call(Operations.trades, { exchange: "kraken", market }))
  )

describe("an unexpected response", () => {
  it.effect("is of another program if it begins as no JSON of this interface", () =>
    Effect.gen(function* () {
      const error = yield* pingError(text("OK"))
      assert.deepInclude(error, { _tag: "UnexpectedResponse", status: 200, isRetryable: false })
    })
  )

  it.effect("is cut off when its JSON is", () =>
    Effect.gen(function* () {
      const error = yield* pingError(text('{"ping":"pong","i'))
      assert.strictEqual(error._tag, "TransportError")
      assert.include(error.message, "cut off")
    })
  )

  it.effect("names the member that is wrong, and the status", () =>
    Effect.gen(function* () {
      const error = yield* pingError(json({ ping: "pong", ip: 7 }))
      assert.deepInclude(error, { _tag: "UnexpectedResponse", status: 200, operation: "system.ping" })
      assert.include(error.message, '["ip"]')
    })
  )

  it.effect("can be the problem of another operation", () =>
    Effect.gen(function* () {
      const error = yield* pingError(problem(404, "exchange-not-found", { exchange: "nowhere" }))
      assert.deepInclude(error, { _tag: "UnexpectedResponse", status: 404 })
      assert.include(error.message, 'the problem "exchange-not-found"')
    })
  )

  it.effect("can be the problem of a later version", () =>
    Effect.gen(function* () {
      const error = yield* pingError(problem(418, "teapot"))
      assert.deepInclude(error, { _tag: "UnexpectedResponse", status: 418, isRetryable: false })
      assert.include(error.message, 'the problem "teapot"')
    })
  )

  it.effect("can be a problem without its members", () =>
    Effect.gen(function* () {
      const error = yield* pingError(json({ code: "invalid-parameter" }, 400))
      assert.deepInclude(error, { _tag: "UnexpectedResponse", status: 400 })
    })
  )

  it.effect.each(["null", "[]", "7", '"text"', "", "<html></html>"])("is the body %s with an error's status", (body) =>
    Effect.gen(function* () {
      const error = yield* pingError(text(body, 404))
      assert.deepInclude(error, { _tag: "UnexpectedResponse", status: 404 })
      assert.include(error.message, "a body that is no problem of this interface")
    })
  )

  it.effect.each([201, 204, 302, 304])("is any other success, such as %i", (status) =>
    Effect.gen(function* () {
      const error = yield* pingError(Effect.sync(() => new Response(null, { status })))
      assert.deepInclude(error, { _tag: "UnexpectedResponse", status })
    })
  )
})

describe("an answer", () => {
  it.effect("may hold members that this version does not know", () =>
    Effect.gen(function* () {
      const { client } = yield* stubService(() => json([{ name: "Kraken", id: "kraken", since: 2011 }]), { retry })
      const { value } = yield* client.call(Operations.exchanges, {})
      assert.deepStrictEqual(
        value.map(({ id, name }) => ({ id, name })),
        [{ id: "kraken", name: "Kraken" }]
      )
    })
  )

  it.effect("without headers says nothing about its value", () =>
    Effect.gen(function* () {
      const { asOf, candleClosed, coverage, remaining, requestId, source } = yield* tradesWith({})
      const none = Option.none()
      assert.deepStrictEqual([asOf, candleClosed, coverage, remaining, requestId, source], Array(6).fill(none))
    })
  )

  it.effect("says where its value came from, and what is left of the budget", () =>
    Effect.gen(function* () {
      const answer = yield* tradesWith({
        "x-request-id": "r-1",
        "chaintape-source": "record",
        "ratelimit-remaining": "299"
      })
      assert.deepStrictEqual(answer.requestId, Option.some("r-1"))
      assert.deepStrictEqual(answer.source, Option.some("record"))
      assert.deepStrictEqual(answer.remaining, Option.some(299))
    })
  )

  it.effect("resets its budget after milliseconds", () =>
    Effect.gen(function* () {
      const { resetAfterMs } = yield* tradesWith({ "ratelimit-reset": "2" })
      assert.deepStrictEqual(resetAfterMs, Option.some(2000))
    })
  )

  it.effect.each(["", " ", "1e3", "0x10", "-1", "1.5", "99999999999999999"])("ignores the budget %j", (header) =>
    Effect.gen(function* () {
      const answer = yield* tradesWith({ "ratelimit-remaining": header, "ratelimit-reset": header })
      assert.deepStrictEqual([answer.remaining, answer.resetAfterMs], [Option.none(), Option.none()])
    })
  )

  it.effect.each([
    ["complete=?1, from=1, to=2", "complete"],
    ["complete=?0, from=1, to=2", "incomplete"],
    ["verifiable=?0, from=1, to=2", "unverifiable"]
  ])("with the coverage %s is %s", ([header, state]) =>
    Effect.gen(function* () {
      const { coverage } = yield* tradesWith({ "chaintape-coverage": header ?? "" })
      assert.deepStrictEqual(
        Option.map(coverage, (said) => [said.state, said.from, said.to]),
        Option.some([state, Option.some(DateTime.makeUnsafe(1)), Option.some(DateTime.makeUnsafe(2))])
      )
    })
  )

  it.effect("is as of a block", () =>
    Effect.gen(function* () {
      const headers = { "chaintape-as-of": 'number=123, hash="0xab", finalized=?0' }
      const { client } = yield* stubService(() => json([], 200, headers), { retry })
      const { asOf } = yield* client.call(BlocksOperations.blocks, { blockchain: "ethereum" })
      assert.deepStrictEqual(asOf, Option.some({ number: 123n, hash: "0xab", finalized: false, proven: false }))
    })
  )

  it.effect.each([
    ["closed=?1", true],
    ["closed=?0", false]
  ] as const)("with the candle %s", ([header, closed]) =>
    Effect.gen(function* () {
      const { candleClosed } = yield* tradesWith({ "chaintape-candle": header })
      assert.deepStrictEqual(candleClosed, Option.some(closed))
    })
  )
})
