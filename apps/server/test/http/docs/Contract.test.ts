import { Api } from "@chaintape/contract"
import { Exchange, Market } from "@chaintape/core"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer, Option, Redacted } from "effect"
import type { Scope } from "effect"
import { HttpServer } from "effect/http"
import { HttpApiTest } from "effect/http-api"
import { TestClock } from "effect/testing"
import * as KeyAuthorization from "../../../src/auth/authorization/KeyAuthorization.ts"
import { CallerAddress } from "../../../src/auth/CallerAddress.ts"
import { ApiKeys } from "../../../src/auth/keys/ApiKeys.ts"
import { Admissions } from "../../../src/auth/limits/Admissions.ts"
import { Limiter } from "../../../src/auth/limits/Limiter.ts"
import { toLimits } from "../../../src/auth/limits/Plans.ts"
import { UnauthenticatedRequests } from "../../../src/auth/limits/UnauthenticatedRequests.ts"
import { Usage } from "../../../src/auth/usage/Usage.ts"
import { BlocksHandlers } from "../../../src/blocks/api/BlocksHandlers.ts"
import { BulkResponses } from "../../../src/cex/api/BulkResponses.ts"
import { CexHandlers } from "../../../src/cex/api/CexHandlers.ts"
import { Candles } from "../../../src/cex/candles/Candles.ts"
import { Exchanges } from "../../../src/cex/Exchanges.ts"
import type { SourceTrade } from "../../../src/cex/ExchangeSource.ts"
import { ExchangeError, ExchangeSource } from "../../../src/cex/ExchangeSource.ts"
import { Markets } from "../../../src/cex/markets/Markets.ts"
import { RecordedMarkets } from "../../../src/cex/trades/RecordedMarkets.ts"
import { Trades } from "../../../src/cex/trades/Trades.ts"
import * as ParameterCheck from "../../../src/http/request/ParameterCheck.ts"
import { SystemHandlers } from "../../../src/http/SystemHandlers.ts"
import { SourceHealth } from "../../../src/sources/SourceHealth.ts"
import { TapeRetention } from "../../../src/status/TapeRetention.ts"
import { RedisLink } from "../../../src/store/RedisLink.ts"
import { blocksOver, chainOf, sourceOf } from "../../blocks/SyntheticChain.ts"
import { noRecordedMarkets, noRecordingStatuses } from "../../NoSources.ts"
import { storeInMemory, usageInMemory } from "../../RunningService.ts"

const apiKey = "a-key-of-the-contract-tests"
const market = Market.make("BTC/USD")

const trade = (id: number): SourceTrade => ({
  id: String(id),
  timestamp: 1_000_000 + id,
  price: "0.00000000000000000001234567890123456789",
  size: "123456789012345678901234567890.1",
  cost: "1524157.875323883675019051998750190521",
  side: "buy"
})

const known = new Exchange({
  name: "Known",
  id: "known",
  countries: ["US"],
  hasTrades: true,
  hasAggregates: true,
  aggregateTimeframes: { "1m": 60, "1h": 3600 },
  url: "https://known.example",
  fees: "https://known.example/fees",
  docs: "",
  logo: ""
})
const mute = new Exchange({
  ...known,
  id: "mute",
  hasTrades: false,
  hasAggregates: false,
  aggregateTimeframes: {},
  fees: []
})

