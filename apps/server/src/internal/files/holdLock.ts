import process from "node:process"
import { Effect, FileSystem } from "effect"
import { toMessage } from "../toMessage.ts"
import { lockFile } from "./lockFile.ts"

/** Locks a file until the scope ends, which removes it; false if another process has locked it. Fails with a reason. */
export const holdLock = Effect.fnUntraced(function* (path: string) {
  const files = yield* FileSystem.FileSystem
  const remove = Effect.ignore(files.remove(path, { force: true }))
  const lock = yield* Effect.acquireRelease(Effect.try({ try: () => lockFile(path), catch: toMessage }), (held) =>
    held === undefined
      ? Effect.void
      : // Windows removes no open file; elsewhere the path may be the lock of another command after the release.
        process.platform === "win32"
        ? Effect.andThen(Effect.sync(held.release), remove)
        : Effect.andThen(remove, Effect.sync(held.release))
  )
  return lock !== undefined
})
