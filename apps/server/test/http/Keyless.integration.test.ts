import { once } from "node:events"
import { connect } from "node:net"
import type { Socket } from "node:net"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { TestClock } from "effect/testing"
import { CallerAddress } from "../../src/auth/CallerAddress.ts"
import { toLimits } from "../../src/auth/limits/Plans.ts"
import { UnauthenticatedRequests } from "../../src/auth/limits/UnauthenticatedRequests.ts"
import type { Call } from "../HttpCall.ts"
import { generous, key, metrics, plain, RunningService } from "../RunningService.ts"
import { assertProblem } from "./response/Problem.ts"

const keyless = UnauthenticatedRequests.layer(toLimits({ withoutKey: { burst: 3, perSecond: 0.5 } })).pipe(
  Layer.provide(CallerAddress.layer(["192.0.2.1"]))
)

const toRequest = (address: string) =>
  HttpServerRequest.fromWeb(new Request("http://localhost/ping", { headers: { "x-forwarded-for": address } })).modify({
    remoteAddress: Option.some("192.0.2.1")
  })

describe("requests that are not charged to a key", () => {
  it.effect("are counted by address, and the budget refills over time", () =>
    Effect.gen(function* () {
      const { charge } = yield* UnauthenticatedRequests
      const waits = (address: string) =>
        Effect.map(
          charge(toRequest(address)),
          Option.map(({ retryAfterMs }) => retryAfterMs)
        )
      for (let made = 0; made < 3; made++) assert.deepStrictEqual(yield* waits("198.51.100.1"), Option.none())
      assert.deepStrictEqual(yield* waits("198.51.100.1"), Option.some(2000))
      assert.deepStrictEqual(yield* waits("198.51.100.2"), Option.none())
      yield* TestClock.adjust("1999 millis")
      assert.deepStrictEqual(yield* waits("198.51.100.1"), Option.some(1))
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(yield* waits("198.51.100.1"), Option.none())
      assert.deepStrictEqual(yield* waits("198.51.100.1"), Option.some(2000))
      for (const one of ["2001:db8::1", "2001:db8::2", "2001:db8:0:0:ffff::3"]) yield* waits(one)
      assert.deepStrictEqual(yield* waits("2001:db8::4"), Option.some(2000))
      assert.deepStrictEqual(yield* waits("2001:db8:0:1::1"), Option.none())
    }).pipe(Effect.provide(keyless))
  )
})

const operation = "/v2/cex/exchanges"

const from = (address: string, call: Call): Call => ({
  ...call,
  headers: { "x-forwarded-for": address, ...call.headers }
})

const three = { ...generous, withoutKey: { burst: 3, perSecond: 0.01 } }

const free: ReadonlyArray<Call> = [
  { path: "/" },
  { path: "/ping" },
  { path: "/ping", method: "HEAD" },
  { path: "/openapi.json" },
  { path: "/problems/internal" },
  { path: "/status" },
  { path: "/health/ready" },
  { path: "/nowhere" },
  { path: "/v2/nowhere", headers: { "api-key": key } },
  { path: operation, method: "POST", headers: { "api-key": key } },
  { path: operation },
  { path: `${operation}?apiKey=` },
  { path: `${operation}?apiKey=x&apiKey=x` }
]

describe("an address without a key", () => {
  layer(RunningService.layer({ config: {}, limits: three, proxies: ["127.0.0.1"] }), { excludeTestServices: true })(
    (it) => {
      it.effect("is refused after a number of requests of any kind", () =>
        Effect.gen(function* () {
          for (const [index, call] of free.entries()) {
            const address = `198.51.100.${index + 1}`
            for (let made = 0; made < 3; made += 1)
              assert.notStrictEqual((yield* plain(from(address, call))).status, 429, call.path)
            const refused = yield* plain(from(address, call))
            assert.strictEqual(refused.status, 429, call.path)
            assert.isAbove(Number(refused.headers["retry-after"]), 60)
            assert.property(refused.headers, "x-request-id")
            if (call.method === "HEAD") continue
            const { detail } = assertProblem(refused, 429, "rate-limited")
            assert.include(detail, "Requests with a key are counted apart.")
          }
          assert.match(yield* metrics, /chaintape_limit_refusals_total\{[^}]*limit="keyless"[^}]*\} [1-9]/)
        })
      )

      it.effect("is still served with a key, and for health probes", () =>
        Effect.gen(function* () {
          const address = "203.0.113.1"
          for (let made = 0; made < 4; made += 1) yield* plain(from(address, { path: "/ping" }))
          assert.strictEqual((yield* plain(from(address, { path: "/ping" }))).status, 429)
          for (const call of [{ path: operation, headers: { "api-key": key } }, { path: "/health/live" }])
            for (let made = 0; made < 5; made += 1)
              assert.strictEqual((yield* plain(from(address, call))).status, 200, call.path)
          assert.strictEqual((yield* plain(from(address, { path: operation, method: "OPTIONS" }))).status, 204)
          assert.strictEqual((yield* plain(from("203.0.113.2", { path: "/ping" }))).status, 200)
        })
      )
    }
  )
})

