import { Effect, FileSystem, Option, Path } from "effect"
import { hashFile } from "../../internal/files/hashFile.ts"
import { ArchiveError } from "./ArchiveError.ts"
import type { ArchiveDay, ArchiveManifest } from "./ArchiveManifest.ts"
import { computeChain, decodeManifest, decodeVersion, manifestName } from "./ArchiveManifest.ts"

/** The manifest of a directory; undefined if it has none. */
export const readManifest = Effect.fnUntraced(function* (directory: string) {
  const files = yield* FileSystem.FileSystem
  const path = (yield* Path.Path).join(directory, manifestName)
  if (!(yield* files.exists(path))) return undefined
  const text = yield* files.readFileString(path)
  return yield* decodeManifest(text).pipe(
    Effect.mapError(() => {
      const version = Option.getOrUndefined(decodeVersion(text))?.chaintapeArchive
      return new ArchiveError({
        message:
          version === undefined || version === 1
            ? `"${path}" is damaged: it is no manifest of an archive.`
            : `"${path}" has the format ${version}, of another version of Chaintape; this one reads the format 1.`
      })
    })
  )
})

const computeHash = (path: string) =>
  Effect.tryPromise({
    try: () => hashFile(path, ["sha256"]),
    catch: (cause) => new ArchiveError({ message: cause instanceof Error ? cause.message : String(cause) })
  })

const checkDay = Effect.fnUntraced(function* (directory: string, before: string, day: ArchiveDay) {
  const files = yield* FileSystem.FileSystem
  const path = (yield* Path.Path).join(directory, day.file)
  if (computeChain(before, day) !== day.chain) {
    return `The entry of ${day.day} in the manifest is not what was written: its hash is another one.`
  }
  if (!(yield* files.exists(path))) return `"${path}" is missing.`
  const { size } = yield* files.stat(path)
  if (size !== BigInt(day.bytes)) return `"${path}" has ${size} bytes, not ${day.bytes}.`
  const [hash] = yield* computeHash(path)
  if (hash !== day.sha256) return `"${path}" is not what was written: its hash is another one.`
  return undefined
})

/** The manifest of an archive, and what is wrong with its files. */
export const verifyArchive = Effect.fn("verifyArchive")(function* (
  directory: string,
  onDay: (done: number, days: number) => Effect.Effect<void>
) {
  const manifest: ArchiveManifest | undefined = yield* readManifest(directory)
  if (manifest === undefined) {
    return yield* new ArchiveError({ message: `"${directory}" has no manifest: it is no archive.` })
  }
  const wrong: Array<string> = []
  let before = ""
  for (const [done, day] of manifest.days.entries()) {
    yield* onDay(done, manifest.days.length)
    const found = yield* checkDay(directory, before, day)
    if (found !== undefined) wrong.push(found)
    before = day.chain
  }
  return { manifest, wrong }
})
