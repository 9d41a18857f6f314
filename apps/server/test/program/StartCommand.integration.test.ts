import { createServer } from "node:net"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, FileSystem, Schema } from "effect"
import { coinbaseStub } from "../cex/ccxt/CoinbaseStub.ts"
import { evenTape } from "../cex/ccxt/Sandbox.ts"
import { stubExchange } from "../cex/ccxt/StubExchange.ts"
import { freePort } from "../faults/world/FreePort.ts"
import { call, record } from "../HttpCall.ts"
import { family, ready, start, until } from "../StartedProgram.ts"
import {
  becomesReady,
  folder,
  gone,
  interrupted,
  processorSeconds,
  shell,
  signal,
  works,
  worldOf
} from "../StartedWorld.ts"

/** The output of a start that fails is a message, not a stack trace. */
const assertRefused = (code: number | string, output: string, ...told: ReadonlyArray<string>) => {
  assert.isAbove(Number(code), 0)
  assert.match(output, /^Chaintape has \w+/m)
  for (const part of told) assert.include(output, part)
  assert.notMatch(output, /\bat \S+ \(|\bat file:/)
}

const provided = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(Effect.scoped, Effect.provide(NodeServices.layer))

/** As `npx pnpm start` runs a script: two package managers, each with a shell, without exec. */
const underManagers = (command: string) => ["sh", "-c", `sh -c '${command}; exit $?' pnpm start; exit $?`, "npx"]

/** A port that is in use. */
const busyPort = Effect.gen(function* () {
  const taken = yield* Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<ReturnType<typeof createServer>>((resolve) => {
          const server = createServer().listen(0, "127.0.0.1", () => resolve(server))
        })
    ),
    (server) => Effect.sync(() => server.close())
  )
  const { port } = yield* Schema.decodeUnknownEffect(Schema.Struct({ port: Schema.Int }))(taken.address())
  return String(port)
})

/** Both listeners have their own routes: the service none of the metrics', and the metrics' none of the service. */
const haveOwnRoutes = Effect.fnUntraced(function* (origin: string, metrics: string, key: string) {
  const statusOf = (at: string, path: string) =>
    Effect.map(call(at, { path, headers: { "api-key": key } }), ({ status }) => status)
  assert.strictEqual(yield* statusOf(metrics, "/metrics"), 200)
  assert.strictEqual(yield* statusOf(origin, "/v2/blocks"), 200)
  assert.strictEqual(yield* statusOf(origin, "/metrics"), 404)
  for (const path of ["/v2/blocks", "/docs", "/sign-up", "/status"])
    assert.strictEqual(yield* statusOf(metrics, path), 404, path)
  // The service's router distinguishes letters' case and slashes, and has long parameters.
  for (const path of ["/V2/blocks", "//v2/blocks", "/v2//blocks", `/v2/cex/${"a".repeat(500)}`])
    assert.strictEqual(yield* statusOf(origin, path), 404, path)
})

