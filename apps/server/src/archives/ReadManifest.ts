import { Effect, FileSystem, Option, Path, Schema } from "effect"
import { ArchiveError } from "./ArchiveError.ts"
import { archiveVersion } from "./ArchiveFormat.ts"
import type { ArchiveFormat, Manifest } from "./ArchiveFormat.ts"

export const manifestName = "manifest.json"

const Head = Schema.fromJsonString(
  Schema.Struct({ chaintapeArchive: Schema.Int, kind: Schema.optionalKey(Schema.String) })
)
const decodeHead = Schema.decodeUnknownOption(Head)

const damagedManifest = (path: string) =>
  new ArchiveError({ message: `"${path}" is damaged: it is no manifest of an archive. Restore it from a copy.` })

/** The text of a manifest, and the kind that it states. */
export interface ManifestText {
  readonly path: string
  readonly text: string
  readonly kind: string
}

/** The manifest of a directory as text; undefined if it has none. Fails if its version is another one. */
export const readManifestText = Effect.fnUntraced(function* (directory: string) {
  const files = yield* FileSystem.FileSystem
  const path = (yield* Path.Path).join(directory, manifestName)
  if (!(yield* files.exists(path))) return undefined
  const text = yield* files.readFileString(path)
  const head = Option.getOrUndefined(decodeHead(text))
  if (head === undefined) return yield* damagedManifest(path)
  const { chaintapeArchive: version, kind = "trades" } = head
  if (version !== archiveVersion) {
    const message = `"${path}" has the format ${version}, of another version of Chaintape; this one reads the format ${archiveVersion}.`
    return yield* new ArchiveError({ message })
  }
  return { path, text, kind } satisfies ManifestText
})

/** The manifest of a text. */
export const decodeManifest = <Details, Whole extends Manifest<Details>>(
  { decode }: ArchiveFormat<Details, Whole>,
  { path, text }: ManifestText
) => Effect.mapError(decode(text), () => damagedManifest(path))

/** The manifest of a directory; undefined if it has none. Fails if it is of another kind. */
export const readManifest = Effect.fnUntraced(function* <Details, Whole extends Manifest<Details>>(
  format: ArchiveFormat<Details, Whole>,
  directory: string
) {
  const found = yield* readManifestText(directory)
  if (found === undefined) return undefined
  if (found.kind !== format.kind) {
    const message = `"${directory}" is an archive of ${found.kind}, not of ${format.kind}: give another directory.`
    return yield* new ArchiveError({ message })
  }
  return yield* decodeManifest(format, found)
})
