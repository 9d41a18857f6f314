import { randomUUID } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Option, Redacted, Ref, Schedule, Schema } from "effect"
import { ExchangeError, ExchangeSource } from "../../src/cex/ExchangeSource.ts"
import type { SourceTrades, TradesWanted } from "../../src/cex/ExchangeSource.ts"
import * as SharedExchangeSource from "../../src/cex/SharedExchangeSource.ts"
import { RedisLink } from "../../src/store/RedisLink.ts"

const redis = process.env["REDIS_URL"] ?? ""

const market = { base: "BTC", quote: "USD" }
const newest: TradesWanted = { limit: 2, since: Option.none(), before: Option.none() }
const opened = { open: "1", high: "3.5", low: "0.5", close: "2", volume: "10.25" }

/** Answers each request with a different price. */
const exchange = Effect.gen(function* () {
  const asked = yield* Ref.make(0)
  const next = Ref.updateAndGet(asked, (count) => count + 1)
  const answer = (count: number): SourceTrades => ({
    trades: [{ id: "7", timestamp: 1_700_000_000_123, price: `${count}.5`, size: "0.1", cost: "0.15", side: "sell" }],
    completeness: "unverifiable"
  })
  const source = ExchangeSource.of({
    markets: () => Effect.succeed([]),
    candles: () => Effect.succeed([]),
    trades: (id) =>
      id === "broken"
        ? Effect.andThen(next, new ExchangeError({ exchange: id, reason: "Unavailable", message: "It is away." }))
        : Effect.map(next, answer),
    lastCandle: (id) =>
      Effect.map(next, (count) => (id === "empty" ? Option.none() : Option.some({ start: count, ...opened })))
  })
  return { source, asked: Ref.get(asked) }
})

/** An instance with its own exchange, so that a result shows who requested it. */
const instanceWith = (link: Layer.Layer<RedisLink>) =>
  Effect.gen(function* () {
    const { asked, source } = yield* exchange
    const built = yield* Layer.build(
      Layer.fresh(SharedExchangeSource.layer).pipe(
        Layer.provide(Layer.succeed(ExchangeSource, source)),
        Layer.provideMerge(Layer.fresh(link))
      )
    )
    const { prefix, send } = Context.get(built, RedisLink)
    return { asked, prefix, send, ...Context.get(built, ExchangeSource) }
  })

const instance = (prefix: string) =>
  Effect.tap(instanceWith(RedisLink.layer(Redacted.make(redis), prefix)), ({ send }) =>
    Effect.repeat(send(["PING"], Option.some), { until: Option.isSome, schedule: Schedule.spaced("20 millis") })
  )

const pair = Effect.gen(function* () {
  const prefix = `chaintape-test-${randomUUID()}:`
  const [one, two] = [yield* instance(prefix), yield* instance(prefix)]
  const keys = Effect.map(
    one.send(["KEYS", `${prefix}*`], Schema.decodeUnknownOption(Schema.Array(Schema.String))),
    Option.getOrThrow
  )
  /** Requests until Redis has the result, which then stays there. */
  const untilStored = <A, E>(call: Effect.Effect<A, E>) =>
    Effect.gen(function* () {
      const answer = yield* call
      const persisted = yield* Effect.forEach(yield* keys, (name) => one.send(["PERSIST", name], Option.some))
      return { answer, isStored: persisted.some((count) => Option.contains(count, 1)) }
    }).pipe(
      Effect.repeat({ until: ({ isStored }) => isStored }),
      Effect.map(({ answer }) => answer)
    )
  const forget = Effect.flatMap(keys, (names) => Effect.forEach(names, (name) => one.send(["DEL", name], Option.some)))
  return { one, two, keys, untilStored, forget }
})

const decodeTime = Schema.decodeUnknownSync(Schema.Int)

