import { createHash } from "node:crypto"
import { connect } from "node:net"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber, FileSystem } from "effect"
import { TestClock } from "effect/testing"
import { SandboxExchange } from "../../src/exchange/SandboxExchange.ts"
import type { SandboxExchangeOptions } from "../../src/exchange/SandboxExchange.ts"
import { loadCoinbase } from "./internal/CoinbaseClass.ts"
import { call, ids, listen, matches, subscribe, until, untilSo } from "./RunningExchange.ts"

const withExchange = <A, E, R>(
  options: SandboxExchangeOptions,
  use: (exchange: SandboxExchange["Service"]) => Effect.Effect<A, E, R>
) => Effect.flatMap(SandboxExchange, use).pipe(Effect.scoped, Effect.provide(SandboxExchange.layer(options)))

const free: SandboxExchangeOptions = {
  rateLimit: "none",
  tradesPerSecond: 1000,
  tick: "10 millis",
  subscribeWithin: "5 minutes"
}

const pages = [
  "/products",
  "/currencies",
  "/time",
  "/products/BTC-USD/trades",
  "/products/ETH-USD/trades?limit=100&after=500",
  "/products/SHIB-USD/candles?granularity=60",
  "/products/BTC-USD/candles?granularity=3600",
  "/sandbox/journal/BTC-USD?from=900&limit=100"
]

const hashOfScript = (seed: number) =>
  withExchange({ seed, rateLimit: "none" }, (exchange) =>
    Effect.gen(function* () {
      const hash = createHash("sha256")
      for (const step of [0, 50, 1000, 7000]) {
        yield* TestClock.adjust(step)
        for (const page of pages) {
          const { body, headers, status } = yield* call(exchange, page)
          hash.update(`${status} ${headers.get("date")} ${headers.get("cb-after")} ${body}\n`)
        }
      }
      return hash.digest("hex")
    })
  )

