import { assert, describe, it, layer, vi } from "@effect/vitest"
import { Clock, Context, Effect, Exit, Layer, Schedule, Scope } from "effect"
import { drainMs } from "../../src/http/socket/GuardedServer.ts"
import { assertProblem } from "../http/response/Problem.ts"
import { call } from "../HttpCall.ts"
import { measureRealTime } from "../MeasureRealTime.ts"
import { generous, key, metrics } from "../RunningService.ts"
import { openSocket, toTrades, until } from "./EventSocket.ts"
import { LiveService, tradesPath } from "./LiveService.ts"

// For a slow machine (milliseconds).
vi.setConfig({ testTimeout: 300_000 })

const fromTo = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at)

const keyed = (origin: string, path: string) => call(origin, { path, headers: { "api-key": key } })

/** How many streams were ended because their readers were too slow. */
const tooSlow = Effect.map(metrics, (text) =>
  Number(/chaintape_live_ended_total\{reason="too-slow"\} (\d+)/.exec(text)?.[1] ?? 0)
)

/** A separate service with an open stream. */
const begun = Effect.gen(function* () {
  const scope = yield* Effect.acquireRelease(Scope.make(), (scope) => Scope.close(scope, Exit.void))
  const service = Context.get(yield* Layer.buildWithScope(LiveService.layer(), scope), LiveService)
  yield* service.trade(1)
  const sockets = yield* Effect.forEach(fromTo(1, 20), () => openSocket(service.origin, tradesPath))
  for (const socket of sockets) yield* until("its beginning", () => socket.events().length > 0)
  return { ...service, sockets, stop: Scope.close(scope, Exit.void) }
})

/** All of its streams end after this, with a reason. Returns how long the act itself took. */
const endedAfter = Effect.fnUntraced(function* (
  { sockets }: Effect.Success<typeof begun>,
  act: Effect.Effect<void>,
  reason: string
) {
  const before = yield* Clock.currentTimeMillis
  yield* act
  const acted = (yield* Clock.currentTimeMillis) - before
  for (const socket of sockets) yield* until("its end", () => socket.isClosed())
  for (const socket of sockets) assert.include(socket.events().at(-1)?.data, `"reason":"${reason}"`)
  return acted
})