/** BTC/USD has ten trades, NEW/USD none, BUSY/USD and the like fail as they are called. */
const source = Layer.succeed(ExchangeSource, {
  markets: (exchange) =>
    exchange === "known"
      ? Effect.succeed([
          { base: "ETH", quote: "USD", active: false },
          { base: "BTC", quote: "USD", active: true },
          { base: "AN-ODD", quote: "USD", active: true }
        ])
      : Effect.fail(new ExchangeError({ exchange, reason: "NotSupported", message: "It has no list." })),
  trades: (exchange, { base }, { limit, since }) => {
    const failures = {
      BUSY: "Busy",
      SLOW: "Timeout",
      DOWN: "Unavailable",
      SHUT: "Refused",
      ODD: "BadResponse"
    } as const
    const [, reason] = Object.entries(failures).find(([name]) => name === base) ?? []
    if (reason !== undefined)
      return Effect.fail(new ExchangeError({ exchange, reason, message: "It failed.", retryAfterMs: 2500 }))
    if (base === "NEW") return Effect.succeed({ trades: [], completeness: "unverifiable" as const })
    if (base !== "BTC")
      return Effect.fail(new ExchangeError({ exchange, reason: "MarketNotFound", message: "There is none." }))
    const all = Array.from({ length: 10 }, (_, index) => trade(index + 1))
    const from = Option.match(since, {
      onNone: () => all.slice(-limit),
      onSome: (time) => all.filter(({ timestamp }) => timestamp >= time).slice(0, limit)
    })
    return Effect.succeed({ trades: from, completeness: "incomplete" as const })
  },
  lastCandle: (_, { base }) =>
    Effect.succeed(
      base === "NEW"
        ? Option.none()
        : Option.some({
            start: 60_000,
            open: "1.10",
            high: "2",
            low: "1e0".replace("e0", ""),
            close: "1.5",
            volume: "10"
          })
    ),
  candles: (_, { base }, { from, to }) =>
    Effect.succeed(
      base === "NEW"
        ? []
        : [60_000, 120_000, 240_000]
            .filter((start) => start >= from && start <= to)
            .map((start) => ({ start, open: "1.10", high: "2", low: "1", close: "1.5", volume: "10" }))
    )
})

const recorded = Layer.effect(
  RecordedMarkets,
  Effect.map(RecordedMarkets, (none) => ({ ...none, beginnings: () => Effect.succeed(new Map([["BTC/USD", 1234]])) }))
).pipe(Layer.provide(noRecordedMarkets))

const limits = toLimits()
const keys = ApiKeys.layer.pipe(Layer.provide(storeInMemory))
const usage = Layer.merge(Usage.layer.pipe(Layer.provide(usageInMemory)), RedisLink.layerNone)
const cex = Layer.mergeAll(Trades.layer, Candles.layer, Markets.layer, BulkResponses.layer).pipe(
  Layer.provideMerge(Exchanges.layer([known, mute])),
  Layer.provide([source, recorded, SourceHealth.layer([])])
)
const blocks = blocksOver(sourceOf(() => chainOf([10, 20, 30])))

const handlers = Layer.mergeAll(
  SystemHandlers,
  CexHandlers.pipe(Layer.provide([cex, noRecordingStatuses, TapeRetention.layerNone])),
  BlocksHandlers.pipe(Layer.provide(blocks))
)
const middleware = Layer.mergeAll(
  ParameterCheck.layer,
  KeyAuthorization.layer.pipe(
    Layer.provide(Admissions.layer(limits).pipe(Layer.provide(Limiter.layer), Layer.provide(usage))),
    Layer.provideMerge(keys),
    Layer.provide(UnauthenticatedRequests.layer(limits))
  ),
  HttpServer.layerServices
)
const surroundings = handlers.pipe(Layer.provideMerge(middleware), Layer.provide(CallerAddress.layer()))

const groups = ["system", "cex", "blocks"] as const
const client = Effect.gen(function* () {
  yield* Effect.flatMap(ApiKeys, ({ install }) => install("one", Redacted.make(apiKey)))
  return yield* HttpApiTest.groups(Api, groups)
})

const run = <A, E>(
  test: (api: Effect.Success<typeof client>) => Effect.Effect<A, E, Layer.Success<typeof surroundings> | Scope.Scope>
) => Effect.flatMap(client, test).pipe(Effect.scoped, Effect.provide(surroundings))

const query = { apiKey }
const pair = { exchange: "known", market }

