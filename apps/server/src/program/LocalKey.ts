import { Effect, FileSystem, Path, Redacted } from "effect"
import { newKey } from "../auth/keys/ApiKeys.ts"
import { makeDirectory } from "../internal/files/makeDirectory.ts"
import { toMessage } from "../internal/toMessage.ts"
import { OfflineWorldError } from "./OfflineWorld.ts"

const localKeyFile = "local-key"

/**
 * The key of the offline start. It is stored in the data directory, readable only by its owner, so that programs that
 * use it keep working after a restart.
 */
export const localKey = Effect.fn("LocalKey.get")(
  function* (dataDir: string) {
    const files = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const file = path.join(dataDir, localKeyFile)
    if (yield* files.exists(file)) {
      const stored = (yield* files.readFileString(file)).trim()
      if (stored.length >= 16) return Redacted.make(stored)
    }
    const key = yield* newKey
    yield* Effect.try({
      try: () => makeDirectory(dataDir),
      catch: (cause) => new OfflineWorldError({ message: toMessage(cause) })
    })
    yield* files.writeFileString(file, `${Redacted.value(key)}\n`, { mode: 0o600 })
    return key
  },
  (effect, dataDir) =>
    Effect.mapError(
      effect,
      (error) =>
        new OfflineWorldError({
          message: `The key in "${dataDir}/${localKeyFile}" cannot be read or written: make it a file that the user of the service can read and write, on a disk with free space (${toMessage(error.cause ?? error)}).`
        })
    )
)