describe("a live stream", () => {
  layer(LiveService.layer(), { excludeTestServices: true, timeout: "180 seconds" })((it) => {
    it.effect("begins at once with its position, and is neither stored nor changed on its way", () =>
      Effect.gen(function* () {
        const { origin } = yield* LiveService
        const socket = yield* openSocket(origin, tradesPath, { headers: { "accept-encoding": "gzip, br" } })
        assert.strictEqual(socket.status, 200)
        // Nothing is recorded meanwhile.
        yield* until("the first event", () => socket.events().length > 0)
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

    it.effect("emits each trade once and in order, and continues after the last one that was read", () =>
      Effect.gen(function* () {
        const { origin, recorded, trade } = yield* LiveService
        const before = yield* recorded
        yield* trade(3)
        const all = yield* openSocket(origin, `${tradesPath}?since=0`)
        yield* trade(20)
        yield* until("the trades", () => toTrades(all).length === before + 23)
        assert.deepStrictEqual(toTrades(all), fromTo(1, before + 23))
        const { data } = all.events().at(-1) ?? { data: "" }
        assert.match(data, /^{"id":"\d+","timestamp":"\d+","price":60\d+\.5,"size":0\.\d,"cost":[\d.]+,"side":"\w+"}$/)
        const id = all.events().find(({ id }) => id?.startsWith(`a${before + 10}-`) === true)?.id ?? ""
        yield* all.close
        const byHeader = yield* openSocket(origin, `${tradesPath}?after=s0`, { headers: { "last-event-id": id } })
        const byQuery = yield* openSocket(origin, `${tradesPath}?after=${id}`)
        yield* trade(5)
        for (const socket of [byHeader, byQuery]) {
          yield* until("what follows", () => toTrades(socket).length === 18)
          assert.deepStrictEqual(toTrades(socket), fromTo(before + 11, before + 28))
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
        const byHeader = yield* call(origin, {
          path: tradesPath,
          headers: { "api-key": key, "last-event-id": "nonsense" }
        })
        const { issues } = assertProblem(byHeader, 400, "invalid-parameter")
        assert.deepStrictEqual(
          issues?.map(({ parameter }) => parameter),
          ["last-event-id"]
        )
        const getHead = (path: string) => call(origin, { path, method: "HEAD", headers: { "api-key": key } })
        const head = yield* getHead(tradesPath)
        assert.strictEqual(head.status, 200)
        assert.match(head.headers["content-type"] ?? "", /^text\/event-stream/)
        assert.isUndefined(head.headers["content-length"])
        assert.strictEqual((yield* getHead(`${tradesPath}?after=nonsense`)).status, 400)
      })
    )

    it.effect("is ended for a reader who does not read, who then resumes without a loss", () =>
      Effect.gen(function* () {
        const { origin, recorded, trade } = yield* LiveService
        const quick = yield* openSocket(origin, tradesPath)
        const begunAt = yield* recorded
        const unread = Effect.gen(function* () {
          const before = yield* recorded
          const ended = yield* tooSlow
          const slow = yield* openSocket(origin, tradesPath, { isPaused: true })
          for (let round = 0; round < 300 && (yield* tooSlow) === ended; round++) {
            yield* trade(20, 20_000)
            const end = yield* recorded
            yield* until("what the quick one reads", () => toTrades(quick).at(-1) === end)
          }
          assert.strictEqual(yield* tooSlow, ended + 1)
          slow.resume()
          yield* until("the end of the stream", () => slow.isClosed())
          return { before, slow }
        })
        // The service waits five seconds for its last event to be read.
        const { before, slow } = yield* measureRealTime(unread, ({ slow }) => slow.events().at(-1)?.name === "end")
        assert.include(slow.events().at(-1)?.data, '"reason":"too-slow"')
        const last = toTrades(slow).length
        assert.deepStrictEqual(toTrades(slow), fromTo(before + 1, before + last))
        const id = slow.events().findLast(({ name }) => name === "trade")?.id ?? ""
        const again = yield* openSocket(origin, `${tradesPath}?after=${id}`)
        const end = yield* recorded
        yield* until("the rest", () => toTrades(again).length === end - before - last)
        assert.deepStrictEqual(toTrades(again), fromTo(before + last + 1, end))
        assert.deepStrictEqual(toTrades(quick), fromTo(begunAt + 1, end))
      })
    )

    it.effect("loses and repeats no trade for a hundred readers, twenty of which reconnect each second", () =>
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
            reader.seen.push(...toTrades(reader.socket))
            yield* reader.socket.close
            reader.socket = yield* openSocket(origin, tradesPath, { headers: { "last-event-id": id } })
          }
          yield* Effect.sleep("100 millis")
        }
        const end = yield* recorded
        for (const { seen, socket } of readers) {
          yield* until("its last trade", () => (toTrades(socket).at(-1) ?? seen.at(-1)) === end)
          const all = [...seen, ...toTrades(socket)]
          assert.deepStrictEqual(all, fromTo(all[0] ?? 0, end))
          assert.isAtMost(all[0] ?? Number.POSITIVE_INFINITY, start + 1)
        }
      })
    )
  })

  layer(LiveService.layer({ limits: { ...generous, subscribers: 2 } }), {
    excludeTestServices: true,
    timeout: "180 seconds"
  })((it) => {
    it.effect("is refused where as many are open as the instance serves", () =>
      Effect.gen(function* () {
        const { origin, trade } = yield* LiveService
        yield* trade(1)
        const first = yield* openSocket(origin, tradesPath)
        yield* openSocket(origin, tradesPath)
        assertProblem(yield* keyed(origin, tradesPath), 503, "overloaded")
        yield* first.close
        yield* openSocket(origin, tradesPath).pipe(
          Effect.repeat({ until: ({ status }) => status === 200, schedule: Schedule.spaced("20 millis") }),
          Effect.timeout("60 seconds")
        )
      })
    )
  })

  layer(
    LiveService.layer({
      listening: {
        requestTimeouts: { headersMs: 800, requestMs: 1600 },
        minimumReadRate: { bytes: 1_000_000_000, withinMs: 500 }
      }
    }),
    { excludeTestServices: true, timeout: "180 seconds" }
  )((it) => {
    it.effect("is not ended by the limits of other responses", () =>
      Effect.gen(function* () {
        const { origin, trade } = yield* LiveService
        yield* trade(1)
        const socket = yield* openSocket(origin, tradesPath)
        yield* Effect.sleep("2500 millis")
        yield* trade(1)
        yield* until("the trade", () => toTrades(socket).length === 1)
        assert.isFalse(socket.isClosed())
      })
    )
  })

  it.live("ends after the revocation of its key", () =>
    Effect.flatMap(begun, (service) => endedAfter(service, service.revoke, "revoked")).pipe(Effect.scoped)
  )

  it.live("is ended when the service stops, which does not wait for it", () =>
    Effect.gen(function* () {
      const service = yield* begun
      const took = yield* endedAfter(service, service.stop, "closing")
      assert.isBelow(took, drainMs)
    }).pipe(Effect.scoped)
  )
})
