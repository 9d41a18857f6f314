import { Decimal } from "@chaintape/core"
import { Faults } from "@chaintape/core/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { TestClock } from "effect/testing"
import * as Operations from "../../src/api/CexOperations.ts"
import * as Dex from "../../src/api/DexOperations.ts"
import { Market } from "../../src/cex/Market.ts"
import { Client } from "../../src/client/Client.ts"
import { makeTrigger } from "../../src/testing/FaultTrigger.ts"

const market = Market.make("BTC/USD")
const place = { exchange: "stub", market }

/** A trade every millisecond, from 0 to 999. */
const tape = Array.from({ length: 1000 }, (_, at) => ({
  id: `t${at}`,
  timestamp: String(at),
  price: 100 + at,
  size: 1,
  cost: 100 + at,
  side: "buy"
}))

/** A service that responds correctly, and counts the requests that reach it. */
const service = () => {
  const reached: Array<string> = []
  const answer = ({ pathname, searchParams }: URL): Response => {
    reached.push(pathname)
    if (pathname.startsWith("/v2/dex")) {
      const block = searchParams.get("block") ?? "0"
      return Response.json([], { headers: { "chaintape-as-of": `number=${block}, hash="0xabc0", finalized=?0` } })
    }
    if (pathname.endsWith("/lasttrade")) return Response.json({ exchange: "stub", market, ...tape.at(-1) })
    if (!pathname.endsWith("/trades")) return Response.json([{ id: "stub", name: "Stub" }])
    const limit = Number(searchParams.get("limit") ?? 200)
    const since = searchParams.get("since")
    const trades =
      since === null
        ? tape.slice(-limit)
        : tape.filter(({ timestamp }) => Number(timestamp) >= Number(since)).slice(0, limit)
    const headers = {
      "chaintape-coverage": `complete=?1, from=${trades[0]?.timestamp ?? 0}, to=${trades.at(-1)?.timestamp ?? 0}`
    }
    return Response.json({ exchange: "stub", market, trades }, { headers })
  }
  const layer = Layer.succeed(
    HttpClient.HttpClient,
    HttpClient.make((request, url) => Effect.sync(() => HttpClientResponse.fromWeb(request, answer(url))))
  )
  return { layer, reached }
}

/** Calls over a fault, with a client that tries once. */
const over = (fault: Faults.Fault, attempts = 1) => {
  const { layer, reached } = service()
  const client = Client.layerNoDeps({ baseUrl: "http://stub.test", retry: { attempts } })
  return { client: client.pipe(Layer.provide(fault), Layer.provide(layer)), reached }
}

const outcome = Effect.gen(function* () {
  const { call } = yield* Client
  const result = yield* Effect.result(call(Operations.exchanges, {}))
  return result._tag === "Success" ? "answered" : result.failure._tag
})

const outcomes = (count: number) => Effect.replicateEffect(outcome, count)

/** Which of 300 requests fail. */
const drawn = (when: Faults.FaultTrigger) =>
  Effect.flatMap(makeTrigger(when), (strikes) => Effect.replicateEffect(strikes(new URL("http://stub.test/")), 300))

const lastTrade = Effect.gen(function* () {
  const { call } = yield* Client
  return yield* call(Operations.lastTrade, place)
})

