import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Redacted } from "effect"
import { localKey } from "../../src/program/LocalKey.ts"

const newFolder = Effect.flatMap(FileSystem.FileSystem, (files) => files.makeTempDirectoryScoped())

describe("the key of the sandbox", () => {
  it.effect("is the same at each start", () =>
    Effect.gen(function* () {
      const folder = yield* newFolder
      const [first, second] = [yield* localKey(folder), yield* localKey(folder)]
      assert.strictEqual(Redacted.value(first), Redacted.value(second))
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.effect("that cannot be read ends the start with a sentence that says what to do", () =>
    Effect.gen(function* () {
      const folder = yield* newFolder
      yield* Effect.flatMap(FileSystem.FileSystem, (files) => files.makeDirectory(`${folder}/local-key`))
      const { _tag, message } = yield* Effect.flip(localKey(folder))
      assert.strictEqual(_tag, "OfflineWorldError")
      assert.match(message, /^The key in ".*local-key" cannot be read or written: make it .* \(EISDIR: .*\)\.$/)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )
})
