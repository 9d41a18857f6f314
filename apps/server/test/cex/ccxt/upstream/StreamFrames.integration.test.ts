import { setTimeout } from "node:timers/promises"
import { constants, deflateRawSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Latch, Stream } from "effect"
import { TestClock } from "effect/testing"
import type { CallLimits } from "../../../../src/cex/ccxt/calls/CallLimits.ts"
import * as CcxtSources from "../../../../src/cex/ccxt/CcxtSources.ts"
import type { ExchangeError } from "../../../../src/cex/ExchangeSource.ts"
import { TradeFlow } from "../../../../src/cex/TradeFlow.ts"
import type { FlowBatch, MarketFlow } from "../../../../src/cex/TradeFlow.ts"
import { monotonicMillis } from "../../../../src/internal/monotonic.ts"
import { coinbaseStub, coinbaseTrade } from "../CoinbaseStub.ts"
import { evenTape, market, range } from "../Sandbox.ts"
import type { Answer } from "../StubExchange.ts"
import { json, stubExchange } from "../StubExchange.ts"
import { frameOf, pingFrame, stubStream } from "./StubStream.ts"
import type { StubStream } from "./StubStream.ts"

const tape = evenTape(100)

const known = { symbol: "BTC/USD", base: "BTC", quote: "USD", baseId: "BTC", quoteId: "USD" }

interface Running {
  readonly flow: MarketFlow
  readonly stream: StubStream
  /** Those with trades. */
  readonly batches: Array<FlowBatch>
  /** `upToDateAt` of all. */
  readonly upToDate: Array<number | undefined>
  /** Sends once a client has subscribed. */
  readonly send: (...frames: ReadonlyArray<object | string>) => Effect.Effect<void>
  readonly until: (isSo: () => boolean) => Effect.Effect<void>
  /** Waits until the client has read all frames that were sent. */
  readonly arrived: Effect.Effect<void>
  /** How the first connection ended. */
  readonly end: Effect.Effect<ExchangeError, void>
}

/** Real time in which sockets are served, whatever the test clock shows. */
const moment = Effect.promise(() => setTimeout(5))

const until = (isSo: () => boolean): Effect.Effect<void> =>
  Effect.gen(function* () {
    while (!isSo()) yield* moment
  })

interface Options extends Partial<CallLimits> {
  /** A batch is taken before the next one is emitted. */
  readonly taking?: Effect.Effect<void>
  /** A header that agrees to an extension. */
  readonly extension?: string
}

/** Runs a test with a connection to an exchange with scripted pages and frames. */
const withFrames = <A, E>(
  driver: string,
  pages: Answer,
  test: (running: Running) => Effect.Effect<A, E>,
  { extension = "", taking = Effect.void, ...limits }: Options = {}
) =>
  Effect.gen(function* () {
    const { rest } = yield* stubExchange(pages)
    const stream = yield* stubStream
    stream.extension = extension
    const id = driver === "bitstamp" ? "btcusd" : "BTC-USD"
    const entry = { id: "stubbed", driver, rest, websocket: stream.websocket, markets: [{ ...known, id }] }
    yield* Effect.gen(function* () {
      const flow = yield* Effect.flatMap(TradeFlow, ({ open }) => open("stubbed", market))
      const batches: Array<FlowBatch> = []
      const upToDate: Array<number | undefined> = []
      const running = yield* Effect.forkChild(
        Effect.flip(
          Stream.runForEach(flow.live, (batch) =>
            Effect.andThen(
              Effect.sync(() => {
                upToDate.push(batch.upToDateAt)
                if (batch.trades.length > 0) batches.push(batch)
              }),
              taking
            )
          )
        )
      )
      const send = (...frames: ReadonlyArray<object | string>) =>
        Effect.andThen(
          until(() => stream.received.length > 0),
          Effect.sync(() => {
            for (const frame of frames) stream.send(typeof frame === "string" ? frame : JSON.stringify(frame))
          })
        )
      const arrived = Effect.suspend(() => {
        const before = stream.pongs
        stream.sendBytes(pingFrame)
        return until(() => stream.pongs > before)
      })
      yield* test({ flow, stream, batches, upToDate, send, until, arrived, end: Fiber.join(running) })
      yield* Fiber.interrupt(running)
      yield* until(() => stream.connections.now === 0)
    }).pipe(
      Effect.provide(CcxtSources.layer([entry], { paceMs: 0, backoffMs: 2, pollMs: 20, connectMs: 30_000, ...limits }))
    )
  }).pipe(Effect.scoped)

