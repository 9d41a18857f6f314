import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, FileSystem, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import { lockJournals } from "../../../src/exchange/market/JournalLock.ts"

const files = Layer.merge(NodeFileSystem.layer, NodePath.layer)

describe("the lock of journals", () => {
  it.effect("excludes another sandbox until the first one ends", () =>
    Effect.gen(function* () {
      const directory = `${yield* (yield* FileSystem.FileSystem).makeTempDirectoryScoped()}/journals`
      const refused = yield* Effect.scoped(
        Effect.andThen(lockJournals(directory), Effect.flip(Effect.scoped(lockJournals(directory, 0))))
      )
      assert.include(refused.message, `The journals in "${directory}" cannot be locked: another sandbox writes them`)
      yield* Effect.scoped(lockJournals(directory))
    }).pipe(Effect.provide(files))
  )

  it.effect("waits for a sandbox that ends", () =>
    Effect.gen(function* () {
      const directory = yield* (yield* FileSystem.FileSystem).makeTempDirectoryScoped()
      const first = yield* Scope.make()
      yield* Scope.provide(lockJournals(directory), first)
      const second = yield* Effect.forkChild(lockJournals(directory), { startImmediately: true })
      yield* TestClock.adjust("1 second")
      assert.isUndefined(second.pollUnsafe())
      yield* Scope.close(first, Exit.void)
      yield* TestClock.adjust("100 millis")
      yield* Fiber.join(second)
    }).pipe(Effect.provide(files))
  )

  it.effect("refuses a folder that cannot be locked at once", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const directory = yield* fs.makeTempDirectoryScoped()
      yield* fs.makeDirectory(`${directory}/lock`)
      const refused = yield* Effect.flip(lockJournals(directory))
      assert.include(refused.message, "or the folder cannot be written. Stop that one, free space if the disk is full,")
    }).pipe(Effect.provide(files))
  )

  it.effect("refuses a folder that cannot be created, and says why", () =>
    Effect.gen(function* () {
      const refused = yield* Effect.flip(lockJournals("/proc/sandbox/journals"))
      assert.match(
        refused.message,
        /^The sandbox exchange could not create the folder "\/proc\/sandbox\/journals": \w.*\.$/
      )
    }).pipe(Effect.provide(files))
  )
})
