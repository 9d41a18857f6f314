import { Cex, CexStream } from "@chaintape/cex"
import { CexTest } from "@chaintape/cex/testing"
import { Client, Market } from "@chaintape/core"
import { Faults, Script } from "@chaintape/core/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"

const place = { exchange: "stub", market: Market.make("BTC/USD") }
const start = DateTime.makeUnsafe("2026-01-01T00:00:00Z")
const after = (seconds: number) => DateTime.add(start, { seconds })
const tradeAt = (seconds: number) => CexTest.trade({ id: String(seconds), timestamp: after(seconds) })

/** A trade each second from the first one that a connection asks for. */
const eachSecond: CexTest.CexScript["liveTrades"] = ({ since = start }) =>
  Stream.fromSchedule(Schedule.spaced("1 second")).pipe(
    Stream.map((count) => Math.round(DateTime.toEpochMillis(since) / 1000) + count),
    Stream.map((second) => ({ trade: tradeAt(second - DateTime.toEpochMillis(start) / 1000) }))
  )

const pagesOf = (
  script: CexTest.CexScript,
  seconds: number,
  fault: Faults.Fault = Layer.effectContext(Effect.context<HttpClient.HttpClient>())
) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(DateTime.toEpochMillis(start))
    const reconnects: Array<string> = []
    const pages: Array<CexStream.TradePage> = []
    const client = Client.layerNoDeps({
      baseUrl: "http://service.test",
      onReconnect: ({ reason }) => reconnects.push(reason)
    })
    const layer = Cex.layerNoDeps.pipe(
      Layer.provide(client),
      Layer.provide(fault),
      Layer.provide(CexTest.layerHttp(script))
    )
    const fiber = yield* CexStream.tradePages({ ...place, since: start, live: true }).pipe(
      Stream.runForEach((page) => Effect.sync(() => pages.push(page))),
      Effect.provide(layer),
      Effect.forkChild
    )
    for (let second = 0; second < seconds; second++) yield* TestClock.adjust("1 second")
    const exit = fiber.pollUnsafe()
    yield* Fiber.interrupt(fiber)
    const ids = pages.flatMap(({ trades }) => trades.map(({ id }) => Number(id)))
    return { exit, ids, pages, reconnects }
  })

const steady = (count: number) => Array.from({ length: count }, (_, second) => second)

describe("scripted live trades", () => {
  it.effect("arrive by the test clock", () =>
    Effect.gen(function* () {
      const { ids, reconnects } = yield* pagesOf({ trades: [], liveTrades: eachSecond }, 10)
      assert.deepStrictEqual(ids, steady(ids.length))
      assert.isAtLeast(ids.length, 8)
      assert.deepStrictEqual(reconnects, [])
    })
  )

  it.effect("arrive each once where the connection ends after a few", () =>
    Effect.gen(function* () {
      const trades = steady(300).map(tradeAt)
      const script = {
        trades: () => trades.filter(({ timestamp }) => DateTime.isLessThan(timestamp, after(1))),
        liveTrades: eachSecond
      }
      const { ids, reconnects } = yield* pagesOf(script, 60, Faults.disconnected({ first: 3, after: 4 }))
      assert.deepStrictEqual(ids, steady(ids.length))
      assert.isAtLeast(ids.length, 20)
      assert.deepStrictEqual(reconnects, ["lost", "lost", "lost"])
    })
  )

  it.effect("are polled where a proxy holds them back", () =>
    Effect.gen(function* () {
      const trades = steady(300).map(tradeAt)
      const script: CexTest.CexScript = {
        trades: () =>
          Effect.map(DateTime.now, (now) =>
            trades.filter(({ timestamp }) => DateTime.isLessThanOrEqualTo(timestamp, now))
          ),
        liveTrades: eachSecond
      }
      const { ids, reconnects } = yield* pagesOf(script, 30, Faults.silent({}))
      assert.deepStrictEqual(ids, steady(ids.length))
      assert.isAtLeast(ids.length, 25)
      assert.deepStrictEqual(reconnects, ["silent"])
    })
  )

  it.effect("report a gap with the number of missing trades", () =>
    Effect.gen(function* () {
      const gap = { from: after(1), to: after(5), missing: 3 }
      const { pages } = yield* pagesOf({ trades: [], liveTrades: Stream.make({ trade: tradeAt(1) }, { gap }) }, 3)
      const [reported] = pages.flatMap(({ gaps }) => gaps)
      assert.deepStrictEqual(reported, { state: "open", from: after(1), to: after(5), missing: Option.some(3) })
    })
  )

  it.effect("that no service can send are a defect that says what is wrong", () =>
    Effect.gen(function* () {
      const wrong = { trade: { ...tradeAt(1), price: "much" } }
      const { exit } = yield* pagesOf({ trades: [], liveTrades: Stream.make(wrong) }, 3)
      assert.isTrue(exit !== undefined && Exit.isFailure(exit))
      const defect = exit !== undefined && Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
      assert.instanceOf(defect, Script.WrongScript)
      assert.include(String(defect), "A trade given is not one that the service can send")
    })
  )
})