describe.skipIf(redis === "")("instances that share a Redis (REDIS_URL)", () => {
  it.live("ask an exchange once for its newest trades, and again when they are old", () =>
    Effect.gen(function* () {
      const { forget, untilStored, one, two } = yield* pair
      const first = yield* untilStored(one.trades("a", market, newest))
      assert.deepStrictEqual(yield* two.trades("a", market, newest), first)
      assert.strictEqual(yield* two.asked, 0)
      yield* forget
      assert.strictEqual((yield* two.trades("a", market, newest)).trades[0]?.price, "1.5")
      assert.strictEqual(yield* two.asked, 1)
    }).pipe(Effect.scoped)
  )

  it.live("store a response for half a second", () =>
    Effect.gen(function* () {
      const { keys, one } = yield* pair
      yield* one.trades("a", market, newest)
      // An entry that has already expired was not stored longer.
      for (const key of yield* keys) {
        const left = yield* one.send(["PTTL", key], Option.some)
        const ms = decodeTime(Option.getOrThrow(left))
        assert.isTrue(ms === -2 || (ms >= 0 && ms <= 500), `${ms} ms`)
      }
    }).pipe(Effect.scoped)
  )

  it.live("ask once for the newest candle, also where there is none", () =>
    Effect.gen(function* () {
      const { untilStored, one, two } = yield* pair
      const first = yield* untilStored(one.lastCandle("a", market, "1h"))
      assert.isTrue(Option.isSome(first))
      const none = yield* untilStored(one.lastCandle("empty", market, "1h"))
      assert.deepStrictEqual(yield* two.lastCandle("a", market, "1h"), first)
      assert.deepStrictEqual(yield* two.lastCandle("empty", market, "1h"), none)
      assert.strictEqual(yield* two.asked, 0)
    }).pipe(Effect.scoped)
  )

  it.live("distinguish exchanges, markets, limits and lengths", () =>
    Effect.gen(function* () {
      const { untilStored, one, two } = yield* pair
      yield* untilStored(one.trades("a", market, newest))
      yield* untilStored(one.lastCandle("a", market, "1h"))
      yield* two.trades("b", market, newest)
      yield* two.trades("a", { base: "BTC", quote: "EUR" }, newest)
      yield* two.trades("a", market, { ...newest, limit: 3 })
      yield* two.lastCandle("a", market, "1d")
      assert.strictEqual(yield* two.asked, 4)
    }).pipe(Effect.scoped)
  )

  it.live("do not share older trades, more than a page, or failures", () =>
    Effect.gen(function* () {
      const { keys, one } = yield* pair
      yield* one.trades("a", market, { ...newest, since: Option.some(1_700_000_000_000) })
      yield* one.trades("a", market, { ...newest, before: Option.some({ id: "7", timestamp: 1_700_000_000_000 }) })
      yield* one.trades("a", market, { ...newest, limit: 1001 })
      yield* Effect.flip(one.trades("broken", market, newest))
      assert.deepStrictEqual(yield* keys, [])
      assert.strictEqual(yield* one.asked, 4)
    }).pipe(Effect.scoped)
  )

  it.live("ignore stored values that they would not have written", () =>
    Effect.gen(function* () {
      const { untilStored, keys, one, two } = yield* pair
      yield* untilStored(one.trades("a", market, newest))
      const [key = ""] = yield* keys
      const shared = yield* one.trades("a", market, newest)
      const foreign = JSON.stringify({ ...shared, trades: shared.trades.map((trade) => ({ ...trade, price: "1.50" })) })
      for (const text of ["", "{", "null", foreign, '{"trades":[{"id":"7","price":1.5}],"completeness":"complete"}']) {
        yield* one.send(["SET", key, text], Option.some)
        const before = yield* two.asked
        yield* two.trades("a", market, newest)
        assert.strictEqual(yield* two.asked, before + 1, text)
      }
    }).pipe(Effect.scoped)
  )
})

describe("an instance without Redis", () => {
  it.live("calls the exchange for each read", () =>
    Effect.gen(function* () {
      const alone = yield* instanceWith(RedisLink.layerNone)
      assert.strictEqual((yield* alone.trades("a", market, newest)).trades[0]?.price, "1.5")
      assert.strictEqual((yield* alone.trades("a", market, newest)).trades[0]?.price, "2.5")
    }).pipe(Effect.scoped)
  )
})