const match = (id: number, fields: object = {}) => ({
  type: "match",
  maker_order_id: "0f358725-2134-435e-be11-753912a326e0",
  taker_order_id: "252b7002-87a3-425c-ac73-f5b9e23f3caf",
  product_id: "BTC-USD",
  sequence: id * 7,
  ...coinbaseTrade(tape, id),
  ...fields
})

const ids = (batches: ReadonlyArray<FlowBatch>) => batches.flatMap(({ trades }) => trades.map(({ id }) => Number(id)))

const withCoinbase = <A, E>(test: (running: Running) => Effect.Effect<A, E>, limits: Options = {}) =>
  withFrames("coinbaseexchange", coinbaseStub(tape), test, limits)

const wrong: ReadonlyArray<readonly [what: string, frame: object | string]> = [
  ["no price", match(3, { price: null })],
  ["a price of zero", match(3, { price: "0" })],
  ["no id", match(3, { trade_id: null })],
  ["a side that is none", match(3, { side: "BUYS" })],
  ["a time that is none", match(3, { time: "yesterday" })],
  ["a renamed size", match(3, { size: undefined, amount: "1" })],
  ["half a frame", JSON.stringify(match(3)).slice(0, 80)]
]

const hostile: ReadonlyArray<readonly [what: string, bytes: Buffer]> = [
  ["is said to have a gigabyte", Buffer.from("817f0000000040000000", "hex")],
  [
    "has parts without end",
    Buffer.concat([0x01, 0, 0, 0, 0].map((kind) => frameOf(Buffer.alloc(1024 * 1024, 32), kind)))
  ],
  ["has five megabytes", frameOf(Buffer.alloc(5 * 1024 * 1024, 32))],
  ["is nested a hundred thousand times", frameOf(Buffer.from("[".repeat(100_000) + "]".repeat(100_000)))],
  ["is no UTF-8", frameOf(Buffer.from([0xff, 0xfe, 0xfd]))],
  ["is compressed although nothing was agreed", frameOf(Buffer.from("abc"), 0xc1)]
]

const deflating = { extension: "sec-websocket-extensions: permessage-deflate; server_no_context_takeover\r\n" }

/** The payload of a compressed message, without the end that its reader adds (RFC 7692, 7.2.1). */
const deflated = (payload: string | Buffer): Buffer =>
  deflateRawSync(payload, { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, -4)

const bomb = deflated(Buffer.alloc(256 * 1024 * 1024, " "))

describe("a compressed frame of a stream", { timeout: 60_000 }, () => {
  it.live("is a trade where it is one, and ends the connection where it is a bomb of 256 MB", () =>
    withCoinbase(
      ({ batches, end, send, stream, until: wait }) =>
        Effect.gen(function* () {
          yield* send(match(1))
          yield* wait(() => batches.length === 1)
          stream.sendBytes(frameOf(deflated(JSON.stringify(match(2))), 0xc1))
          yield* wait(() => ids(batches).length === 2)
          stream.sendBytes(frameOf(bomb, 0xc1))
          const error = yield* end
          assert.include(["BadResponse", "Unavailable"], error.reason)
          assert.deepStrictEqual(ids(batches), [1, 2])
          yield* wait(() => stream.connections.now === 0)
        }),
      deflating
    )
  )
})

describe("a frame that has a member twice", () => {
  it.live("has the last one", () =>
    withCoinbase(({ batches, send, until: wait }) =>
      Effect.gen(function* () {
        const text = JSON.stringify(match(1, { price: "1.5" }))
        yield* send(text.replace("{", '{"price":"7",').replace(/}$/, ',"price":"2.5"}'))
        yield* wait(() => batches.length > 0)
        assert.deepStrictEqual(
          batches.flatMap(({ trades }) => trades.map(({ price }) => price)),
          ["2.5"]
        )
      })
    )
  )
})

