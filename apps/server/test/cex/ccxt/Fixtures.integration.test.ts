import { readdirSync, readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Result, Schema } from "effect"
import * as CcxtSources from "../../../src/cex/ccxt/CcxtSources.ts"
import { openCcxtExchange } from "../../../src/cex/ccxt/class/CcxtExchange.ts"
import { decodeCandles } from "../../../src/cex/ccxt/rows/CandleRows.ts"
import { decodeTrades } from "../../../src/cex/ccxt/rows/TradeRows.ts"
import type { TradePage } from "../../../src/cex/ccxt/rows/TradeRows.ts"
import type { SourceCandle } from "../../../src/cex/ExchangeSource.ts"
import { ExchangeSource } from "../../../src/cex/ExchangeSource.ts"
import * as ExactDecimal from "../../../src/internal/ExactDecimal.ts"
import { json, stubExchange } from "./StubExchange.ts"

const Decimal = Schema.String
const Fixture = Schema.Struct({
  exchange: Schema.String,
  method: Schema.Literals(["fetchTrades", "fetchOHLCV"]),
  market: Schema.Struct({
    symbol: Schema.String,
    id: Schema.String,
    base: Schema.String,
    quote: Schema.String,
    baseId: Schema.String,
    quoteId: Schema.String
  }),
  timeframe: Schema.optionalKey(Schema.Literal("1h")),
  request: Schema.Struct({ url: Schema.String }),
  response: Schema.Struct({ body: Schema.Unknown }),
  expected: Schema.Union([
    Schema.Struct({
      kind: Schema.Literal("trades"),
      rows: Schema.Array(
        Schema.Struct({
          id: Schema.NullOr(Schema.String),
          timestamp: Schema.String,
          price: Decimal,
          size: Decimal,
          cost: Decimal,
          side: Schema.Literals(["buy", "sell"])
        })
      )
    }),
    Schema.Struct({
      kind: Schema.Literal("candles"),
      rows: Schema.Array(Schema.Struct({ t: Schema.Int, o: Decimal, h: Decimal, l: Decimal, c: Decimal, v: Decimal }))
    }),
    Schema.Struct({ kind: Schema.Literal("badResponse") })
  ])
})
type Fixture = typeof Fixture.Type

const folder = new URL("../../fixtures/exchanges/", import.meta.url)
const fixtures = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .map((name) => ({
    name: name.slice(0, -5),
    fixture: Schema.decodeUnknownSync(Schema.fromJsonString(Fixture))(readFileSync(new URL(name, folder), "utf8"))
  }))

// The adapter requests more rows than the recording did, and its own hour.
const ownParameters = ["limit", "limit_trades", "from", "to", "start", "end"]
const comparable = (url: URL): string => {
  const query = new URLSearchParams(url.search)
  for (const name of ownParameters) query.delete(name)
  query.sort()
  return `${url.pathname}?${query}`
}

/** Returns the recorded body for the recorded request, and nothing for any other. */
const replay = ({ request, response }: Fixture) =>
  stubExchange((path, query) =>
    comparable(new URL(`${path}?${query}`, "http://stub")) === comparable(new URL(request.url))
      ? json(response.body)
      : { status: 404, body: "{}" }
  )

const call = (fixture: Fixture, rest: string) =>
  Effect.gen(function* () {
    const source = yield* ExchangeSource
    return fixture.method === "fetchTrades"
      ? {
          trades: (yield* source.trades("replayed", fixture.market, {
            limit: 1,
            since: Option.none(),
            before: Option.none()
          })).trades
        }
      : { candle: yield* source.lastCandle("replayed", fixture.market, "1h") }
  }).pipe(
    Effect.provide(CcxtSources.layer([{ id: "replayed", driver: fixture.exchange, rest, markets: [fixture.market] }]))
  )

const assertDecimal = (actual: string | undefined, expected: string) =>
  assert.strictEqual(actual, ExactDecimal.canonical(expected))

