import process from "node:process"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { lockArchive } from "../../src/archives/LockArchive.ts"

describe("the directory of an archive", () => {
  it.live.skipIf(process.platform !== "linux")("is refused where the system makes no directory", () =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(lockArchive("/proc/nothing/below"))
      assert.strictEqual(message, "ENOENT: no such file or directory, mkdir '/proc/nothing'")
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )
})