describe("SandboxExchange", { timeout: 60_000 }, () => {
  it.effect("answers the same bytes for the same seed and the same clock, and other bytes for another seed", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_700_000_000_000)
      const one = yield* hashOfScript(5)
      yield* TestClock.setTime(1_700_000_000_000)
      assert.strictEqual(yield* hashOfScript(5), one)
      yield* TestClock.setTime(1_700_000_000_000)
      assert.notStrictEqual(yield* hashOfScript(6), one)
    })
  )

  it.live("is ready within 1.5 seconds, two hours of tape included", () =>
    Effect.gen(function* () {
      const attempt = Effect.gen(function* () {
        const start = yield* Clock.currentTimeMillis
        return yield* withExchange({}, (exchange) =>
          Effect.gen(function* () {
            const took = (yield* Clock.currentTimeMillis) - start
            const [first] = yield* exchange.journal("BTC-USD")
            assert.approximately(Date.parse(first?.time ?? ""), start - 7_200_000, 60_000)
            return took
          })
        )
      })
      // Other load on the machine can only slow an attempt down.
      const took = yield* Effect.repeat(attempt, { until: (one) => one < 1500, times: 4 })
      assert.isBelow(took, 1500)
    })
  )

  it.live("streams every trade of a product exactly once, starting with the last one before the subscription", () =>
    withExchange(free, (exchange) =>
      Effect.gen(function* () {
        const listener = yield* listen(exchange)
        listener.send(subscribe("BTC-USD", "SHIB-USD"))
        yield* until("600 matches", () => matches(listener).length > 600)
        assert.deepStrictEqual(listener.frames[0]?.channels, [
          { name: "matches", product_ids: ["BTC-USD", "SHIB-USD"] }
        ])
        for (const product of ["BTC-USD", "SHIB-USD"]) {
          const mine = listener.frames.filter(({ product_id }) => product_id === product)
          assert.strictEqual(mine[0]?.type, "last_match")
          const first = mine[0]?.trade_id ?? 0
          assert.deepStrictEqual(
            ids(mine),
            mine.map((_, index) => first + index)
          )
          const journal = yield* exchange.journal(product)
          for (const frame of mine) {
            const {
              maker_order_id: _maker,
              taker_order_id: _taker,
              ...truth
            } = journal[(frame.trade_id ?? 0) - 1] ?? {}
            assert.deepStrictEqual(
              { ...truth, product_id: product, type: frame.type },
              Object.fromEntries(Object.entries(frame))
            )
          }
        }
      })
    )
  )

  it.effect("sends heartbeats, unsubscribes, and reports the error of a message", () =>
    withExchange(free, (exchange) =>
      Effect.gen(function* () {
        const listener = yield* listen(exchange)
        const reply = (count: number) => until("a reply", () => listener.frames[count - 1])
        listener.send("{")
        assert.strictEqual((yield* reply(1)).type, "error")
        listener.send(subscribe("XXX-USD"))
        assert.strictEqual((yield* reply(2)).reason, "XXX-USD is not a valid product")
        listener.send({ type: "subscribe", product_ids: ["BTC-USD"], channels: ["ticker"] })
        assert.strictEqual((yield* reply(3)).reason, "ticker is not a valid channel")
        listener.send({ type: "subscribe", channels: [{ name: "heartbeat", product_ids: ["ETH-USD"] }] })
        assert.strictEqual((yield* reply(4)).type, "subscriptions")
        yield* TestClock.adjust("1 second")
        const beat = yield* until("a heartbeat", () => listener.frames.find(({ type }) => type === "heartbeat"))
        assert.strictEqual(beat.product_id, "ETH-USD")
        assert.strictEqual(beat.last_trade_id, 0)
        assert.isAbove(beat.sequence ?? 0, 0)
        listener.send({ type: "unsubscribe", channels: ["heartbeat"] })
        const over = yield* until("the end", () => listener.frames.filter(({ type }) => type === "subscriptions")[1])
        assert.deepStrictEqual(over.channels, [])
      })
    )
  )

  it.effect("closes a connection that does not subscribe, and refuses too many subscriptions", () =>
    withExchange({ ...free, subscribeWithin: "5 seconds", subscriptionsPerSocket: 2 }, (exchange) =>
      Effect.gen(function* () {
        const idle = yield* listen(exchange)
        const greedy = yield* listen(exchange)
        greedy.send(subscribe("BTC-USD", "ETH-USD", "SHIB-USD"))
        assert.strictEqual((yield* until("a refusal", () => greedy.frames[0])).reason, "more than 2 subscriptions")
        greedy.send(subscribe("BTC-USD", "ETH-USD"))
        yield* until("the subscription", () => greedy.frames[1])
        yield* TestClock.adjust(4990)
        yield* until("matches", () => matches(greedy).length > 10)
        assert.isUndefined(idle.closed())
        yield* TestClock.adjust("1 second")
        assert.strictEqual((yield* until("the close", idle.closed)).code, 1008)
        const before = matches(greedy).length
        yield* TestClock.adjust("1 second")
        yield* until("more matches", () => matches(greedy).length > before)
        assert.isUndefined(greedy.closed())
      })
    )
  )

  it.effect("limits an address to ten requests a second with bursts of fifteen, except on its own endpoints", () =>
    withExchange({}, (exchange) =>
      Effect.gen(function* () {
        const refused = Effect.all(
          Array.from({ length: 30 }, () => call(exchange, "/time")),
          { concurrency: 30 }
        ).pipe(Effect.map((burst) => burst.filter(({ status }) => status === 429)))
        const first = yield* refused
        assert.strictEqual(first.length, 15)
        assert.strictEqual(first[0]?.body, '{"message":"Public rate limit exceeded"}')
        assert.strictEqual((yield* call(exchange, "/sandbox/status")).status, 200)
        yield* TestClock.adjust("1 second")
        assert.strictEqual((yield* refused).length, 20)
        assert.strictEqual((yield* exchange.counters).rateLimited, 35)
      })
    )
  )

  it.live("cuts off a reader that does not read", () =>
    withExchange({ ...free, tradesPerSecond: 20_000, maxBufferedBytes: 20_000 }, (exchange) =>
      Effect.gen(function* () {
        const url = new URL(exchange.rest)
        yield* Effect.acquireRelease(
          Effect.sync(() => {
            const socket = connect(Number(url.port), url.hostname, () => {
              socket.write(`GET / HTTP/1.1\r\nhost: ${url.host}\r\nupgrade: websocket\r\nconnection: upgrade\r\n`)
              socket.write("sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
              socket.write(maskedFrame(JSON.stringify(subscribe("BTC-USD", "ETH-USD", "SHIB-USD"))))
              socket.pause()
            })
            socket.on("error", () => {})
            return socket
          }),
          (socket) => Effect.sync(() => socket.destroy())
        )
        yield* untilSo(
          "the cut",
          Effect.map(exchange.counters, ({ slowReaders }) => slowReaders > 0)
        )
        assert.strictEqual((yield* exchange.counters).slowReaders, 1)
      })
    )
  )

  // The clock stands still, and the clients never close by themselves: the stop has nothing to wait for.
  it.effect("frees its port when it stops, with clients still connected", () =>
    Effect.gen(function* () {
      const [port, hanging] = yield* withExchange(free, (exchange) =>
        Effect.gen(function* () {
          yield* exchange.faults.set({ faults: [{ kind: "hang", phase: "before-headers", endpoint: "time" }] })
          const asked = yield* Effect.forkDetach(Effect.exit(call(exchange, "/time")))
          yield* Effect.forkDetach(Effect.scoped(Effect.andThen(listen(exchange), Effect.never)))
          yield* untilSo(
            "both clients",
            Effect.map(exchange.counters, (counts) => counts.openConnections === 1 && counts.requests === 1)
          )
          return [Number(new URL(exchange.rest).port), asked] as const
        })
      )
      const again = yield* withExchange({ ...free, port }, (exchange) =>
        Effect.map(call(exchange, "/time"), ({ status }) => status)
      )
      assert.strictEqual(again, 200)
      yield* Fiber.join(hanging)
    })
  )

  it.live("continues from its files after a restart, without losing or repeating a trade", () =>
    Effect.gen(function* () {
      const journalDir = yield* (yield* FileSystem.FileSystem).makeTempDirectoryScoped()
      const seen = yield* withExchange({ ...free, journalDir }, (exchange) =>
        Effect.gen(function* () {
          const { length } = yield* exchange.journal("ETH-USD")
          return yield* untilSo(
            "new trades",
            Effect.map(exchange.journal("ETH-USD"), (trades) => trades.length > length && trades)
          )
        })
      )
      const later = yield* withExchange({ ...free, journalDir }, (exchange) => exchange.journal("ETH-USD"))
      assert.deepStrictEqual(later.slice(0, seen.length), [...seen])
      assert.isTrue(later.every((trade, index) => trade.trade_id === index + 1))
    }).pipe(Effect.scoped, Effect.provide(NodeFileSystem.layer))
  )

  it.live("names a product that it does not list", () =>
    withExchange(free, (exchange) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(exchange.journal("XXX-USD"))
        assert.strictEqual(error.message, 'The sandbox exchange does not list the product "XXX-USD".')
        assert.strictEqual((yield* call(exchange, "/sandbox/journal/XXX-USD")).status, 404)
        assert.strictEqual((yield* call(exchange, "/sandbox/journal/BTC-USD?limit=0")).status, 400)
        assert.strictEqual((yield* call(exchange, "/sandbox/nothing")).status, 404)
        assert.strictEqual((yield* call(exchange, "/time", { method: "POST" })).status, 404)
        assert.strictEqual((yield* call(exchange, "/products/%E0%A4%A/trades")).status, 404)
      })
    )
  )
})

