import { assert, describe, it } from "@effect/vitest"
import { Effect, PlatformError, Sink, Stdio } from "effect"
import { standardOutput } from "../../src/cli/download/Output.ts"
import { writeResult } from "../../src/cli/terminal/writeLine.ts"

/** A standard output that fails with the code of the system. */
const failing = (code: string) =>
  Stdio.layerTest({
    stdout: () =>
      Sink.fail(
        PlatformError.systemError({
          _tag: "Unknown",
          module: "Stdio",
          method: "stdout",
          cause: Object.assign(new Error(`write ${code}`), { code })
        })
      )
  })

describe("the result of a command", () => {
  it.effect("may be written to a pipe that its reader has closed", () =>
    writeResult("a table").pipe(Effect.provide(failing("EPIPE")))
  )

  it.effect("is an error where it cannot be written", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(writeResult("a table").pipe(Effect.provide(failing("EIO"))))
      assert.strictEqual(error.code, 1)
      assert.strictEqual(
        error.message,
        "The command is done, but its result cannot be written to the standard output: write EIO."
      )
    })
  )
})

describe("a download to the standard output", () => {
  const open = (code: string) =>
    Effect.flip(Effect.provide(standardOutput("csv", [], { since: 0, until: 0 }), failing(code)))

  it.effect("ends where its reader has closed it", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        (yield* open("EPIPE")).message,
        "The standard output was closed before everything was written."
      )
    })
  )

  it.effect("says why else it cannot be written, such as a full disk", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* open("ENOSPC")).message, "The standard output cannot be written: write ENOSPC.")
    })
  )
})
