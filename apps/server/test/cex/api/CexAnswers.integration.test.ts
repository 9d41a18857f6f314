import { fileURLToPath } from "node:url"
import { Cex } from "@chaintape/cex"
import { Market } from "@chaintape/core"
import { type JournalTrade, SandboxExchange } from "@chaintape/sandbox"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, layer } from "@effect/vitest"
import { Clock, DateTime, Effect, Option, Redacted, Stream } from "effect"
import { ChildProcess } from "effect/process"
import * as ExactDecimal from "../../../src/internal/ExactDecimal.ts"
import { record, records } from "../../HttpCall.ts"
import type { Reply } from "../../HttpCall.ts"
import { measureRealTime } from "../../MeasureRealTime.ts"
import { key, keyed, RunningService } from "../../RunningService.ts"
import { overExchange } from "../../SandboxService.ts"

const market = "/v2/cex/sandbox/BTC-USD"
const timeframes = [
  ["1m", 60],
  ["5m", 300],
  ["15m", 900],
  ["1h", 3600],
  ["6h", 21_600],
  ["1d", 86_400]
] as const
const reader = fileURLToPath(new URL("../../internal/readTrades.ts", import.meta.url))

const exact = (decimal: string) => ExactDecimal.canonical(decimal) ?? assert.fail(`"${decimal}" is no decimal`)
const millis = ({ time }: JournalTrade) => DateTime.toEpochMillis(DateTime.makeUnsafe(time.replace(/\d{3}Z$/, "Z")))

/** The members of a trade that the journal requires, digit by digit. */
const members = (trade: JournalTrade) => {
  const price = exact(trade.price)
  const size = exact(trade.size)
  const side = trade.side === "buy" ? "sell" : "buy"
  return (
    `"id":"${trade.trade_id}","timestamp":"${millis(trade)}","price":${price},"size":${size},` +
    `"cost":${ExactDecimal.multiply(price, size)},"side":"${side}"`
  )
}

const journal = (product = "BTC-USD") => Effect.flatMap(SandboxExchange, (exchange) => exchange.journal(product))

const toIds = ({ body }: Reply) => [...body.matchAll(/"id":"(\d+)"/g)].map(([, id]) => Number(id))

/** The body contains exactly the trades of the journal with these ids, and nothing else. */
const assertTrades = (reply: Reply, name: string, truth: ReadonlyArray<JournalTrade>) =>
  assert.strictEqual(
    reply.body,
    `{"exchange":"sandbox","market":"${name}","trades":[${truth.map((trade) => `{${members(trade)}}`).join(",")}]}`
  )

const between = (all: ReadonlyArray<JournalTrade>, ids: ReadonlyArray<number>) =>
  all.filter(({ trade_id }) => trade_id >= Number(ids[0]) && trade_id <= Number(ids.at(-1)))

const coverage = (reply: Reply) => String(reply.headers["chaintape-coverage"])

