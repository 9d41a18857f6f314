import { assert, describe, it, layer } from "@effect/vitest"
import { Clock, Context, Effect, Exit, Layer, Scope } from "effect"
import { assertProblem } from "../http/Problem.ts"
import { call } from "../HttpCall.ts"
import { generous, key } from "../RunningService.ts"
import { openSocket, tradesOf, until } from "./EventSocket.ts"
import { LiveService, tradesPath } from "./LiveService.ts"

const fromTo = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at)

/** Of a test that records much, on a machine that does much else (milliseconds). */
const patience = 120_000

const keyed = (origin: string, path: string) => call(origin, { path, headers: { "api-key": key } })

const ended = Effect.fnUntraced(function* (origin: string, reason: string) {
  const { body } = yield* call(origin, { path: "/metrics" })
  return new RegExp(`chaintape_live_ended_total\\{reason="${reason}"\\} [1-9]`).test(body)
})

describe("a live stream", () => {
  layer(LiveService.layer(), { excludeTestServices: true, timeout: "60 seconds" })((it) => {
    it.effect("begins at once with its position, and is neither stored nor changed on its way", () =>
      Effect.gen(function* () {
        const { origin } = yield* LiveService
        const socket = yield* openSocket(origin, tradesPath, { headers: { "accept-encoding": "gzip, br" } })
        assert.strictEqual(socket.status, 200)
        yield* until("the first event", () => socket.events().length > 0, 1000)
        const { headers } = socket
        assert.strictEqual(headers["content-type"], "text/event-stream; charset=utf-8")
        assert.strictEqual(headers["cache-control"], "no-store")
        assert.strictEqual(headers["x-accel-buffering"], "no")
        assert.strictEqual(headers["access-control-allow-origin"], "*")
        assert.isUndefined(headers["content-encoding"])
        assert.isUndefined(headers["etag"])
        assert.isDefined(headers["ratelimit"])
        assert.isDefined(headers["x-request-id"])
        assert.match(socket.text(), /^retry: 1000\n\nevent: open\nid: (\S+)\ndata: {"cursor":"\1"}\n\n$/)
      })
    )

    it.effect("tells each trade once and in order, and goes on behind the last one that was read", () =>
      Effect.gen(function* () {
        const { origin, recorded, trade } = yield* LiveService
        const before = yield* recorded
        yield* trade(3)
        const all = yield* openSocket(origin, `${tradesPath}?since=0`)
        yield* trade(20)
        yield* until("the trades", () => tradesOf(all).length === before + 23)
        assert.deepStrictEqual(tradesOf(all), fromTo(1, before + 23))
        const { data } = all.events().at(-1) ?? { data: "" }
        assert.match(data, /^{"id":"\d+","timestamp":"\d+","price":60\d+\.5,"size":0\.\d,"cost":[\d.]+,"side":"\w+"}$/)
        const id = all.events().find(({ id }) => id?.startsWith(`a${before + 10}-`) === true)?.id ?? ""
        yield* all.close
        const byHeader = yield* openSocket(origin, `${tradesPath}?after=s0`, { headers: { "last-event-id": id } })
        const byQuery = yield* openSocket(origin, `${tradesPath}?after=${id}`)
        yield* trade(5)
        for (const socket of [byHeader, byQuery]) {
          yield* until("what follows", () => tradesOf(socket).length === 18)
          assert.deepStrictEqual(tradesOf(socket), fromTo(before + 11, before + 28))
        }
      })
    )

    it.effect("is refused with a problem before it begins", () =>
      Effect.gen(function* () {
        const { origin } = yield* LiveService
        const refused = (path: string) => keyed(origin, path)
        assertProblem(yield* refused(`${tradesPath}?after=s1&since=1`), 400, "invalid-parameter")
        assertProblem(yield* refused(`${tradesPath}?limit=1`), 400, "invalid-parameter")
        assertProblem(yield* refused(`${tradesPath}?after=nonsense`), 400, "invalid-parameter")
        assertProblem(yield* refused(`${tradesPath}?after=a99999999-5`), 400, "invalid-parameter")
        assertProblem(yield* refused("/live/cex/recorded/ETH-USD/trades"), 404, "operation-not-supported")
        assertProblem(yield* refused("/live/cex/nowhere/BTC-USD/trades"), 404, "exchange-not-found")
        assertProblem(yield* refused("/live/blocks/nowhere"), 404, "blockchain-not-found")
        assertProblem(yield* call(origin, { path: tradesPath }), 401, "missing-api-key")
        assertProblem(yield* call(origin, { path: tradesPath, method: "POST" }), 405, "method-not-allowed")
        const head = yield* call(origin, { path: tradesPath, method: "HEAD", headers: { "api-key": key } })
        assert.strictEqual(head.status, 200)
      })
    )

    it.effect(
      "is ended for a reader who does not read, who then resumes without a loss",
      () =>
        Effect.gen(function* () {
          const { origin, recorded, trade } = yield* LiveService
          const before = yield* recorded
          const slow = yield* openSocket(origin, tradesPath, { isPaused: true })
          const quick = yield* openSocket(origin, tradesPath)
          let isEnded = false
          for (let round = 0; round < 60 && !isEnded; round++) {
            yield* trade(100, 20_000)
            isEnded = yield* ended(origin, "too-slow")
          }
          assert.isTrue(isEnded)
          slow.resume()
          yield* until("the end of the stream", () => slow.events().at(-1)?.name === "end")
          assert.include(slow.events().at(-1)?.data, '"reason":"too-slow"')
          const last = tradesOf(slow).length
          assert.deepStrictEqual(tradesOf(slow), fromTo(before + 1, before + last))
          const id = slow.events().findLast(({ name }) => name === "trade")?.id ?? ""
          const again = yield* openSocket(origin, `${tradesPath}?after=${id}`)
          const end = yield* recorded
          yield* until("the rest", () => tradesOf(again).length === end - before - last, 30_000)
          assert.deepStrictEqual(tradesOf(again), fromTo(before + last + 1, end))
          yield* until("what the quick one reads", () => tradesOf(quick).length === end - before, 30_000)
        }),
      patience
    )

    it.effect(
      "loses and doubles nothing for a hundred readers of whom twenty come back each second",
      () =>
        Effect.gen(function* () {
          const { origin, recorded, trade } = yield* LiveService
          const before = yield* recorded
          yield* trade(1)
          const start = before + 1
          const readers = yield* Effect.forEach(
            fromTo(1, 100),
            () => Effect.map(openSocket(origin, tradesPath), (socket) => ({ socket, seen: new Array<number>() })),
            { concurrency: 20 }
          )
          for (const { socket } of readers) yield* until("its beginning", () => socket.events().length > 0)
          for (let tenth = 0; tenth < 40; tenth++) {
            yield* trade(5)
            for (const at of [(tenth * 2) % 100, (tenth * 2 + 1) % 100]) {
              const reader = readers[at]
              const id = reader?.socket.events().at(-1)?.id
              if (reader === undefined || id === undefined) continue
              reader.seen.push(...tradesOf(reader.socket))
              yield* reader.socket.close
              reader.socket = yield* openSocket(origin, tradesPath, { headers: { "last-event-id": id } })
            }
            yield* Effect.sleep("100 millis")
          }
          const end = yield* recorded
          for (const { seen, socket } of readers) {
            yield* until("its last trade", () => (tradesOf(socket).at(-1) ?? seen.at(-1)) === end)
            const all = [...seen, ...tradesOf(socket)]
            assert.deepStrictEqual(all, fromTo(all[0] ?? 0, end))
            assert.isAtMost(all[0] ?? Number.POSITIVE_INFINITY, start + 1)
          }
        }),
      patience
    )
  })

  layer(LiveService.layer({ limits: { ...generous, subscribers: 2 } }), { excludeTestServices: true })((it) => {
    it.effect("is refused where as many are open as the instance serves", () =>
      Effect.gen(function* () {
        const { origin, trade } = yield* LiveService
        yield* trade(1)
        const first = yield* openSocket(origin, tradesPath)
        yield* openSocket(origin, tradesPath)
        assertProblem(yield* keyed(origin, tradesPath), 503, "overloaded")
        yield* first.close
        yield* Effect.sleep("200 millis")
        assert.strictEqual((yield* openSocket(origin, tradesPath)).status, 200)
      })
    )
  })

  layer(
    LiveService.layer({
      listening: { slowest: { headersMs: 800, requestMs: 1600 }, pace: { bytes: 1_000_000_000, withinMs: 500 } }
    }),
    { excludeTestServices: true }
  )((it) => {
    it.effect("outlives what bounds other answers", () =>
      Effect.gen(function* () {
        const { origin, trade } = yield* LiveService
        yield* trade(1)
        const socket = yield* openSocket(origin, tradesPath)
        yield* Effect.sleep("2500 millis")
        yield* trade(1)
        yield* until("the trade", () => tradesOf(socket).length === 1)
        assert.isFalse(socket.isClosed())
      })
    )

    it.effect("ends within five seconds of the revocation of its key", () =>
      Effect.gen(function* () {
        const { origin, revoke, trade } = yield* LiveService
        yield* trade(1)
        const socket = yield* openSocket(origin, tradesPath)
        yield* until("its beginning", () => socket.events().length > 0)
        yield* revoke
        yield* until("its end", () => socket.isClosed(), 5000)
        assert.include(socket.events().at(-1)?.data, '"reason":"revoked"')
      })
    )
  })

  it.live(
    "is told that the service stops, which does not wait for it",
    () =>
      Effect.gen(function* () {
        const scope = yield* Scope.make()
        const service = Context.get(yield* Layer.buildWithScope(LiveService.layer(), scope), LiveService)
        yield* service.trade(1)
        const sockets = yield* Effect.forEach(fromTo(1, 20), () => openSocket(service.origin, tradesPath))
        for (const socket of sockets) yield* until("its beginning", () => socket.events().length > 0)
        const begun = yield* Clock.currentTimeMillis
        yield* Scope.close(scope, Exit.void)
        assert.isBelow((yield* Clock.currentTimeMillis) - begun, 4000)
        for (const socket of sockets) assert.include(socket.events().at(-1)?.data, '"reason":"closing"')
      }).pipe(Effect.scoped),
    30_000
  )
})
