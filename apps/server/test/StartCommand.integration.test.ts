import { execFile } from "node:child_process"
import { createServer } from "node:net"
import { kill } from "node:process"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber, FileSystem, Schedule, Schema } from "effect"
import { coinbaseStub } from "./cex/ccxt/CoinbaseStub.ts"
import { evenTape } from "./cex/ccxt/Sandbox.ts"
import { stubExchange } from "./cex/ccxt/StubExchange.ts"
import { firstThatHolds } from "./FirstThatHolds.ts"
import { call, record } from "./HttpCall.ts"
import { family, isAlive, ready, start, StartFailed, until } from "./StartedProgram.ts"

const folder = Effect.flatMap(FileSystem.FileSystem, (files) => files.makeTempDirectoryScoped())

/** Codes of a program that ended because it was told to. */
const interrupted: ReadonlyArray<number | string> = [0, 130]

const signal = (pid: number, name: NodeJS.Signals) => Effect.sync(() => kill(pid, name))

/** What a shell says to the line that the banner shows. */
const shell = (line: string) =>
  Effect.callback<string, StartFailed>((resume) => {
    execFile("sh", ["-c", line.replace("curl", "curl -s --max-time 60 -w '\n%{http_code}'")], (error, stdout) =>
      resume(error === null ? Effect.succeed(stdout) : Effect.fail(new StartFailed({ message: String(error) })))
    )
  })

/** The index of the chain may have to catch up first. */
const becomesReady = (origin: string) =>
  call(origin, { path: "/health/ready" }).pipe(
    Effect.repeat({
      until: ({ status }) => status === 200,
      schedule: Schedule.spaced("100 millis").pipe(Schedule.upTo({ times: 600 }))
    })
  )

/** What it says where it cannot start is a sentence, not a trace. */
const assertRefused = (code: number | string, output: string, ...told: ReadonlyArray<string>) => {
  assert.isAbove(Number(code), 0)
  assert.match(output, /^Chaintape has \w+/m)
  for (const part of told) assert.include(output, part)
  assert.notMatch(output, /\bat \S+ \(|\bat file:/)
}

const timed = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const begun = yield* Clock.currentTimeMillis
    const value = yield* effect
    return [value, (yield* Clock.currentTimeMillis) - begun] as const
  })

const provided = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(Effect.scoped, Effect.provide(NodeServices.layer))

/** A configuration file with nothing but an exchange, which starts quickly. */
const configured = Effect.fnUntraced(function* (config: unknown) {
  const files = yield* FileSystem.FileSystem
  const dataDir = yield* folder
  const file = `${dataDir}/chaintape.config.json`
  yield* files.writeFileString(file, typeof config === "string" ? config : JSON.stringify(config))
  return { CHAINTAPE_CONFIG: file, CHAINTAPE_DATA_DIR: `${dataDir}/data` }
})

/** As `npx pnpm start` runs a script: two package managers, each with a shell of its own, and none of them exec's. */
const underManagers = (command: string) => ["sh", "-c", `sh -c '${command}; exit $?' pnpm start; exit $?`, "npx"]

const gone = (pids: ReadonlyArray<number>) =>
  until(`the end of ${pids.join(", ")}`, () => pids.every((pid) => !isAlive(pid)))

