import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it, vi } from "@effect/vitest"
import { Effect, Schema, Stream } from "effect"
import { ChildProcess } from "effect/process"
import { waitFor } from "../../cex/tape/record/RecordingService.ts"
import { isAlive } from "../../StartedProgram.ts"
import { keepRunning, startChild } from "./Child.ts"
import { Workshop } from "./Workshop.ts"

// For a slow machine (milliseconds).
vi.setConfig({ testTimeout: 300_000 })

const program = fileURLToPath(new URL("../internal/workshopChild.ts", import.meta.url))
const Line = Schema.fromJsonString(Schema.Struct({ pid: Schema.Int, directory: Schema.String }))

const isGone = (pid: number, directory: string) =>
  waitFor(
    "the end of what was left",
    Effect.sync(() => (!isAlive(pid) && !existsSync(directory)) || undefined),
    60_000
  )

describe("a run of the fault suite", () => {
  it.live("leaves no process and no directory when it is killed", () =>
    Effect.gen(function* () {
      const run = yield* ChildProcess.make(process.execPath, ["--conditions=chaintape-source", program])
      const [text = ""] = yield* run.stdout.pipe(
        Stream.decodeText(),
        Stream.splitLines,
        Stream.take(1),
        Stream.runCollect
      )
      const { directory, pid } = yield* Schema.decodeUnknownEffect(Line)(text)
      assert.isTrue(isAlive(pid))
      yield* run.kill({ killSignal: "SIGKILL" }).pipe(Effect.ignore)
      yield* isGone(pid, directory)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live("ends its processes, restarts those that ended, and not those that are suspended", () =>
    Effect.gen(function* () {
      const { directory } = yield* Workshop
      const sleep = { command: "sleep", args: ["120"], ending: "SIGTERM" } as const
      const pid = yield* Effect.scoped(Effect.map(startChild({ name: "once", ...sleep }), (child) => child.pid))
      assert.isFalse(isAlive(pid))
      const kept = yield* keepRunning({ name: "kept", ...sleep })
      const started = (count: number) =>
        waitFor(
          "a start",
          Effect.sync(() => kept.starts() === count || undefined),
          60_000
        )
      yield* started(1)
      yield* kept.signal("SIGKILL")
      yield* started(2)
      yield* kept.again.close
      yield* kept.signal("SIGKILL")
      yield* kept.child()?.ended ?? Effect.void
      yield* Effect.sleep("1500 millis")
      assert.strictEqual(kept.starts(), 2)
      yield* kept.again.open
      yield* started(3)
      assert.isTrue(existsSync(directory))
    }).pipe(Effect.scoped, Effect.provide(Workshop.layer))
  )
})
