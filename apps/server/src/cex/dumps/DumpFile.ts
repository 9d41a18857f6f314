import { basename, dirname, join } from "node:path"
import { Effect, FileSystem, Stream } from "effect"
import { hasCode } from "../../internal/files/hasCode.ts"
import { hashFile } from "../../internal/files/hashFile.ts"
import { toMessage } from "../../internal/toMessage.ts"
import type { Interval } from "../tape/Tape.ts"
import { DumpError } from "./DumpError.ts"
import type { DumpMarket } from "./DumpRows.ts"
import { readTrades } from "./DumpTrades.ts"
import type { DumpBatch } from "./DumpTrades.ts"

/** A file that can be imported. */
export interface DumpFile {
  readonly path: string
  /** The SHA-256 of its bytes, in hexadecimal. */
  readonly hash: string
  /** Whether a published checksum was found, which agrees. */
  readonly isVerified: boolean
  readonly layout: string
  readonly rows: number
  readonly unusable: number
  /** The lowest and the highest id, and the first and the last time (Unix ms); undefined without a trade. */
  readonly ids: Interval | undefined
}

const rowsOfCheck = 5000

/** Why a file cannot be imported. */
export const refuseFile = (path: string, reason: string): DumpError =>
  new DumpError({ message: `"${path}" cannot be imported: ${reason.replace(/\.$/, "")}.` })

const toDumpError = (path: string, cause: unknown): DumpError => {
  if (hasCode(cause, "ENOENT")) return refuseFile(path, "there is no such file")
  if (hasCode(cause, "EISDIR")) return refuseFile(path, "it is a folder, so give the paths of its files")
  return refuseFile(path, toMessage(cause))
}

/** The digest of a file in the notation of `sha256sum`: of the line that names it, or of the only line. */
const findDigest = (text: string, name: string): string | undefined => {
  const lines = text.split("\n").flatMap((line) => {
    const [, digest, file] = /^\s*([0-9a-f]{64}|[0-9a-f]{32})(?:\s+\*?(\S.*))?\s*$/i.exec(line) ?? []
    return digest === undefined ? [] : [{ digest: digest.toLowerCase(), file }]
  })
  return lines.find(({ file }) => file === undefined || basename(file.trim()) === name)?.digest
}

/** The published checksum of a file: `FILE.CHECKSUM` or a line of `SHA256SUMS` beside it. */
const readPublished = Effect.fnUntraced(
  function* (path: string) {
    const files = yield* FileSystem.FileSystem
    const name = basename(path)
    for (const source of [`${path}.CHECKSUM`, join(dirname(path), "SHA256SUMS")]) {
      if (!(yield* files.exists(source))) continue
      const digest = findDigest(yield* files.readFileString(source), name)
      if (digest !== undefined) return { source, digest }
      if (source.endsWith(".CHECKSUM")) return yield* refuseFile(path, `"${source}" has no checksum of it`)
    }
    return undefined
  },
  Effect.catchTag("PlatformError", ({ message }) => Effect.fail(new DumpError({ message })))
)

/** The SHA-256 of a file, and whether its published checksum agrees with it. */
export const identifyFile = Effect.fnUntraced(function* (path: string) {
  const published = yield* readPublished(path)
  const isMd5 = published?.digest.length === 32
  const [hash = "", computed = hash] = yield* Effect.tryPromise({
    try: () => hashFile(path, isMd5 ? ["sha256", "md5"] : ["sha256"]),
    catch: (cause) => toDumpError(path, cause)
  })
  if (published !== undefined && published.digest !== computed) {
    const message = `its checksum is ${computed}, and "${published.source}" states ${published.digest}: download it again`
    return yield* refuseFile(path, message)
  }
  return { hash, isVerified: published !== undefined }
})

/** The batches of a file, as a stream. */
export const streamTrades = (
  path: string,
  expected: DumpMarket,
  options: { readonly rows: number; readonly skip: number }
) => Stream.fromAsyncIterable(readTrades(path, expected, options), (cause) => toDumpError(path, cause))

/** Reads a whole file without importing it. `onBatch` is called with its trades. */
export const checkFile = Effect.fn("DumpFile.check")(function* <E>(
  path: string,
  identity: Pick<DumpFile, "hash" | "isVerified">,
  expected: DumpMarket,
  onBatch: (batch: DumpBatch) => Effect.Effect<void, E>
): Effect.fn.Return<DumpFile, DumpError | E> {
  let [rows, unusable, layout] = [0, 0, ""]
  let [from, to, fromTime, toTime] = [Infinity, -Infinity, Infinity, -Infinity]
  const batches = streamTrades(path, expected, { rows: rowsOfCheck, skip: 0 })
  yield* Stream.runForEach(batches, (batch) => {
    rows = batch.row
    unusable += batch.unusable
    layout = batch.layout
    for (const { sequence, timestamp } of batch.trades) {
      if (sequence < from) from = sequence
      if (sequence > to) to = sequence
      if (timestamp < fromTime) fromTime = timestamp
      if (timestamp > toTime) toTime = timestamp
    }
    return onBatch(batch)
  })
  const ids = from > to ? undefined : { from, to, fromTime, toTime }
  return { path, ...identity, layout, rows, unusable, ids }
})
