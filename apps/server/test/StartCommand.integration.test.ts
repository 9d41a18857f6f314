import { createServer } from "node:net"
import { execFile } from "node:child_process"
import { kill } from "node:process"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber, FileSystem, Schema } from "effect"
import { coinbaseStub } from "./cex/ccxt/CoinbaseStub.ts"
import { evenTape } from "./cex/ccxt/Sandbox.ts"
import { stubExchange } from "./cex/ccxt/StubExchange.ts"
import { call, record } from "./HttpCall.ts"
import { family, isAlive, ready, start, StartFailed, until } from "./StartedProgram.ts"

const folder = Effect.flatMap(FileSystem.FileSystem, (files) => files.makeTempDirectoryScoped())

/** Codes of a program that ended because it was told to. */
const interrupted: ReadonlyArray<number | string> = [0, 130]

const signal = (pid: number, name: NodeJS.Signals) => Effect.sync(() => kill(pid, name))

/** What a shell says to the line that the banner shows. */
const shell = (line: string) =>
  Effect.callback<string, StartFailed>((resume) => {
    execFile("sh", ["-c", line.replace("curl", "curl -s --max-time 5 -w '\n%{http_code}'")], (error, stdout) =>
      resume(error === null ? Effect.succeed(stdout) : Effect.fail(new StartFailed({ message: String(error) }))))
  })

const timed = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const begun = yield* Clock.currentTimeMillis
    const value = yield* effect
    return [value, (yield* Clock.currentTimeMillis) - begun] as const
  })

const provided = <A, E, R>(effect: Effect.Effect<A, E, R>) => effect.pipe(Effect.scoped, Effect.provide(NodeServices.layer))

/** A configuration file with nothing but an exchange, which starts quickly. */
const configured = Effect.fnUntraced(function* (config: unknown) {
  const files = yield* FileSystem.FileSystem
  const dataDir = yield* folder
  const file = `${dataDir}/chaintape.config.json`
  yield* files.writeFileString(file, typeof config === "string" ? config : JSON.stringify(config))
  return { CHAINTAPE_CONFIG: file, CHAINTAPE_DATA_DIR: `${dataDir}/data` }
})

const assertGone = (pids: ReadonlyArray<number>, withinMs: number) =>
  Effect.gen(function* () {
    yield* until(`the end of ${pids.join(", ")}`, () => pids.every((pid) => !isAlive(pid)), withinMs)
  })

