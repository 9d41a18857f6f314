import { execPath, kill } from "node:process"
import { fileURLToPath } from "node:url"
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, FileSystem, Schedule, Stream } from "effect"
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

/** A node process with a devnet; its temporary files go to a folder of their own. */
const start = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const folder = yield* files.makeTempDirectoryScoped()
  const node = yield* ChildProcess.make(execPath, ["--conditions=chaintape-source", program], {
    env: { TMPDIR: folder },
    extendEnv: true
  })
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

  it.live("ends without a word when the process group is interrupted", () =>
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
})