const ccxtOptions = (exchange: SandboxExchange["Service"]) => ({
  number: String,
  enableRateLimit: false,
  urls: { api: { public: exchange.rest, private: exchange.rest, ws: exchange.websocket } }
})

describe("SandboxExchange through ccxt", { timeout: 60_000 }, () => {
  it.live("loads markets and reads trades and candles as the journal has them", () =>
    withExchange(free, (exchange) =>
      Effect.gen(function* () {
        const Coinbase = yield* Effect.promise(() => loadCoinbase("js/src"))
        const ccxt = new Coinbase(ccxtOptions(exchange))
        yield* Effect.promise(() => ccxt.loadMarkets())
        assert.deepStrictEqual([...ccxt.symbols], ["BTC/USD", "ETH/USD", "SHIB/USD"])
        const now = yield* Clock.currentTimeMillis
        const time = yield* Effect.promise(() => ccxt.fetchTime())
        assert.isAtLeast(time, now)
        assert.isAtMost(time, yield* Clock.currentTimeMillis)
        for (const [symbol, id] of [
          ["BTC/USD", "BTC-USD"],
          ["SHIB/USD", "SHIB-USD"]
        ] as const) {
          const trades = yield* Effect.promise(() => ccxt.fetchTrades(symbol, undefined, 500, { after: 3000 }))
          const journal = yield* exchange.journal(id)
          assert.strictEqual(trades.length, 500)
          for (const trade of trades) {
            const truth = journal[Number(trade.id) - 1]
            assert.strictEqual(Number(trade.price), Number(truth?.price))
            assert.strictEqual(Number(trade.amount), Number(truth?.size))
            assert.strictEqual(trade.timestamp, Date.parse(truth?.time ?? ""))
            assert.strictEqual(trade.side, truth?.side === "buy" ? "sell" : "buy")
          }
          const since = Math.floor(now / 3_600_000) * 3_600_000 - 3_600_000
          const candles = yield* Effect.promise(() => ccxt.fetchOHLCV(symbol, "1h", since, 1))
          const hour = journal.filter(({ time }) => Math.floor(Date.parse(time) / 3_600_000) * 3_600_000 === since)
          const prices = hour.map(({ price }) => Number(price))
          assert.deepStrictEqual(
            candles.map((candle) => candle.slice(0, 5).map(Number)),
            [[since, prices[0] ?? 0, Math.max(...prices), Math.min(...prices), prices.at(-1) ?? 0]]
          )
        }
      })
    )
  )

  it.live("feeds its streaming class", () =>
    withExchange(free, (exchange) =>
      Effect.gen(function* () {
        const Coinbase = yield* Effect.promise(() => loadCoinbase("js/src/pro"))
        const seen: Array<unknown> = []
        class Tapped extends Coinbase {
          override handleMessage(client: unknown, message: unknown): unknown {
            seen.push(message)
            return super.handleMessage(client, message)
          }
        }
        const ccxt = yield* Effect.acquireRelease(
          Effect.sync(() => new Tapped(ccxtOptions(exchange))),
          (opened) => Effect.promise(() => opened.close())
        )
        yield* Effect.promise(() => ccxt.loadHttpProxyAgent())
        const [trade] = yield* Effect.promise(() => ccxt.watchTrades("ETH/USD"))
        assert.match(String(trade?.id), /^\d+$/)
        assert.isAbove(Number(trade?.price), 0)
        yield* until("200 frames", () => seen.length > 200)
      })
    )
  )
})

const maskedFrame = (text: string): Buffer => {
  const payload = Buffer.from(text)
  const head = Buffer.from([0x81, 0x80 | 126, payload.length >> 8, payload.length & 255, 0, 0, 0, 0])
  return Buffer.concat([head, payload])
}