/** A connection from an address of this machine, and whether the service has kept it open. */
const open = Effect.fnUntraced(function* (localAddress: string) {
  const { hostname, port } = new URL((yield* RunningService).origin)
  const socket: Socket = yield* Effect.acquireRelease(
    Effect.sync(() => connect({ host: hostname, port: Number(port), localAddress })),
    (opened) => Effect.sync(() => opened.destroy())
  )
  const isOpen = yield* Effect.callback<boolean>((resume) => {
    socket.on("error", () => resume(Effect.succeed(false)))
    socket.on("close", () => resume(Effect.succeed(false)))
    socket.on("data", () => resume(Effect.succeed(true)))
    socket.write("GET /health/live HTTP/1.1\r\nHost: chaintape.example\r\n\r\n")
  })
  return { socket, isOpen }
})

const openMany = (localAddress: string, count: number) =>
  Effect.map(
    Effect.forEach(Array.from({ length: count }), () => open(localAddress)),
    (opened) => opened.map(({ isOpen }) => isOpen)
  )

const connections = { perAddress: 3, proxies: ["127.0.0.9"] }

describe("the connections of one address", () => {
  layer(RunningService.layer({ config: {}, listening: { connections } }), { excludeTestServices: true })((it) => {
    it.effect("are limited per address, and unlimited for a proxy", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* openMany("127.0.0.2", 5), [true, true, true, false, false])
        assert.deepStrictEqual(yield* openMany("127.0.0.3", 3), [true, true, true])
        assert.deepStrictEqual(yield* openMany("127.0.0.9", 20), Array.from({ length: 20 }).fill(true))
        assert.match(yield* metrics, /^chaintape_http_refused_connections_total 2$/m)
      }).pipe(Effect.scoped)
    )

    it.effect("are free again when they end", () =>
      Effect.gen(function* () {
        const first = yield* Effect.forEach([1, 2, 3], () => open("127.0.0.4"))
        assert.deepStrictEqual(yield* openMany("127.0.0.4", 1), [false])
        for (const { socket } of first) {
          const closed = once(socket, "close")
          socket.destroy()
          yield* Effect.promise(() => closed)
        }
        // The service is notified a little later than the client.
        yield* Effect.scoped(openMany("127.0.0.4", 4)).pipe(
          Effect.repeat({ until: (found) => found.join() === "true,true,true,false" }),
          Effect.timeout("20 seconds")
        )
      }).pipe(Effect.scoped)
    )
  })
})

describe("the counts of an address", () => {
  const few = { burst: 3, perSecond: 0.001 }
  layer(RunningService.layer({ config: {}, limits: { ...generous, withoutKey: few, wrongKeys: few } }), {
    excludeTestServices: true
  })((it) => {
    it.effect("are separate for requests without a key, wrong keys and valid keys", () =>
      Effect.gen(function* () {
        const toStatuses = (call: Call) =>
          Effect.forEach(
            Array.from({ length: 4 }, () => call),
            (one) => Effect.map(plain(one), ({ status }) => status)
          )
        assert.deepStrictEqual(yield* toStatuses({ path: "/ping" }), [200, 200, 200, 429])
        const wrong = { path: operation, headers: { "api-key": "chaintape_wrong" } }
        assert.deepStrictEqual(yield* toStatuses(wrong), [401, 401, 401, 429])
        const good = yield* plain({ path: operation, headers: { "api-key": key } })
        assert.deepStrictEqual([good.status, good.headers["ratelimit-remaining"]], [200, "999999"])
      })
    )
  })
})