/** Fails unless each line of a journal has the id after that of the line before. */
const areConsecutive = Effect.fnUntraced(function* (journal: string) {
  const files = yield* FileSystem.FileSystem
  const ids = [...(yield* files.readFileString(journal)).matchAll(/^\[(\d+),.*\n/gm)].map(([, id]) => Number(id))
  assert.isAbove(ids.length, 1000)
  assert.deepStrictEqual(
    ids,
    ids.map((_, at) => (ids[0] ?? 0) + at)
  )
})

/** The promise of ten seconds for the first start and five for the next (StartTimes) is for two CPUs. */
const processors = 2

describe("the start command", () => {
  it.live(
    "starts the offline world, which ends with it however it ends, and starts it again on what it left",
    () =>
      provided(
        Effect.gen(function* () {
          const metricsPort = String(yield* freePort)
          const environment = { CHAINTAPE_DATA_DIR: yield* folder, METRICS_PORT: metricsPort }
          const keys = new Set<string>()
          const begin = (seconds: number) =>
            Effect.gen(function* () {
              const started = yield* start(environment, { isFirst: true })
              const { line, origin } = yield* ready(started)
              const children = worldOf(started)
              assert.isAtMost(processorSeconds([started.pid, ...children]), seconds * processors)
              assert.match(yield* shell(line), works)
              keys.add(/api-key: ([^"]+)"/.exec(line)?.[1] ?? "")
              return { started, children, origin }
            })

          const first = yield* begin(10)
          assert.strictEqual((yield* becomesReady(first.origin)).status, 200)
          yield* haveOwnRoutes(first.origin, `http://127.0.0.1:${metricsPort}`, [...keys].join(""))
          const intruder = yield* start(environment, { isFirst: true })
          const refused = yield* intruder.ended.pipe(Effect.timeout("60 seconds"))
          assertRefused(refused, intruder.output(), "is open in another process", "CHAINTAPE_DATA_DIR")
          yield* areConsecutive(`${environment.CHAINTAPE_DATA_DIR}/sandbox/BTC-USD.ndjson`)
          yield* signal(first.started.pid, "SIGINT")
          assert.include(interrupted, yield* first.started.ended, first.started.output())
          yield* gone(first.children)

          const second = yield* begin(5)
          yield* signal(second.started.pid, "SIGTERM")
          assert.include(interrupted, yield* second.started.ended, second.started.output())
          yield* gone(second.children)

          const killed = yield* begin(5)
          yield* signal(killed.started.pid, "SIGKILL")
          assert.strictEqual(yield* killed.started.ended, "SIGKILL")
          yield* gone(killed.children)

          const deprived = yield* begin(5)
          yield* signal(deprived.children[0] ?? 0, "SIGKILL")
          assert.isAbove(Number(yield* deprived.started.ended.pipe(Effect.timeout("60 seconds"))), 0)
          assert.include(deprived.started.output(), "The sandbox has ended by itself")
          yield* gone(deprived.children)
          assert.strictEqual(keys.size, 1, "the key outlives a restart")
        })
      ),
    300_000
  )

  it.live(
    "says that its port is busy, and leaves nothing behind",
    () =>
      provided(
        Effect.gen(function* () {
          const port = yield* busyPort
          const started = yield* start({ CHAINTAPE_DATA_DIR: yield* folder, PORT: port })
          const seen = new Set<number>()
          const watching = yield* Effect.forkChild(
            Effect.forever(
              Effect.andThen(
                Effect.sync(() => family(started.pid).forEach((pid) => seen.add(pid))),
                Effect.sleep("100 millis")
              )
            )
          )
          const code = yield* started.ended.pipe(Effect.timeout("60 seconds"))
          yield* Fiber.interrupt(watching)
          assertRefused(code, started.output(), `Port ${port} is in use`, "set PORT")
          yield* gone([...seen])
        })
      ),
    180_000
  )

  it.live(
    "shows a key that it makes once, keeps others out of its directory, ends with its package manager and in order",
    () =>
      provided(
        Effect.gen(function* () {
          const answer = coinbaseStub(evenTape(500))
          const stub = yield* stubExchange(async (path, query) => {
            if (path.endsWith("/trades")) await new Promise((resolve) => setTimeout(resolve, 1500))
            return answer(path, query)
          })
          const files = yield* FileSystem.FileSystem
          const dataDir = yield* folder
          const file = `${dataDir}/chaintape.config.json`
          const exchanges = [{ id: "slow", driver: "coinbaseexchange", rest: stub.rest }]
          yield* files.writeFileString(file, JSON.stringify({ exchanges }))
          const environment = { CHAINTAPE_CONFIG: file, CHAINTAPE_DATA_DIR: `${dataDir}/data` }
          const asked = (origin: string, key: string) =>
            Effect.map(call(origin, { path: "/v2/cex/slow", headers: { "api-key": key } }), ({ status }) => status)

          const first = yield* start(environment)
          const before = yield* ready(first)
          const made = /api-key: (chaintape_\w{42})"/.exec(before.line)?.[1] ?? ""
          assert.strictEqual(yield* asked(before.origin, made), 200)
          assert.strictEqual(
            first
              .output()
              .split("\n")
              .filter((one) => one.startsWith("{") && one.includes(made)).length,
            0
          )

          const intruder = yield* start(environment)
          const code = yield* intruder.ended.pipe(Effect.timeout("60 seconds"))
          assertRefused(code, intruder.output(), "is open in another process", "CHAINTAPE_DATA_DIR")
          assert.strictEqual((yield* call(before.origin, { path: "/health/ready" })).status, 200)
          yield* signal(first.pid, "SIGTERM")
          assert.include(interrupted, yield* first.ended)

          // A package manager does not forward signals.
          const second = yield* start({ ...environment, npm_lifecycle_event: "start" }, { under: underManagers })
          const { origin } = yield* ready(second)
          assert.notInclude(second.output(), made)
          assert.strictEqual(yield* asked(origin, made), 200)
          const below = family(second.pid)
          assert.isAtLeast(below.length, 2, "the lower package manager, the service, and what that runs")
          yield* signal(second.pid, "SIGTERM")
          yield* gone(below)

          const given = "the-key-of-the-operator"
          const third = yield* start({ ...environment, CHAINTAPE_BOOTSTRAP_KEY: given })
          const after = yield* ready(third)
          assert.deepStrictEqual([yield* asked(after.origin, given), yield* asked(after.origin, made)], [200, 401])

          // Requests in progress are completed, and new ones are not accepted.
          const path = "/v2/cex/slow/BTC-USD/lasttrade"
          const running = yield* Effect.forkChild(call(after.origin, { path, headers: { "api-key": given } }))
          yield* until("the request to reach the exchange", () => stub.requests.some((one) => one.includes("/trades")))
          yield* signal(third.pid, "SIGTERM")
          const reply = yield* Fiber.join(running)
          assert.deepStrictEqual([reply.status, record(reply)["id"]], [200, "500"])
          assert.include(interrupted, yield* third.ended.pipe(Effect.timeout("60 seconds")))
          assert.strictEqual((yield* Effect.exit(call(after.origin, { path: "/ping" })))._tag, "Failure")
        })
      ),
    180_000
  )
})
