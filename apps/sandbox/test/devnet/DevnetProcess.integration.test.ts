import { execFileSync } from "node:child_process"
import { createServer } from "node:net"
import { execPath, kill } from "node:process"
import { fileURLToPath } from "node:url"
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, FileSystem, Layer, Option, Schedule, Stream } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { ChildProcess } from "effect/process"
import { Devnet } from "../../src/devnet/Devnet.ts"
import { readerOf } from "./ChainReader.ts"

const program = fileURLToPath(new URL("devnet-process.ts", import.meta.url))

const isAlive = (pid: number) =>
  Effect.try(() => kill(pid, 0)).pipe(
    Effect.as(true),
    Effect.catch(() => Effect.succeed(false))
  )

const gone = (pid: number) =>
  isAlive(pid).pipe(Effect.repeat({ while: (alive) => alive, schedule: Schedule.spaced("50 millis") }))

const run = (folder: string, ...words: ReadonlyArray<string>) =>
  ChildProcess.make(execPath, ["--conditions=chaintape-source", program, ...words], {
    env: { TMPDIR: folder },
    extendEnv: true
  })

/** The columns that `ps` shows of each process. */
const processes = (columns: string) =>
  Effect.sync(() =>
    execFileSync("ps", ["-A", "-o", columns], { encoding: "utf8" })
      .split("\n")
      .map((line) => line.trim().split(/\s+/))
  )

/** The process of anvil below a node process, as soon as there is one: a child of the shell that supervises it. */
const anvilBelow = (node: number) =>
  processes("pid=,ppid=,comm=").pipe(
    Effect.map((all) => {
      const shells = all.flatMap(([pid, parent]) => (Number(parent) === node ? [pid] : []))
      return Number(all.find(([, parent, name]) => shells.includes(parent) && name === "anvil")?.[0] ?? 0)
    }),
    Effect.repeat({ until: (pid) => pid > 0, schedule: Schedule.spaced("100 millis") })
  )

/** Completes when the process is stopped by a signal. */
const stopped = (pid: number) =>
  processes("pid=,stat=").pipe(
    Effect.map((all) => all.find(([id]) => Number(id) === pid)?.[1] ?? ""),
    Effect.repeat({ until: (state) => state.startsWith("T"), schedule: Schedule.spaced("20 millis") })
  )

/** A port that nothing listens on. */
const freePort = Effect.callback<number>((resume) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const address = server.address()
    server.close(() => resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0)))
  })
})

/** Completes when the chain behind a port has reached a block. */
const untilMined = (port: number, block: number) =>
  readerOf(`http://127.0.0.1:${port}`)
    .block("latest")
    .pipe(
      Effect.map(({ number }) => number),
      Effect.orElseSucceed(() => -1),
      Effect.repeat({ until: (number) => number >= block, schedule: Schedule.spaced("100 millis") })
    )

/** The client of the devnet, with the number of requests that it has sent. */
const makeCountedClient = () => {
  let sent = 0
  const count = HttpClient.tapRequest(() =>
    Effect.sync(() => {
      sent += 1
    })
  )
  const layer = Layer.effect(HttpClient.HttpClient, Effect.map(HttpClient.HttpClient, count))
  return { layer: Layer.provide(layer, FetchHttpClient.layer), sent: Effect.sync(() => sent) }
}

/** A node process with a devnet; its temporary files go to a folder of their own. */
const start = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const folder = yield* files.makeTempDirectoryScoped()
  const node = yield* run(folder)
  const line = yield* node.stdout.pipe(Stream.decodeText, Stream.splitLines, Stream.runHead)
  const anvil = Number(line.pipe((head) => (head._tag === "Some" ? head.value.replace("anvil ", "") : "0")))
  assert.isAbove(anvil, 1)
  const left = files
    .readDirectory(folder)
    .pipe(Effect.map((names) => names.filter((name) => name.startsWith("chaintape"))))
  return { node, anvil, left }
})

describe("the process of the devnet", { timeout: 120_000 }, () => {
  it.live("ends within 3 seconds when ours is killed, and leaves no files", () =>
    Effect.gen(function* () {
      const { anvil, left, node } = yield* start
      assert.strictEqual((yield* left).length, 1)
      const begun = yield* Clock.currentTimeMillis
      yield* Effect.sync(() => kill(node.pid, "SIGKILL"))
      yield* gone(anvil)
      const took = (yield* Clock.currentTimeMillis) - begun
      yield* Effect.repeat(left, { while: (found) => found.length > 0, schedule: Schedule.spaced("50 millis") })
      return took
    }).pipe(
      Effect.scoped,
      // Other load on the machine can only slow an attempt down.
      Effect.repeat({ until: (took) => took <= 3000, times: 4 }),
      Effect.map((took) => assert.isAtMost(took, 3000)),
      Effect.provide(NodeServices.layer)
    )
  )

  it.live("ends without output when the process group is interrupted", () =>
    Effect.gen(function* () {
      const { anvil, left, node } = yield* start
      yield* Effect.sync(() => kill(-node.pid, "SIGINT"))
      const output = yield* Effect.all([Stream.mkString(Stream.decodeText(node.stderr)), Effect.exit(node.exitCode)])
      assert.strictEqual(output[0], "")
      assert.isFalse(yield* isAlive(anvil))
      assert.deepStrictEqual(yield* left, [])
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live("is noticed when it dies", () =>
    Devnet.use(({ exited, pid }) =>
      Effect.gen(function* () {
        yield* Effect.sync(() => kill(pid, "SIGKILL"))
        const error = yield* exited
        assert.strictEqual(error.reason, "Exited")
        assert.match(error.message, /^anvil ended by itself\./)
      })
    ).pipe(Effect.provide(Devnet.layer({ mode: "manual", prefill: 0 })))
  )

  it.live("ends with the devnet while it answers no call", () => {
    const { layer, sent } = makeCountedClient()
    const devnet = Devnet.layerNoDeps({ prefill: 0 }).pipe(Layer.provide([NodeServices.layer, layer]))
    return Devnet.use(({ pid }) =>
      Effect.gen(function* () {
        yield* Effect.sync(() => kill(pid, "SIGSTOP"))
        yield* stopped(pid)
        const before = yield* sent
        // A block is under way then.
        yield* Effect.repeat(sent, { until: (now) => now > before, schedule: Schedule.spaced("20 millis") })
        return pid
      })
    ).pipe(Effect.provide(devnet), Effect.flatMap(gone))
  })

  it.live("ends when it is interrupted while it starts and anvil answers no call", () =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const port = yield* freePort
      const node = yield* run(yield* files.makeTempDirectoryScoped(), "100000", String(port))
      const anvil = yield* anvilBelow(node.pid)
      // The prefilled blocks are being mined then.
      yield* untilMined(port, 20)
      yield* Effect.sync(() => kill(anvil, "SIGSTOP"))
      yield* stopped(anvil)
      yield* Effect.sync(() => kill(node.pid, "SIGINT"))
      assert.isTrue(Option.isSome(yield* Effect.timeoutOption(node.exitCode, "30 seconds")))
      yield* gone(anvil)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )
})
