import { Effect, FileSystem, Path } from "effect"
import type { PlatformError } from "effect"

/**
 * Creates a folder and the folders above it. Node's own recursive creation never ends below a folder that reports "no such
 * file" for every new entry, as `/proc` does.
 */
export const createFolder: (
  directory: string
) => Effect.Effect<void, PlatformError.PlatformError, FileSystem.FileSystem | Path.Path> = Effect.fnUntraced(
  function* (directory) {
    const fs = yield* FileSystem.FileSystem
    if (yield* fs.exists(directory)) return
    const parent = (yield* Path.Path).dirname(directory)
    if (parent !== directory) yield* createFolder(parent)
    yield* fs.makeDirectory(directory).pipe(
      // Another process may have created it in the meantime.
      Effect.catchIf(
        ({ reason }) => reason._tag === "AlreadyExists",
        () => Effect.void
      )
    )
  }
)