describe("faults", () => {
  it.effect("strike exactly the requests that are results", () =>
    Effect.gen(function* () {
      const { client, reached } = over(Faults.outage({ skip: 1, first: 2 }))
      assert.deepStrictEqual(yield* Effect.provide(outcomes(5), client), [
        "answered",
        "TransportError",
        "TransportError",
        "answered",
        "answered"
      ])
      assert.lengthOf(reached, 3)
    })
  )

  it.effect("strike only the paths that are results, and do not count the others", () =>
    Effect.gen(function* () {
      const { client } = over(Faults.undecodable({ first: 1, path: /lasttrade$/ }))
      const results = yield* Effect.provide(Effect.all([outcome, Effect.flip(lastTrade), lastTrade]), client)
      assert.strictEqual(results[0], "answered")
      assert.strictEqual(results[1]._tag, "UnexpectedResponse")
      assert.strictEqual(results[2].value.price, Decimal.make("1099"))
    })
  )

  it.effect("strike between two times of the test's clock", () =>
    Effect.gen(function* () {
      const { client } = over(Faults.outage({ from: "10 seconds", until: "40 seconds" }))
      yield* Effect.gen(function* () {
        const seen: Array<string> = []
        for (const wait of [9_999, 1, 29_999, 1]) {
          yield* TestClock.adjust(Duration.millis(wait))
          seen.push(yield* outcome)
        }
        assert.deepStrictEqual(seen, ["answered", "TransportError", "TransportError", "answered"])
      }).pipe(Effect.provide(client))
    })
  )

  const shares = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10 }))
  it.effect.prop(
    "strike the drawn share, and the same requests every time",
    [shares, Schema.String],
    ([tenths, seed]) =>
      Effect.gen(function* () {
        const first = yield* drawn({ share: tenths / 10, seed })
        assert.deepStrictEqual(yield* drawn({ share: tenths / 10, seed }), first)
        const struck = first.filter((one) => one).length / 300
        // Six standard deviations.
        assert.closeTo(struck, tenths / 10, 0.18)
        if (tenths === 0 || tenths === 10) assert.strictEqual(struck, tenths / 10)
      })
  )

  it.effect("answer with a rate limit whose wait the client honours", () =>
    Effect.gen(function* () {
      const once = over(Faults.rateLimited({ first: 1, retryAfter: "2500 millis" })).client
      const error = yield* Effect.flip(Effect.provide(lastTrade, once))
      assert.strictEqual(error._tag === "RateLimited" ? error.retryAfterMs : error, 2500)

      const { client, reached } = over(Faults.rateLimited({ first: 2, retryAfter: "2 seconds" }), 4)
      const fiber = yield* Effect.forkChild(Effect.provide(lastTrade, client))
      yield* TestClock.adjust("3999 millis")
      assert.lengthOf(reached, 0)
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* Fiber.join(fiber)).value.price, Decimal.make("1099"))
      assert.lengthOf(reached, 1)
    })
  )

  it.effect("delay by the test's clock, between the two bounds, and as long every time", () =>
    Effect.gen(function* () {
      const waits = Effect.gen(function* () {
        const seen: Array<number> = []
        for (let n = 0; n < 20; n++) {
          const start = yield* Clock.currentTimeMillis
          const fiber = yield* Effect.forkChild(Effect.andThen(lastTrade, Clock.currentTimeMillis))
          yield* TestClock.adjust("3 seconds")
          seen.push((yield* Fiber.join(fiber)) - start)
        }
        return seen
      })
      const slow = () => over(Faults.latency({ delay: "1 second", atMost: "3 seconds" })).client
      const first = yield* Effect.provide(waits, slow())
      for (const wait of first) assert.isTrue(wait >= 1000 && wait <= 3000, String(wait))
      assert.isAbove(new Set(first).size, 10)
      assert.deepStrictEqual(yield* Effect.provide(waits, slow()), first)
    })
  )

  it.effect("cut an answer off, which the client does not take for an answer", () =>
    Effect.gen(function* () {
      const { client } = over(Faults.truncated({ first: 1 }))
      const [cut, whole] = yield* Effect.provide(Effect.all([outcome, outcome]), client)
      assert.deepStrictEqual([cut, whole], ["TransportError", "answered"])
    })
  )

  it.effect("replace the hash of a block from a request on, and of no earlier block", () =>
    Effect.gen(function* () {
      const { client } = over(Faults.reorg({ skip: 1, block: 100 }))
      const asOf = (block: number) =>
        Effect.gen(function* () {
          const { call } = yield* Client
          const answer = yield* call(Dex.pools, { exchange: "dex", blockchain: "chain", block })
          return Option.match(answer.asOf, { onNone: () => "none", onSome: ({ hash }) => hash })
        })
      const hashes = yield* Effect.provide(Effect.all([asOf(100), asOf(100), asOf(99), asOf(101)]), client)
      assert.deepStrictEqual(hashes, ["0xabc0", "0x543f", "0xabc0", "0x543f"])
    })
  )

  const millis = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1000 }))
  const limits = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 300 }))
  const windows = Schema.Struct({ a: millis, b: millis, limit: limits, since: Schema.Option(millis) })
  it.effect.prop("leave a gap: as many trades as were asked for, none of it", [windows], ([{ a, b, limit, since }]) =>
    Effect.gen(function* () {
      const [start, end] = [DateTime.makeUnsafe(Math.min(a, b)), DateTime.makeUnsafe(Math.max(a, b))]
      const { client } = over(Faults.gap({ start, end }))
      const { coverage, value } = yield* Effect.provide(
        Effect.flatMap(Client, ({ call }) =>
          call(Operations.trades, {
            ...place,
            limit,
            since: Option.getOrUndefined(Option.map(since, (time) => DateTime.makeUnsafe(time)))
          })
        ),
        client
      )
      const kept = tape.filter(
        ({ timestamp }) => Number(timestamp) < Math.min(a, b) || Number(timestamp) >= Math.max(a, b)
      )
      const expected = Option.match(since, {
        onNone: () => kept.slice(-limit),
        onSome: (time) => kept.filter(({ timestamp }) => Number(timestamp) >= time).slice(0, limit)
      })
      assert.deepStrictEqual(
        value.trades.map(({ id }) => id),
        expected.map(({ id }) => id)
      )
      const plain = Option.match(since, {
        onNone: () => tape.slice(-limit),
        onSome: (time) => tape.filter(({ timestamp }) => Number(timestamp) >= time).slice(0, limit)
      })
      const isWhole = plain.every(({ id }, at) => expected[at]?.id === id)
      assert.strictEqual(
        Option.match(coverage, { onNone: () => "none", onSome: ({ state }) => state }),
        isWhole ? "complete" : "incomplete"
      )
    })
  )

  it.effect("can be combined", () =>
    Effect.gen(function* () {
      const both = Faults.rateLimited({ first: 1 }).pipe(Layer.provide(Faults.outage({ first: 1 })))
      const { client } = over(both)
      assert.deepStrictEqual(yield* Effect.provide(outcomes(3), client), ["RateLimited", "TransportError", "answered"])
    })
  )
})
