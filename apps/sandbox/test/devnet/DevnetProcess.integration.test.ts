import { execFileSync } from "node:child_process"
import { execPath, kill } from "node:process"
import { fileURLToPath } from "node:url"
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, FileSystem, Option, Schedule, Stream } from "effect"
import { ChildProcess } from "effect/process"
import { Devnet } from "../../src/devnet/Devnet.ts"
import { firstThatHolds } from "../FirstThatHolds.ts"

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

/** The process of anvil below a node process, as soon as there is one: a child of the shell that supervises it. */
const anvilBelow = (node: number) =>
  Effect.sync(() => {
    const processes = execFileSync("ps", ["-A", "-o", "pid=,ppid=,comm="], { encoding: "utf8" })
      .split("\n")
      .map((line) => line.trim().split(/\s+/))
    const shells = processes.flatMap(([pid, parent]) => (Number(parent) === node ? [pid] : []))
    return Number(processes.find(([, parent, name]) => shells.includes(parent) && name === "anvil")?.[0] ?? 0)
  }).pipe(Effect.repeat({ until: (pid) => pid > 0, schedule: Schedule.spaced("100 millis") }))

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
      (attempt) => firstThatHolds(attempt, (took) => took <= 3000),
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

  it.live("ends with the devnet while it answers no call", () =>
    Devnet.use(({ pid }) =>
      Effect.gen(function* () {
        yield* Effect.sync(() => kill(pid, "SIGSTOP"))
        // A block is under way then.
        yield* Effect.sleep("2 seconds")
        return pid
      })
    ).pipe(Effect.provide(Devnet.layer({ prefill: 0 })), Effect.flatMap(gone))
  )

  it.live("ends when it is interrupted while it starts and anvil answers no call", () =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const node = yield* run(yield* files.makeTempDirectoryScoped(), "100000")
      const anvil = yield* anvilBelow(node.pid)
      // The prefilled blocks are being mined then.
      yield* Effect.sleep("4 seconds")
      yield* Effect.sync(() => kill(anvil, "SIGSTOP"))
      yield* Effect.sleep("1 second")
      yield* Effect.sync(() => kill(node.pid, "SIGINT"))
      assert.isTrue(Option.isSome(yield* Effect.timeoutOption(node.exitCode, "30 seconds")))
      yield* gone(anvil)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )
})
