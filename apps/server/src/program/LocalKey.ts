import { Effect, FileSystem, Path, Redacted } from "effect"
import { newKey } from "../auth/keys/KeyText.ts"

/**
 * The key of the offline start. It is stored in the data directory, readable only by its owner, so that programs that
 * use it keep working after a restart.
 */
export const localKey = Effect.fn("LocalKey.get")(function* (dataDir: string) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const file = path.join(dataDir, "local-key")
  if (yield* files.exists(file)) {
    const stored = (yield* files.readFileString(file)).trim()
    if (stored.length >= 16) return Redacted.make(stored)
  }
  const key = yield* newKey
  yield* files.makeDirectory(dataDir, { recursive: true })
  yield* files.writeFileString(file, `${Redacted.value(key)}\n`, { mode: 0o600 })
  return key
})
