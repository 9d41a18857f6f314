import { Effect, FileSystem, Path } from "effect"
import { hashFile } from "../internal/files/hashFile.ts"
import { toMessage } from "../internal/toMessage.ts"
import { ArchiveError } from "./ArchiveError.ts"
import { computeChain } from "./ArchiveFormat.ts"
import type { ArchiveFormat, Chained, Entry, Manifest } from "./ArchiveFormat.ts"
import { checkSize } from "./CheckSize.ts"
import { checksumsFile, formatChecksums } from "./Checksums.ts"
import { decodeManifest } from "./ReadManifest.ts"
import type { ManifestText } from "./ReadManifest.ts"

/** The result of a verification. */
export interface Verification {
  /** The subject of the archive. */
  readonly title: string
  readonly days: number
  /** How many of the days are proven. */
  readonly proven: number
  /** The chain of the last day; undefined without a day. */
  readonly chain: string | undefined
  /** Differences from what was written: a sentence for each. */
  readonly wrong: ReadonlyArray<string>
}

const computeHash = (path: string) =>
  Effect.tryPromise({
    try: () => hashFile(path, ["sha256"]),
    catch: (cause) => new ArchiveError({ message: toMessage(cause) })
  })

const writeAgain = "give the command that writes the archive again"

const checkFile = Effect.fnUntraced(function* (directory: string, entry: Entry) {
  const found = yield* checkSize(directory, entry)
  if (found !== undefined) return `${found} To write it again, ${writeAgain}.`
  const path = (yield* Path.Path).join(directory, entry.file)
  const [hash] = yield* computeHash(path)
  if (hash === entry.sha256) return undefined
  return `"${path}" is not what was written: its hash is another one. Remove it, and ${writeAgain}.`
})

const checkSums = Effect.fnUntraced(function* (path: string, days: ReadonlyArray<Entry>) {
  const files = yield* FileSystem.FileSystem
  if (!(yield* files.exists(path)) || (yield* files.readFileString(path)) === formatChecksums(days)) return []
  return [`"${path}" is not what the manifest states: the command that writes the archive writes it again.`]
})

/**
 * Files that a query of all days would read. A crash leaves one whose entry was not written yet, which the next run writes, or
 * one of a day that an index no longer has, which no run knows.
 */
const findExtraFiles = Effect.fnUntraced(function* (directory: string, days: ReadonlyArray<Entry>) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const listed = new Set(days.map(({ file }) => file))
  return (yield* files.readDirectory(directory))
    .filter((name) => name.endsWith(".parquet") && !listed.has(name))
    .toSorted()
    .map(
      (name) =>
        `"${path.join(directory, name)}" has no entry in the manifest: ${writeAgain}, and remove the file if it has none then.`
    )
})

/** Computes the hash of every file and every entry. Fails if the manifest cannot be read. */
export const verifyArchive = Effect.fn("VerifyArchive.verify")(function* <Details, Whole extends Manifest<Details>>(
  directory: string,
  format: ArchiveFormat<Details, Whole>,
  text: ManifestText,
  onDay: (done: number, days: number) => Effect.Effect<void>
) {
  const path = yield* Path.Path
  const manifest = yield* decodeManifest(format, text)
  const days: ReadonlyArray<Chained<Details>> = manifest.days
  const wrong: Array<string> = []
  let before = format.toSeed(manifest)
  for (const [done, day] of days.entries()) {
    yield* onDay(done, days.length)
    const isAsWritten = computeChain(format, before, day) === day.chain
    const found = isAsWritten
      ? yield* checkFile(directory, day)
      : `The entry of ${day.day} in the manifest is not what was written: its hash is another one. Restore the manifest from a copy.`
    if (found !== undefined) wrong.push(found)
    const previous = days[done - 1]
    if (previous !== undefined && (previous.day >= day.day || format.follows?.(previous, day) === false))
      wrong.push(`The entry of ${day.day} does not continue that of ${previous.day}: rows between them may be missing.`)
    before = day.chain
  }
  wrong.push(...(yield* findExtraFiles(directory, days)))
  if (wrong.length === 0) wrong.push(...(yield* checkSums(path.join(directory, checksumsFile), days)))
  return {
    title: format.toTitle(manifest),
    days: days.length,
    proven: days.filter((day) => format.isProven(manifest, day)).length,
    chain: days.at(-1)?.chain,
    wrong
  } satisfies Verification
})