describe("recorded responses", () => {
  it("are all here", () => {
    assert.strictEqual(fixtures.length, 14)
  })

  it.live.each(fixtures)("$name is read as recorded", ({ fixture }) =>
    Effect.gen(function* () {
      const { expected } = fixture
      const stub = yield* replay(fixture)
      const result = yield* Effect.result(call(fixture, stub.rest))
      const recorded = comparable(new URL(fixture.request.url))
      assert.deepStrictEqual(
        stub.requests.map((sent) => comparable(new URL(sent, stub.rest))),
        [recorded]
      )
      if (expected.kind === "badResponse") {
        assert.strictEqual(Result.isFailure(result) ? result.failure.reason : "success", "BadResponse")
        return
      }
      if (Result.isFailure(result)) return assert.fail(result.failure.message)
      const { trades = [], candle = Option.none() } = result.success
      if (expected.kind === "candles") {
        const row = expected.rows[0]
        const found = Option.getOrUndefined(candle)
        assert.strictEqual(found?.start, row?.t)
        assertDecimal(found?.open, row?.o ?? "")
        assertDecimal(found?.high, row?.h ?? "")
        assertDecimal(found?.low, row?.l ?? "")
        assertDecimal(found?.close, row?.c ?? "")
        assertDecimal(found?.volume, row?.v ?? "")
        return
      }
      assert.strictEqual(trades.length, expected.rows.length)
      expected.rows.forEach((row, index) => {
        const trade = trades[index]
        assert.strictEqual(String(trade?.timestamp), row.timestamp)
        assert.strictEqual(trade?.side, row.side)
        assertDecimal(trade?.price, row.price)
        assertDecimal(trade?.size, row.size)
        assertDecimal(trade?.cost, row.cost)
        if (row.id === null) assert.isNotEmpty(trade?.id)
        else assert.strictEqual(trade?.id, row.id)
      })
      // A second read of the same body gives the same ids.
      const again = yield* call(fixture, stub.rest)
      assert.deepStrictEqual(again.trades, trades)
    }).pipe(Effect.scoped)
  )
})

/** The body with every decimal text as a JSON number. */
const unquoted = (value: unknown): string =>
  JSON.stringify(value).replace(/"(-?(?:0|[1-9]\d*)(?:\.\d+)?)"(?=[,}\]])/g, "$1")

type Parsed = Result.Result<TradePage | ReadonlyArray<SourceCandle>, string>

const parse = (fixture: Fixture, body: string, quoteNumbers: boolean): Effect.Effect<Parsed> =>
  Effect.gen(function* () {
    const stub = yield* stubExchange(() => ({ body }))
    return yield* Effect.promise(async (signal): Promise<Parsed> => {
      const { symbol } = fixture.market
      const context = { signal, pace: () => Promise.resolve() }
      const options = { driver: fixture.exchange, rest: stub.rest, markets: [fixture.market], requestTimeoutMs: 2000 }
      const exchange = await openCcxtExchange({ ...options, quoteNumbers })
      return fixture.method === "fetchTrades"
        ? decodeTrades((await exchange.trades(context, { symbol })).rows, { symbol, now: Date.UTC(2100, 0, 1) })
        : decodeCandles((await exchange.candles(context, { symbol, label: "1h" })).rows, Date.UTC(2100, 0, 1))
    })
  }).pipe(Effect.scoped)

describe("quoting the numbers of a body", () => {
  const readable = fixtures.filter(({ fixture }) => fixture.expected.kind !== "badResponse")

  it.live.each(readable)("$name parses the same with text, numbers and quoted numbers", ({ fixture }) =>
    Effect.gen(function* () {
      const recorded = yield* parse(fixture, JSON.stringify(fixture.response.body), false)
      assert.isTrue(Result.isSuccess(recorded))
      assert.deepStrictEqual(yield* parse(fixture, JSON.stringify(fixture.response.body), true), recorded)
      assert.deepStrictEqual(yield* parse(fixture, unquoted(fixture.response.body), true), recorded)
    })
  )
})