describe("a hostile frame of a stream", { timeout: 60_000 }, () => {
  it.live.each(hostile)("ends the connection where it %s", ([, bytes]) =>
    withCoinbase(({ batches, end, send, stream, until: wait }) =>
      Effect.gen(function* () {
        yield* send(match(1))
        yield* wait(() => batches.length === 1)
        stream.sendBytes(bytes)
        const error = yield* end
        assert.include(["BadResponse", "Unavailable"], error.reason)
        assert.match(error.message, /^The exchange "stubbed" [^\p{Cc}]{1,300}\.$/u)
        yield* wait(() => stream.connections.now === 0)
      })
    )
  )
})

describe("frames of a stream", { timeout: 60_000 }, () => {
  it.live("that come together are handed over together", () =>
    withCoinbase(({ batches, send, until }) =>
      Effect.gen(function* () {
        yield* send(match(1))
        yield* until(() => batches.length === 1)
        const together = Array.from({ length: 60 }, (_, at) => match(at + 2))
        yield* send(...together)
        yield* until(() => ids(batches).length === 1 + together.length)
        // Not only its first frame, whatever the number of socket reads.
        assert.isAbove(batches[1]?.trades.length ?? 0, 1)
      })
    )
  )

  it.live("are asked for with heartbeats, and are trades with the taker's side", () =>
    withCoinbase(({ batches, send, stream, until: wait }) =>
      Effect.gen(function* () {
        yield* send({ type: "subscriptions", channels: [] }, match(1, { type: "last_match" }), match(2), match(3))
        yield* wait(() => ids(batches).length === 3)
        assert.deepStrictEqual(JSON.parse(stream.received.join()), {
          type: "subscribe",
          product_ids: ["BTC-USD"],
          channels: ["matches", "heartbeat"]
        })
        assert.deepStrictEqual(
          batches.flatMap(({ trades }) => trades.map(({ id, price, side, size }) => [id, side, price, size])),
          [
            ["1", "buy", "20001.01", "0.00000002"],
            ["2", "buy", "20002.02", "0.00000003"],
            ["3", "sell", "20003.03", "0.00000004"]
          ]
        )
        assert.strictEqual(batches[0]?.kind, "page")
      })
    )
  )

  it.live.each(wrong)("with %s end the connection, and their trades are not emitted", ([, frame]) =>
    withCoinbase(({ batches, end, send, until: wait }) =>
      Effect.gen(function* () {
        yield* send(match(1), match(2))
        yield* wait(() => ids(batches).length === 2)
        yield* send(frame)
        const error = yield* end
        assert.strictEqual(error.reason, "BadResponse")
        assert.notMatch(error.message, /ccxt|127\.0\.0\.1/)
        assert.deepStrictEqual(ids(batches), [1, 2])
      })
    )
  )

  it.live("of other markets and kinds are ignored", () =>
    withCoinbase(({ batches, send, until: wait }) =>
      Effect.gen(function* () {
        yield* send({ type: "heartbeat", sequence: 1 }, match(1), match(2, { product_id: "ETH-USD" }), match(3))
        yield* wait(() => ids(batches).length === 2)
        assert.deepStrictEqual(ids(batches), [1, 3])
      })
    )
  )

  it.live("that say that the subscription is refused end the connection", () =>
    withCoinbase(({ end, send }) =>
      Effect.gen(function* () {
        yield* send({ type: "error", message: "Failed to subscribe", reason: "BTC-USD is not a valid product" })
        assert.include(["BadResponse", "MarketNotFound", "NotSupported"], (yield* end).reason)
      })
    )
  )

  it.effect("that stay away for too long end the connection, while heartbeats do not", () =>
    Effect.andThen(
      TestClock.setTime(tape.getTime(100)),
      withCoinbase(
        ({ batches, end, send, until: wait, upToDate }) =>
          Effect.gen(function* () {
            const begun = yield* monotonicMillis
            for (let beat = 0; beat < 6; beat++) {
              yield* TestClock.adjust(100)
              yield* send({ type: "heartbeat", sequence: beat })
              yield* wait(() => upToDate.at(-1) === begun + 100 * (beat + 1))
            }
            assert.lengthOf(batches, 0)
            yield* TestClock.adjust(100)
            yield* send(match(1))
            yield* wait(() => batches.length === 1)
            yield* TestClock.adjust(299)
            yield* send(match(2))
            yield* wait(() => batches.length === 2)
            yield* TestClock.adjust(300)
            const error = yield* end
            assert.strictEqual(error.reason, "Timeout")
            assert.strictEqual(error.message, 'The exchange "stubbed" sent nothing over its stream for 0.3 s.')
          }),
        { staleMs: 300 }
      )
    )
  )

  it.live("mark the flow as up to date only if no frame is waiting", () => {
    const isTaken = Latch.makeUnsafe(false)
    return withCoinbase(
      ({ arrived, batches, send, until: wait, upToDate }) =>
        Effect.gen(function* () {
          yield* send(match(1))
          yield* wait(() => ids(batches).length === 1)
          yield* send(...range(2, 2501).map((id) => match(id)))
          yield* arrived
          yield* isTaken.open
          yield* wait(() => ids(batches).at(-1) === 2501)
          const known = upToDate.slice(-2).map((at) => at !== undefined)
          assert.deepStrictEqual(known, [false, true])
        }),
      { taking: isTaken.await }
    )
  })

  it.live("that are dropped are counted also if only frames of other markets remain", () => {
    const isTaken = Latch.makeUnsafe(false)
    return withCoinbase(
      ({ arrived, batches, send, until: wait, upToDate }) =>
        Effect.gen(function* () {
          yield* send(match(1))
          yield* wait(() => ids(batches).length === 1)
          yield* send(...range(2, 9).map((id) => match(id)))
          yield* send(...range(10, 19).map((id) => match(id, { product_id: "ETH-USD" })))
          yield* arrived
          const taken = upToDate.length
          yield* isTaken.open
          yield* wait(() => upToDate.length > taken)
          yield* send(match(20))
          yield* wait(() => ids(batches).at(-1) === 20)
          assert.isAbove(batches.at(-1)?.dropped ?? 0, 0)
          assert.strictEqual(batches.at(-1)?.kind, "page")
        }),
      { waitingTrades: 8, taking: isTaken.await }
    )
  })

  it.live("beyond the size of the buffer are dropped and counted, and the next batch is a page", () => {
    const isTaken = Latch.makeUnsafe(false)
    return withCoinbase(
      ({ arrived, batches, send, until: wait }) =>
        Effect.gen(function* () {
          yield* send(match(1))
          yield* wait(() => ids(batches).length === 1)
          yield* send(...range(2, 96).map((id) => match(id)))
          yield* arrived
          yield* isTaken.open
          yield* wait(() => ids(batches).at(-1) === 96)
          const found = ids(batches)
          assert.isBelow(found.length, 96)
          assert.strictEqual(found.length + batches.reduce((sum, { dropped }) => sum + dropped, 0), 96)
          batches.forEach(({ kind, trades }, index) => {
            const before = Number(batches[index - 1]?.trades.at(-1)?.id ?? 0)
            const isNext = Number(trades[0]?.id) === before + 1
            assert.strictEqual(kind, isNext && index > 0 ? "live" : "page")
          })
        }),
      { waitingTrades: 10, taking: isTaken.await }
    )
  })
})

