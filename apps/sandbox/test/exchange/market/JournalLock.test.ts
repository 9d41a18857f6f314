import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { lockJournals } from "../../../src/exchange/market/JournalLock.ts"

describe("the lock of journals", () => {
  it.effect("excludes another sandbox until the first one ends", () =>
    Effect.gen(function* () {
      const directory = `${yield* (yield* FileSystem.FileSystem).makeTempDirectoryScoped()}/journals`
      const refused = yield* Effect.scoped(
        Effect.andThen(lockJournals(directory), Effect.flip(Effect.scoped(lockJournals(directory, 0))))
      )
      assert.include(refused.message, `The journals in "${directory}" cannot be locked: another sandbox writes them`)
      yield* Effect.scoped(lockJournals(directory))
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )
})
