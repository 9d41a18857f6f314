import { Effect, FileSystem, Path } from "effect"
import { holdLock } from "../internal/files/holdLock.ts"
import { ArchiveError } from "./ArchiveError.ts"

/** Makes the directory of an archive, and excludes other commands that write it until the scope ends. */
export const lockArchive = Effect.fnUntraced(function* (directory: string) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  yield* files.makeDirectory(directory, { recursive: true })
  // Not every file system has locks. A disk that is full, or cannot be written, fails at the first day.
  const isHeld = yield* Effect.orElseSucceed(holdLock(path.join(directory, ".lock")), () => true)
  if (!isHeld) {
    const message = `Another command writes "${directory}": wait until it has ended, or give another directory.`
    return yield* new ArchiveError({ message })
  }
})
