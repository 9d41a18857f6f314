import { Effect, FileSystem, Path } from "effect"
import type { Entry } from "./ArchiveFormat.ts"

/** A sentence if the file of an entry is missing or has another size. */
export const checkSize = Effect.fnUntraced(function* (directory: string, { bytes, file }: Entry) {
  const files = yield* FileSystem.FileSystem
  const path = (yield* Path.Path).join(directory, file)
  if (!(yield* files.exists(path))) return `"${path}" is missing.`
  const { size } = yield* files.stat(path)
  return size === BigInt(bytes) ? undefined : `"${path}" has ${size} bytes, not ${bytes}.`
})