describe("the start command", () => {
  it.live("starts within ten seconds, the line it prints works, and again within five seconds", () =>
    provided(Effect.gen(function* () {
      const dataDir = yield* folder
      const keys = new Set<string>()
      for (const [name, limit] of [["SIGTERM", 10_000], ["SIGINT", 5000]] as const) {
        const started = yield* start({ CHAINTAPE_DATA_DIR: dataDir })
        const [{ line, origin }, took] = yield* timed(ready(started))
        assert.isBelow(took, limit)
        const answer = yield* shell(line)
        assert.match(answer, /"price":[\d.]+.*\n200$/)
        keys.add(/api-key: ([^"]+)"/.exec(line)?.[1] ?? "")
        assert.strictEqual((yield* call(origin, { path: "/health/ready" })).status, 200)
        const children = family(started.pid)
        assert.isAtLeast(children.length, 3, "the sandbox, its shell and anvil")
        yield* signal(started.pid, name)
        const [code, ending] = yield* timed(started.ended)
        assert.include(interrupted, code, started.output())
        assert.isBelow(ending, 5000)
        yield* assertGone(children, 500)
        assert.notMatch(started.output(), /Error|\bat \S+ \(/)
      }
      assert.strictEqual(keys.size, 1, "the key outlives a restart")
    })), 60_000)

  it.live("leaves nothing behind when it is killed, and starts again on what it left", () =>
    provided(Effect.gen(function* () {
      const dataDir = yield* folder
      const started = yield* start({ CHAINTAPE_DATA_DIR: dataDir })
      yield* ready(started)
      const children = family(started.pid)
      assert.isAtLeast(children.length, 3)
      yield* signal(started.pid, "SIGKILL")
      assert.strictEqual(yield* started.ended, "SIGKILL")
      yield* assertGone(children, 3000)
      const again = yield* start({ CHAINTAPE_DATA_DIR: dataDir })
      const { line } = yield* ready(again)
      assert.match(yield* shell(line), /\n200$/)
      yield* signal(again.pid, "SIGTERM")
      yield* again.ended
    })), 60_000)

  it.live("ends with a message when the sandbox that it runs on has died", () =>
    provided(Effect.gen(function* () {
      const started = yield* start({ CHAINTAPE_DATA_DIR: yield* folder })
      yield* ready(started)
      const children = family(started.pid)
      yield* signal(children[0] ?? 0, "SIGKILL")
      const code = yield* started.ended.pipe(Effect.timeout("6 seconds"))
      assert.isAbove(Number(code), 0)
      assert.include(started.output(), "The sandbox has ended by itself")
      yield* assertGone(children, 3000)
    })), 60_000)

  it.live("says that its port is busy, and leaves nothing behind", () =>
    provided(Effect.gen(function* () {
      const taken = yield* Effect.acquireRelease(
        Effect.promise(() => new Promise<ReturnType<typeof createServer>>((resolve) => {
          const server = createServer().listen(0, "127.0.0.1", () => resolve(server))
        })),
        (server) => Effect.sync(() => server.close())
      )
      const { port } = yield* Schema.decodeUnknownEffect(Schema.Struct({ port: Schema.Int }))(taken.address())
      const started = yield* start({ CHAINTAPE_DATA_DIR: yield* folder, PORT: String(port) })
      const seen = new Set<number>()
      const watching = yield* Effect.forkChild(
        Effect.forever(Effect.andThen(Effect.sync(() => family(started.pid).forEach((pid) => seen.add(pid))), Effect.sleep("100 millis")))
      )
      const code = yield* started.ended.pipe(Effect.timeout("15 seconds"))
      yield* Fiber.interrupt(watching)
      assert.isAbove(Number(code), 0)
      assert.match(started.output(), new RegExp(`${port}.*in use|in use.*${port}|EADDRINUSE.*${port}`))
      yield* assertGone([...seen], 1000)
    })), 60_000)

  it.live("names every mistake of a wrong configuration file by its path", () =>
    provided(Effect.gen(function* () {
      const environment = yield* configured({
        exchanges: [{ id: "Kraken" }, { id: "a", driver: "nonsense", rest: "localhost" }, { id: "b", record: ["BTCUSD"] }],
        blockchains: [{ id: "x", name: "", rpc: [] }, { id: "y", name: "Y", rpc: ["ftp://y"], finality: -1, rcp: 1 }],
        exchnages: []
      })
      const started = yield* start(environment)
      const code = yield* started.ended.pipe(Effect.timeout("10 seconds"))
      assert.isAbove(Number(code), 0)
      for (
        const place of ["exchanges[0].id", "exchanges[1].rest", "exchanges[2].record[0]", "blockchains[0].name"].concat([
          "blockchains[0].rpc",
          "blockchains[1].rpc[0]",
          "blockchains[1].finality",
          "blockchains[1].rcp",
          "exchnages"
        ])
      ) {
        assert.include(started.output(), place)
      }
    })), 20_000)

  it.live.each([
    ["CHAINTAPE_CONFIG", "/nowhere/at-all.json"],
    ["PORT", "65536"],
    ["PORT", "http"],
    ["CHAINTAPE_BOOTSTRAP_KEY", "too short"]
  ])("refuses %s=%s with a message that names it", ([name = "", value = ""]) =>
    provided(Effect.gen(function* () {
      const started = yield* start({ ...(yield* configured({})), [name]: value })
      assert.isAbove(Number(yield* started.ended.pipe(Effect.timeout("10 seconds"))), 0)
      assert.include(started.output(), name === "CHAINTAPE_CONFIG" ? value : name)
      if (name === "CHAINTAPE_BOOTSTRAP_KEY") assert.notInclude(started.output(), value)
    })), 20_000)

  it.live("takes a key from the environment, in place of the one before", () =>
    provided(Effect.gen(function* () {
      const environment = yield* configured({ exchanges: [{ id: "kraken" }] })
      const asked = (origin: string, key: string) =>
        Effect.map(call(origin, { path: "/v2/cex/kraken", headers: { "api-key": key } }), ({ status }) => status)
      const first = yield* start({ ...environment, CHAINTAPE_BOOTSTRAP_KEY: "first-key-of-the-operator" })
      const before = yield* ready(first)
      assert.strictEqual(yield* asked(before.origin, "first-key-of-the-operator"), 200)
      assert.strictEqual(yield* asked(before.origin, "second-key-of-the-operator"), 401)
      yield* signal(first.pid, "SIGTERM")
      yield* first.ended
      const second = yield* start({ ...environment, CHAINTAPE_BOOTSTRAP_KEY: "second-key-of-the-operator" })
      const after = yield* ready(second)
      assert.strictEqual(yield* asked(after.origin, "second-key-of-the-operator"), 200)
      assert.strictEqual(yield* asked(after.origin, "first-key-of-the-operator"), 401)
      yield* signal(second.pid, "SIGTERM")
      yield* second.ended
    })), 30_000)

  it.live("makes a key at the first start, shows it once, and keeps it", () =>
    provided(Effect.gen(function* () {
      const environment = yield* configured({ exchanges: [{ id: "kraken" }] })
      const first = yield* start(environment)
      const { line, origin } = yield* ready(first)
      const key = /api-key: (chaintape_[\w-]{27})"/.exec(line)?.[1] ?? ""
      assert.strictEqual((yield* call(origin, { path: "/v2/cex/kraken", headers: { "api-key": key } })).status, 200)
      assert.strictEqual(first.output().split("\n").filter((one) => one.startsWith("{") && one.includes(key)).length, 0)
      yield* signal(first.pid, "SIGTERM")
      yield* first.ended
      const second = yield* start(environment)
      const after = yield* ready(second)
      assert.notInclude(second.output(), key)
      assert.strictEqual((yield* call(after.origin, { path: "/v2/cex/kraken", headers: { "api-key": key } })).status, 200)
      yield* signal(second.pid, "SIGTERM")
      yield* second.ended
    })), 30_000)

  it.live("a second process is kept out of the data directory of the first", () =>
    provided(Effect.gen(function* () {
      const environment = yield* configured({ exchanges: [{ id: "kraken" }] })
      const first = yield* start(environment)
      const { origin } = yield* ready(first)
      const second = yield* start(environment)
      assert.isAbove(Number(yield* second.ended.pipe(Effect.timeout("10 seconds"))), 0)
      assert.include(second.output(), "is open in another process")
      assert.include(second.output(), "CHAINTAPE_DATA_DIR")
      assert.strictEqual((yield* call(origin, { path: "/health/ready" })).status, 200)
      yield* signal(first.pid, "SIGTERM")
      assert.include(interrupted, yield* first.ended)
    })), 30_000)

  it.live("answers the requests that run before it ends, and takes no new ones", () =>
    provided(Effect.gen(function* () {
      const slow = coinbaseStub(evenTape(500))
      const stub = yield* stubExchange(async (path, query) => {
        if (path.endsWith("/trades")) await new Promise((resolve) => setTimeout(resolve, 1500))
        return slow(path, query)
      })
      const environment = yield* configured({ exchanges: [{ id: "slow", driver: "coinbaseexchange", rest: stub.rest }] })
      const key = "the-key-of-this-slow-test"
      const started = yield* start({ ...environment, CHAINTAPE_BOOTSTRAP_KEY: key })
      const { origin } = yield* ready(started)
      const path = "/v2/cex/slow/BTC-USD/lasttrade"
      const running = yield* Effect.forkChild(call(origin, { path, headers: { "api-key": key } }))
      yield* until("the request to reach the exchange", () => stub.requests.some((one) => one.includes("/trades")))
      yield* signal(started.pid, "SIGTERM")
      const reply = yield* Fiber.join(running)
      assert.deepStrictEqual([reply.status, record(reply)["id"]], [200, "500"])
      assert.include(interrupted, yield* started.ended.pipe(Effect.timeout("8 seconds")))
      assert.strictEqual((yield* Effect.exit(call(origin, { path: "/ping" })))._tag, "Failure")
    })), 30_000)
})