describe("the contract", () => {
  it.effect("reads exchanges", () =>
    run((api) =>
      Effect.gen(function* () {
        const list = yield* api.cex.exchanges({ params: {}, query })
        assert.deepStrictEqual(
          list.map(({ id, name }) => [id, name]),
          [
            ["known", "Known"],
            ["mute", "Known"]
          ]
        )
        assert.deepStrictEqual(yield* api.cex.exchange({ params: { exchange: "known" }, query }), known)
      })
    )
  )

  it.effect("lists the markets that a path can name, and since when they are recorded", () =>
    run((api) =>
      Effect.gen(function* () {
        const list = yield* api.cex.markets({ params: { exchange: "known" }, query })
        assert.deepStrictEqual(list, [
          {
            market,
            base: "BTC",
            quote: "USD",
            active: true,
            recorded: true,
            recordedSince: Option.some(DateTime.makeUnsafe(1234))
          },
          {
            market: Market.make("ETH/USD"),
            base: "ETH",
            quote: "USD",
            active: false,
            recorded: false,
            recordedSince: Option.none()
          }
        ])
        const refused = yield* Effect.flip(api.cex.markets({ params: { exchange: "mute" }, query }))
        assert.deepInclude(refused, { _tag: "OperationNotSupported", detail: "It has no list." })
        const unknown = yield* Effect.flip(api.cex.markets({ params: { exchange: "nowhere" }, query }))
        assert.strictEqual(unknown._tag, "ExchangeNotFound")
      })
    )
  )

  it.effect("reads trades by limit and by time", () =>
    run((api) =>
      Effect.gen(function* () {
        const latest = yield* api.cex.trades({ params: pair, query: { ...query, limit: 3 } })
        assert.deepStrictEqual(
          latest.trades.map(({ id }) => id),
          ["8", "9", "10"]
        )
        const since = yield* api.cex.trades({
          params: pair,
          query: { ...query, limit: 2, since: DateTime.makeUnsafe(1_000_004) }
        })
        assert.deepStrictEqual(
          since.trades.map(({ timestamp }) => DateTime.toEpochMillis(timestamp)),
          [1_000_004, 1_000_005]
        )
        assert.strictEqual((yield* api.cex.lastTrade({ params: pair, query })).id, "10")
      })
    )
  )

  it.effect("calls a candle closed when no late trade can change it", () =>
    run((api) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(100_000)
        const candle = yield* api.cex.lastCandle({ params: { ...pair, timeframe: "1m" }, query })
        assert.deepStrictEqual([DateTime.toEpochMillis(candle.openTime), candle.open, candle.low], [60_000, "1.1", "1"])
      })
    )
  )

  it.effect.each([
    ["AAA/USD", "MarketNotFound"],
    ["BUSY/USD", "UpstreamBusy"],
    ["SLOW/USD", "UpstreamTimeout"],
    ["DOWN/USD", "UpstreamFailed"],
    ["SHUT/USD", "UpstreamFailed"],
    ["ODD/USD", "UpstreamFailed"],
    ["NEW/USD", "NoData"]
  ] as const)("the last trade of %s is %s", ([name, tag]) =>
    run((api) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(
          api.cex.lastTrade({ params: { exchange: "known", market: Market.make(name) }, query })
        )
        assert.strictEqual(error._tag, tag)
        if (error._tag === "UpstreamBusy") assert.strictEqual(error.retryAfterMs, 2500)
      })
    )
  )

  it.effect("an empty list of trades is a success, a missing candle is a problem", () =>
    run((api) =>
      Effect.gen(function* () {
        const fresh = { exchange: "known", market: Market.make("NEW/USD") }
        assert.deepStrictEqual((yield* api.cex.trades({ params: fresh, query: { ...query, limit: 5 } })).trades, [])
        const error = yield* Effect.flip(api.cex.lastCandle({ params: { ...fresh, timeframe: "1m" }, query }))
        assert.strictEqual(error._tag, "NoData")
      })
    )
  )

  it.effect("reads candles by limit and by time", () =>
    run((api) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(1_000_000)
        const params = { exchange: "known", market, timeframe: "1m" as const }
        const starts = (window: { limit: number; since?: DateTime.Utc; until?: DateTime.Utc }) =>
          Effect.map(api.cex.candles({ params, query: { ...query, ...window } }), ({ candles }) =>
            candles.map(({ openTime }) => DateTime.toEpochMillis(openTime))
          )
        assert.deepStrictEqual(yield* starts({ limit: 10 }), [60_000, 120_000, 240_000])
        assert.deepStrictEqual(yield* starts({ limit: 10, since: DateTime.makeUnsafe(60_001) }), [120_000, 240_000])
        assert.deepStrictEqual(yield* starts({ limit: 10, until: DateTime.makeUnsafe(239_999) }), [60_000, 120_000])
        const fresh = { ...params, market: Market.make("NEW/USD") }
        assert.deepStrictEqual((yield* api.cex.candles({ params: fresh, query: { ...query, limit: 5 } })).candles, [])
        const refused = yield* Effect.flip(
          api.cex.candles({ params: { ...params, timeframe: "1d" }, query: { ...query, limit: 5 } })
        )
        assert.deepInclude(refused, { _tag: "OperationNotSupported", timeframe: "1d" })
      })
    )
  )

  it.effect("an exchange without an operation refuses it", () =>
    run((api) =>
      Effect.gen(function* () {
        const params = { exchange: "mute", market }
        const trades = yield* Effect.flip(api.cex.trades({ params, query: { ...query, limit: 1 } }))
        assert.strictEqual(trades._tag, "OperationNotSupported")
        const last = yield* Effect.flip(api.cex.lastTrade({ params, query }))
        assert.strictEqual(last._tag, "OperationNotSupported")
        for (const [exchange, timeframe] of [
          ["mute", "1m"],
          ["known", "1d"]
        ] as const) {
          const error = yield* Effect.flip(api.cex.lastCandle({ params: { exchange, market, timeframe }, query }))
          assert.deepInclude(error, { _tag: "OperationNotSupported", exchange, timeframe })
        }
      })
    )
  )

  it.effect("reads blocks, and reports unknown blockchains and blocks", () =>
    run((api) =>
      Effect.gen(function* () {
        const found = yield* api.blocks.blocks({
          params: { blockchain: "synthetic" },
          query: { ...query, limit: 2, skip: 0 }
        })
        assert.deepStrictEqual(
          found.map(({ number }) => number),
          [2n, 1n]
        )
        assert.isTrue(Option.isNone(found[1]?.totalDifficulty ?? Option.some(0n)) === false)
        const unknown = yield* Effect.flip(
          api.blocks.blocks({ params: { blockchain: "other" }, query: { ...query, limit: 1, skip: 0 } })
        )
        assert.strictEqual(unknown._tag, "BlockchainNotFound")
        const beyond = yield* Effect.flip(
          api.blocks.blocks({ params: { blockchain: "synthetic" }, query: { ...query, limit: 1, skip: 0, block: 3 } })
        )
        assert.deepInclude(beyond, { _tag: "BlockNotFound", block: "3", head: "2" })
      })
    )
  )

  it.effect("needs a key", () =>
    run((api) =>
      Effect.gen(function* () {
        assert.strictEqual((yield* Effect.flip(api.cex.exchanges({ params: {}, query: {} })))._tag, "MissingApiKey")
        assert.strictEqual(
          (yield* Effect.flip(api.cex.exchanges({ params: {}, query: { apiKey: "wrong" } })))._tag,
          "InvalidApiKey"
        )
        assert.strictEqual((yield* api.system.ping({ params: {}, query: {} })).ping, "Hello from Chaintape.")
      })
    )
  )

  it.effect("has a budget that fills up with time", () =>
    run((api) =>
      Effect.gen(function* () {
        const once = api.cex.exchange({ params: { exchange: "known" }, query })
        for (let call = 0; call < 300; call++) yield* once
        const refused = yield* Effect.flip(once)
        assert.strictEqual(refused._tag, "RateLimited")
        yield* TestClock.adjust("10 millis")
        yield* once
        assert.strictEqual((yield* Effect.flip(once))._tag, "RateLimited")
        yield* TestClock.adjust("3 seconds")
        for (let call = 0; call < 300; call++) yield* once
        assert.strictEqual((yield* Effect.flip(once))._tag, "RateLimited")
      })
    )
  )
})
