import { Console, Effect, Path } from "effect"
import { holdLock } from "../internal/files/holdLock.ts"
import { makeDirectory } from "../internal/files/makeDirectory.ts"
import { toOneLine } from "../internal/log/oneLine.ts"
import { toMessage } from "../internal/toMessage.ts"
import { ArchiveError } from "./ArchiveError.ts"

/** Makes the directory of an archive, and excludes other commands that write it until the scope ends. */
export const lockArchive = Effect.fnUntraced(function* (directory: string) {
  const path = yield* Path.Path
  yield* Effect.try({
    try: () => makeDirectory(directory),
    catch: (cause) => new ArchiveError({ message: toMessage(cause), cause })
  })
  const file = path.join(directory, ".lock")
  // Not every file system has locks, and that of another user cannot be opened.
  const isHeld = yield* Effect.catch(holdLock(file), (reason) =>
    Effect.as(
      Console.error(toOneLine(`"${file}" cannot be locked, so that other commands are not excluded: ${reason}`)),
      true
    )
  )
  if (!isHeld) {
    const message = `Another command writes "${directory}": wait until it has ended, or give another directory.`
    return yield* new ArchiveError({ message })
  }
})