describe("the start command", () => {
  it.live(
    "starts within ten seconds, the line it prints works, and again within five",
    () =>
      provided(
        Effect.gen(function* () {
          const attempt = Effect.gen(function* () {
            const dataDir = yield* folder
            const keys = new Set<string>()
            const times: Array<number> = []
            const endings: Array<number> = []
            const outlived: Array<number> = []
            const flaws: Array<string> = []
            for (const name of ["SIGTERM", "SIGINT", "SIGTERM"] as const) {
              const started = yield* start({ CHAINTAPE_DATA_DIR: dataDir })
              const [{ line, origin }, took] = yield* timed(ready(started))
              times.push(took)
              const works = /"price":[\d.]+.*\n200$/.test(yield* shell(line))
              keys.add(/api-key: ([^"]+)"/.exec(line)?.[1] ?? "")
              assert.strictEqual((yield* becomesReady(origin)).status, 200)
              const children = family(started.pid)
              assert.isAtLeast(children.length, 3, "the sandbox, its shell and anvil")
              yield* signal(started.pid, name)
              const [code, ending] = yield* timed(started.ended)
              assert.include(interrupted, code, started.output())
              endings.push(ending)
              const [, outliving] = yield* timed(gone(children))
              outlived.push(outliving)
              // Where the machine stands still for seconds, the store is reported to be slow.
              if (!works || /Error|\bat \S+ \(/.test(started.output())) flaws.push(started.output())
            }
            assert.strictEqual(keys.size, 1, "the key outlives a restart")
            const [first = Infinity, ...again] = times
            return {
              first,
              again: Math.min(...again),
              ending: Math.max(...endings),
              outlived: Math.max(...outlived),
              flaws
            }
          })
          yield* firstThatHolds(
            attempt,
            ({ again, ending, first, flaws, outlived }) =>
              first < 10_000 && again < 5000 && ending < 5000 && outlived < 500 && flaws.length === 0
          )
        })
      ),
    600_000
  )

  it.live(
    "leaves nothing behind when it is killed, and starts again on what it left",
    () =>
      provided(
        Effect.gen(function* () {
          const dataDir = yield* folder
          const started = yield* start({ CHAINTAPE_DATA_DIR: dataDir })
          yield* ready(started)
          const children = family(started.pid)
          assert.isAtLeast(children.length, 3)
          yield* signal(started.pid, "SIGKILL")
          assert.strictEqual(yield* started.ended, "SIGKILL")
          yield* gone(children)
          const again = yield* start({ CHAINTAPE_DATA_DIR: dataDir })
          const { line } = yield* ready(again)
          assert.match(yield* shell(line), /\n200$/)
          yield* signal(again.pid, "SIGTERM")
          yield* again.ended
        })
      ),
    180_000
  )

  it.live(
    "ends when the package manager that runs it was ended, though nobody passes the signal on",
    () =>
      provided(
        Effect.gen(function* () {
          const environment = yield* configured({})
          const started = yield* start({ ...environment, npm_lifecycle_event: "start" }, underManagers)
          yield* ready(started)
          const below = family(started.pid)
          assert.isAtLeast(below.length, 2, "the lower package manager, the service, and what that runs")
          yield* signal(started.pid, "SIGTERM")
          yield* gone(below)
        })
      ),
    180_000
  )

  it.live(
    "ends with a message when the sandbox that it runs on has died",
    () =>
      provided(
        Effect.gen(function* () {
          const started = yield* start({ CHAINTAPE_DATA_DIR: yield* folder })
          yield* ready(started)
          const children = family(started.pid)
          yield* signal(children[0] ?? 0, "SIGKILL")
          const code = yield* started.ended.pipe(Effect.timeout("60 seconds"))
          assert.isAbove(Number(code), 0)
          assert.include(started.output(), "The sandbox has ended by itself")
          yield* gone(children)
        })
      ),
    180_000
  )

  it.live(
    "says that its port is busy, and leaves nothing behind",
    () =>
      provided(
        Effect.gen(function* () {
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
          const started = yield* start({ CHAINTAPE_DATA_DIR: yield* folder, PORT: String(port) })
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
          assertRefused(code, started.output(), "port", "in use", "PORT")
          yield* gone([...seen])
        })
      ),
    180_000
  )

  it.live(
    "names every mistake of a wrong configuration file by its path",
    () =>
      provided(
        Effect.gen(function* () {
          const environment = yield* configured({
            exchanges: [
              { id: "Kraken" },
              { id: "a", driver: "nonsense", rest: "localhost" },
              { id: "b", record: ["BTCUSD"] }
            ],
            blockchains: [
              { id: "x", name: "", rpc: [] },
              { id: "y", name: "Y", rpc: ["ftp://y"], finality: -1, rcp: 1 }
            ],
            exchnages: []
          })
          const started = yield* start(environment)
          assertRefused(
            yield* started.ended.pipe(Effect.timeout("60 seconds")),
            started.output(),
            "exchanges[0].id",
            "exchanges[1].rest",
            "exchanges[2].record[0]",
            "blockchains[0].name",
            "blockchains[0].rpc",
            "blockchains[1].rpc[0]",
            "blockchains[1].finality",
            "blockchains[1].rcp",
            "exchnages"
          )
        })
      ),
    180_000
  )

  it.live.each([
    ["CHAINTAPE_CONFIG", "/nowhere/at-all.json"],
    ["PORT", "65536"],
    ["PORT", "http"],
    ["CHAINTAPE_BOOTSTRAP_KEY", "too short"]
  ])(
    "refuses %s=%s with a message that names it",
    ([name = "", value = ""]) =>
      provided(
        Effect.gen(function* () {
          const started = yield* start({ ...(yield* configured({})), [name]: value })
          const code = yield* started.ended.pipe(Effect.timeout("60 seconds"))
          assertRefused(code, started.output(), name === "CHAINTAPE_CONFIG" ? value : name)
          if (name === "CHAINTAPE_BOOTSTRAP_KEY") assert.notInclude(started.output(), value)
        })
      ),
    180_000
  )

  it.live(
    "makes a key that it shows once, keeps others out of its directory, and takes a key from the environment",
    () =>
      provided(
        Effect.gen(function* () {
          const environment = yield* configured({ exchanges: [{ id: "kraken" }] })
          const asked = (origin: string, key: string) =>
            Effect.map(call(origin, { path: "/v2/cex/kraken", headers: { "api-key": key } }), ({ status }) => status)
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

          const second = yield* start(environment)
          const { origin } = yield* ready(second)
          assert.notInclude(second.output(), made)
          assert.strictEqual(yield* asked(origin, made), 200)
          yield* signal(second.pid, "SIGTERM")
          yield* second.ended

          const given = "the-key-of-the-operator"
          const third = yield* start({ ...environment, CHAINTAPE_BOOTSTRAP_KEY: given })
          const after = yield* ready(third)
          assert.deepStrictEqual([yield* asked(after.origin, given), yield* asked(after.origin, made)], [200, 401])
          yield* signal(third.pid, "SIGTERM")
          yield* third.ended
        })
      ),
    180_000
  )

  it.live(
    "answers the requests that run before it ends, and takes no new ones",
    () =>
      provided(
        Effect.gen(function* () {
          const slow = coinbaseStub(evenTape(500))
          const stub = yield* stubExchange(async (path, query) => {
            if (path.endsWith("/trades")) await new Promise((resolve) => setTimeout(resolve, 1500))
            return slow(path, query)
          })
          const environment = yield* configured({
            exchanges: [{ id: "slow", driver: "coinbaseexchange", rest: stub.rest }]
          })
          const key = "the-key-of-this-slow-test"
          const started = yield* start({ ...environment, CHAINTAPE_BOOTSTRAP_KEY: key })
          const { origin } = yield* ready(started)
          const path = "/v2/cex/slow/BTC-USD/lasttrade"
          const running = yield* Effect.forkChild(call(origin, { path, headers: { "api-key": key } }))
          yield* until("the request to reach the exchange", () => stub.requests.some((one) => one.includes("/trades")))
          yield* signal(started.pid, "SIGTERM")
          const reply = yield* Fiber.join(running)
          assert.deepStrictEqual([reply.status, record(reply)["id"]], [200, "500"])
          assert.include(interrupted, yield* started.ended.pipe(Effect.timeout("60 seconds")))
          assert.strictEqual((yield* Effect.exit(call(origin, { path: "/ping" })))._tag, "Failure")
        })
      ),
    180_000
  )
})