const second = Date.UTC(2026, 0, 1) / 1000

/** bitstamp's rows, newest first. */
const transactions = (tids: ReadonlyArray<number>) =>
  tids
    .map((tid) => ({ amount: "0.5", date: `${second + tid}`, price: `${20_000 + tid}`, tid: `${tid}`, type: "0" }))
    .toReversed()

const live = (id: number, fields: object = {}) => ({
  event: "trade",
  channel: "live_trades_btcusd",
  data: {
    id,
    amount: 0.5,
    price: 20_000 + id,
    type: 0,
    timestamp: `${second + id}`,
    microtimestamp: `${second + id}000000`,
    ...fields
  }
})

describe("a stream whose ids prove nothing", { timeout: 60_000 }, () => {
  it.live("begins with the newest page, and continues live after a page that shares a trade with it", () => {
    let last = 10
    let pages = 0
    return withFrames(
      "bitstamp",
      () => {
        pages++
        return json(transactions(range(1, last)))
      },
      ({ batches, flow, send, until: wait }) =>
        Effect.gen(function* () {
          assert.deepStrictEqual([flow.continuity, yield* flow.transport], ["overlap", "websocket"])
          yield* wait(() => batches.length === 1)
          assert.deepStrictEqual([batches[0]?.kind, ids(batches)], ["page", range(1, 10)])
          // Two trades happened before the subscription; the page does not show the newest at first.
          yield* send(live(13), live(14))
          yield* wait(() => pages > 1)
          last = 13
          yield* wait(() => batches.length === 2)
          assert.deepStrictEqual([batches[1]?.kind, ids(batches.slice(1))], ["page", range(1, 14)])
          yield* send(live(15), live(16))
          yield* wait(() => ids(batches.slice(2)).length === 2)
          assert.deepStrictEqual(ids(batches.slice(2)), [15, 16])
          assert.isTrue(batches.slice(2).every(({ kind }) => kind === "live"))
        })
    )
  })

  it.live("is in order where the newest page is shorter than what arrived before it", () => {
    let oldest = 1
    let last = 3
    return withFrames(
      "bitstamp",
      () => json(transactions(range(oldest, last))),
      ({ batches, send, until: wait }) =>
        Effect.gen(function* () {
          yield* wait(() => batches.length === 1)
          oldest = 10
          last = 12
          yield* send(...range(4, 13).map((id) => live(id)))
          yield* wait(() => ids(batches).length === 13)
          assert.deepStrictEqual(ids(batches), range(1, 13))
        })
    )
  })

  it.live("is abandoned for pages if its trades differ from those of the pages", () =>
    withFrames(
      "bitstamp",
      () => json(transactions(range(1, 10))),
      ({ batches, end, flow, send, until: wait }) =>
        Effect.gen(function* () {
          yield* wait(() => batches.length === 1)
          yield* send(live(9, { microtimestamp: `${second + 9}500000` }), live(10, { price: 1 }))
          assert.strictEqual((yield* end).reason, "BadResponse")
          assert.strictEqual(yield* flow.transport, "polling")
          const pages = yield* Stream.runCollect(Stream.take(flow.live, 2))
          assert.deepStrictEqual(
            pages.map(({ kind, trades }) => [kind, trades.length]),
            [
              ["page", 10],
              ["page", 10]
            ]
          )
        })
    )
  )

  it.live("is abandoned for pages if it requires an account", () => {
    const rows = [{ sequence: 5, timestamp: second * 1000, price: "20000.00", volume: "0.1", is_buy: true }]
    return withFrames(
      "luno",
      () => json({ trades: rows }),
      ({ end, flow }) =>
        Effect.gen(function* () {
          assert.strictEqual((yield* end).reason, "Refused")
          assert.strictEqual(yield* flow.transport, "polling")
          const [page] = yield* Stream.runCollect(Stream.take(flow.live, 1))
          assert.deepStrictEqual(
            page?.trades.map(({ id, side }) => [id, side]),
            [["5", "buy"]]
          )
        })
    )
  })

  it.live("is abandoned for pages if its trades have no ids", () =>
    withFrames(
      "bitstamp",
      () => json(transactions(range(1, 10))),
      ({ end, flow, send }) =>
        Effect.gen(function* () {
          yield* send(live(10, { id: null }))
          assert.strictEqual((yield* end).reason, "BadResponse")
          assert.strictEqual(yield* flow.transport, "polling")
        })
    )
  )
})