describe("the exchanges' answers", { timeout: 120_000 }, () => {
  layer(overExchange, { excludeTestServices: true })((it) => {
    it.effect("the list holds names and ids, sorted", () =>
      Effect.gen(function* () {
        const list = records(yield* keyed("/v2/cex/exchanges"))
        for (const one of list) assert.deepStrictEqual(Object.keys(one).toSorted(), ["id", "name"])
        const ids = list.map(({ id }) => String(id))
        assert.deepStrictEqual(ids, ids.toSorted())
        assert.include(ids, "sandbox")
        assert.strictEqual(new Set(ids).size, ids.length)
      })
    )

    it.effect("every exchange of the list has exactly the fields of an exchange", () =>
      Effect.gen(function* () {
        const fields = ["aggregateTimeframes", "countries", "docs", "fees", "hasAggregates", "hasTrades"].concat([
          "id",
          "logo",
          "name",
          "url"
        ])
        for (const { id, name } of records(yield* keyed("/v2/cex/exchanges"))) {
          const exchange = record(yield* keyed(`/v2/cex/${String(id)}`))
          assert.deepStrictEqual(Object.keys(exchange).toSorted(), fields)
          assert.deepStrictEqual([exchange["id"], exchange["name"]], [id, name])
          assert.isBoolean(exchange["hasTrades"])
          assert.isBoolean(exchange["hasAggregates"])
          assert.isString(exchange["docs"])
          assert.isArray(exchange["countries"])
          const known = new Map<string, unknown>(timeframes)
          for (const [label, length] of Object.entries(exchange["aggregateTimeframes"] ?? {})) {
            assert.strictEqual(length, known.get(label))
          }
        }
      })
    )

    it.effect("the markets are those of the exchange, by name", () =>
      Effect.gen(function* () {
        const list = records(yield* keyed("/v2/cex/sandbox/markets"))
        const names = list.map(({ market }) => String(market))
        assert.deepStrictEqual(names, names.toSorted())
        assert.includeMembers(names, ["BTC/USD", "ETH/USD", "SHIB/USD"])
        for (const one of list) {
          assert.deepStrictEqual(Object.keys(one), ["market", "base", "quote", "active", "recorded", "recordedSince"])
          assert.strictEqual(one["market"], `${String(one["base"])}/${String(one["quote"])}`)
          assert.deepStrictEqual([one["active"], one["recorded"], one["recordedSince"]], [true, false, ""])
        }
        assert.strictEqual((yield* keyed("/v2/cex/nowhere/markets")).status, 404)
      })
    )

    it.effect.each(["BTC-USD", "ETH-USD", "SHIB-USD", "shib-usd"])(
      "the last trade of %s is a trade of the exchange, digit by digit",
      (name) =>
        Effect.gen(function* () {
          const reply = yield* keyed(`/v2/cex/sandbox/${name}/lasttrade`)
          assert.deepStrictEqual(Object.keys(record(reply)), [
            "exchange",
            "market",
            "id",
            "timestamp",
            "price",
            "size",
            "cost",
            "side"
          ])
          const [id] = toIds(reply)
          const truth = (yield* journal(name.toUpperCase())).find(({ trade_id }) => trade_id === id)
          if (truth === undefined) return assert.fail(reply.body)
          const slashed = name.toUpperCase().replace("-", "/")
          assert.strictEqual(reply.body, `{"exchange":"sandbox","market":"${slashed}",${members(truth)}}`)
        })
    )

    // A measurement: load delays single reads, so that of each five in a row one must hold. Thirty reads with pauses
    // outlast several periods in which the answer is shared.
    it.effect("the last trade follows the exchange's within two seconds, in one of five reads at thirty moments", () =>
      Effect.gen(function* () {
        for (let look = 0; look < 30; look++) {
          const attempt = Effect.gen(function* () {
            const before = (yield* Clock.currentTimeMillis) - 2000
            const newest = (yield* journal()).findLast((trade) => millis(trade) <= before)
            const [id] = toIds(yield* keyed(`${market}/lasttrade`))
            return Number(id) - Number(newest?.trade_id)
          })
          // The answer is shared for half a second: the rest of the two seconds is for the way of the trade.
          yield* measureRealTime(attempt, (newer) => newer >= 0)
          yield* Effect.sleep("100 millis")
        }
      })
    )

    it.effect.each([
      ["", 200],
      ["limit=1", 1],
      ["limit=2000", 2000],
      ["limit=12000", 12_000]
    ] as const)("the latest trades (%s) are %s without a gap, oldest first", ([query, count]) =>
      Effect.gen(function* () {
        const reply = yield* keyed(`${market}/trades?${query}`)
        assert.strictEqual(reply.status, 200)
        const ids = toIds(reply)
        assert.strictEqual(ids.length, count)
        const truth = between(yield* journal(), ids)
        assertTrades(reply, "BTC/USD", truth)
        assert.strictEqual(coverage(reply), `complete=?1, from=${millis(at(truth, 0))}, to=${millis(at(truth, -1))}`)
        assert.strictEqual(reply.headers["chaintape-source"], "ccxt")
      })
    )

    it.effect("the trades of the smallest price have all of its digits", () =>
      Effect.gen(function* () {
        const reply = yield* keyed("/v2/cex/sandbox/SHIB-USD/trades?limit=300")
        assertTrades(reply, "SHIB/USD", between(yield* journal("SHIB-USD"), toIds(reply)))
        assert.match(reply.body, /"price":0\.0000\d{4},/)
      })
    )

    it.effect.each([2000, 12_000])("%s trades since a time are the first ones from there on", (limit) =>
      Effect.gen(function* () {
        const all = yield* journal()
        const first = at(all, 700)
        const since = millis(first)
        const reply = yield* keyed(`${market}/trades?since=${since}&limit=${limit}`)
        const expected = all.filter((trade) => millis(trade) >= since).slice(0, limit)
        assert.strictEqual(expected.length, limit)
        assertTrades(reply, "BTC/USD", expected)
        assert.match(coverage(reply), new RegExp(`^complete=\\?1, from=${since}, to=\\d+$`))
        const later = toIds(yield* keyed(`${market}/trades?since=${since + 1}&limit=1`))
        assert.isAbove(Number(later[0]), first.trade_id)
      })
    )

    it.effect("since the future there are no trades, since the beginning there are the first", () =>
      Effect.gen(function* () {
        const future = yield* keyed(`${market}/trades?since=${(yield* Clock.currentTimeMillis) + 60_000}`)
        assert.deepStrictEqual(
          [future.status, future.body],
          [200, '{"exchange":"sandbox","market":"BTC/USD","trades":[]}']
        )
        assert.deepStrictEqual(toIds(yield* keyed(`${market}/trades?since=0&limit=3`)), [1, 2, 3])
      })
    )

    it.effect("the same request has the same answer", () =>
      Effect.gen(function* () {
        const path = `${market}/trades?since=0&limit=1500`
        assert.strictEqual((yield* keyed(path)).body, (yield* keyed(path)).body)
      })
    )

    it.effect.each(timeframes)("the last candle of %s is the exchange's own", ([label, length]) =>
      Effect.gen(function* () {
        const before = (yield* Clock.currentTimeMillis) - 2000
        const reply = yield* keyed(`${market}/lastaggregate/${label}`)
        const candle = record(reply)
        assert.deepStrictEqual(Object.keys(candle), ["exchange", "market", "timeframe", "t", "o", "h", "l", "c", "v"])
        const [start, text] = startAndDigits(reply)
        assert.deepStrictEqual(
          [candle["exchange"], candle["market"], candle["timeframe"]],
          ["sandbox", "BTC/USD", label]
        )
        assert.strictEqual(start % (length * 1000), 0)
        const bucket = (yield* journal()).filter(
          (trade) => millis(trade) >= start && millis(trade) < start + length * 1000
        )
        const last = toMoment(bucket, text)
        if (last === undefined) return assert.fail(`${text} was at no moment the candle`)
        // A trade from two seconds before the request is included.
        assert.isAbove(millis(last), before - 1000)
        assert.match(String(reply.headers["chaintape-candle"]), /^closed=\?[01]$/)
        assert.include(coverage(reply), `from=${start}`)
      })
    )

    it.effect.each(timeframes)("closed candles of %s are those of the exchange's trades", ([label, length]) =>
      Effect.gen(function* () {
        const trades = yield* journal()
        const frame = length * 1000
        const now = yield* Clock.currentTimeMillis
        const until = now - frame - 3000
        const starts = [...new Set(trades.map((trade) => Math.floor(millis(trade) / frame) * frame))].filter(
          (start) => start <= until
        )
        for (const [query, expected] of [
          [`until=${until}&limit=700`, starts.slice(-700)],
          [`since=${starts[0] ?? 0}&until=${until}&limit=5`, starts.slice(0, 5)]
        ] as const) {
          const reply = yield* keyed(`${market}/aggregates/${label}?${query}`)
          assert.strictEqual(reply.status, 200)
          const candles = expected.map((start) => {
            const inside = trades.filter((trade) => millis(trade) >= start && millis(trade) < start + frame)
            const prices = inside.map(({ price }) => exact(price)).sort(ExactDecimal.compare)
            const volume = inside.map(({ size }) => exact(size)).reduce(ExactDecimal.add, "0")
            const [open, close] = [exact(inside[0]?.price ?? ""), exact(inside.at(-1)?.price ?? "")]
            return `{"t":${start},"o":${open},"h":${prices.at(-1)},"l":${prices[0]},"c":${close},"v":${volume}}`
          })
          assert.strictEqual(
            reply.body,
            `{"exchange":"sandbox","market":"BTC/USD","timeframe":"${label}","aggregates":[${candles.join(",")}]}`
          )
          assert.include(coverage(reply), "verifiable=?0")
        }
      })
    )

    it.effect("the clients decode every answer", () =>
      Effect.gen(function* () {
        const { origin } = yield* RunningService
        yield* Effect.gen(function* () {
          const cex = yield* Cex
          const pair = { exchange: "sandbox", market: Market.make("BTC/USD") }
          assert.isAbove((yield* cex.exchanges({})).length, 50)
          assert.strictEqual((yield* cex.exchange({ exchange: "sandbox" })).hasTrades, true)
          const { coverage, value } = yield* cex.withResponse.trades({ ...pair, limit: 2500 })
          assert.strictEqual(value.trades.length, 2500)
          assert.strictEqual(Option.getOrUndefined(coverage)?.state, "complete")
          const last = yield* cex.lastTrade(pair)
          assert.isAtLeast(Number(last.id), Number(value.trades.at(-1)?.id))
          for (const [timeframe] of timeframes) {
            assert.strictEqual((yield* cex.lastCandle({ ...pair, timeframe })).timeframe, timeframe)
            const history = yield* cex.withResponse.candles({ ...pair, timeframe, limit: 3 })
            assert.isAbove(history.value.candles.length, 0)
            assert.isTrue(Option.isSome(history.candleClosed) && Option.isSome(history.coverage))
          }
          const unlisted = yield* Effect.flip(cex.lastTrade({ ...pair, market: Market.make("AAA/BBB") }))
          assert.strictEqual(unlisted._tag, "MarketNotFound")
          const unknown = yield* Effect.flip(cex.exchange({ exchange: "a/../b?c" }))
          assert.strictEqual(unknown._tag, "ExchangeNotFound")
        }).pipe(Effect.provide(Cex.layer({ baseUrl: origin, apiKey: Redacted.make(key) })))
      })
    )

    it.effect("two clients in two processes read the same trades", () =>
      Effect.gen(function* () {
        const { origin } = yield* RunningService
        const since = String(millis(at(yield* journal(), 9000)))
        const read = Effect.gen(function* () {
          const child = yield* ChildProcess.make(
            process.execPath,
            ["--conditions=chaintape-source", reader, origin, key, since],
            { stderr: "inherit" }
          )
          return yield* Stream.mkString(Stream.decodeText(child.stdout))
        }).pipe(Effect.scoped)
        const [one, other] = yield* Effect.all([read, read], { concurrency: 2 })
        assert.isAbove(one.length, 2000)
        assert.strictEqual(one, other)
        assert.include(one, `"id":"${at(yield* journal(), 9010).trade_id}"`)
      }).pipe(Effect.provide(NodeServices.layer))
    )
  })
})

const at = (trades: ReadonlyArray<JournalTrade>, index: number): JournalTrade =>
  trades.at(index) ?? assert.fail(`there is no trade ${index}`)

const startAndDigits = ({ body }: Reply): readonly [number, string] => {
  const [, start = "", digits = ""] = /"t":(\d+),(.*)\}$/.exec(body) ?? []
  return [Number(start), digits]
}

/** The trade after which the candle of these trades had these digits. */
const toMoment = (trades: ReadonlyArray<JournalTrade>, digits: string): JournalTrade | undefined => {
  let high: string | undefined
  let low: string | undefined
  let volume = "0"
  return trades.find((trade) => {
    const price = exact(trade.price)
    high = high === undefined || ExactDecimal.compare(price, high) > 0 ? price : high
    low = low === undefined || ExactDecimal.compare(price, low) < 0 ? price : low
    volume = ExactDecimal.add(volume, exact(trade.size))
    return digits === `"o":${exact(at(trades, 0).price)},"h":${high},"l":${low},"c":${price},"v":${volume}`
  })
}
