import { Effect, FileSystem, Path, Predicate } from "effect"
import type { PlatformError } from "effect"
import type { ParquetColumn } from "../internal/files/ParquetFile.ts"
import { openParquetFile } from "../internal/files/ParquetFile.ts"
import { replaceFile } from "../internal/files/replaceFile.ts"
import { toChain } from "./ArchiveFormat.ts"
import type { ArchiveFormat, Chained, Day, Manifest } from "./ArchiveFormat.ts"
import { checkSize } from "./CheckSize.ts"
import { checksumsFile, formatChecksums } from "./Checksums.ts"
import { manifestName } from "./ReadManifest.ts"

/** A day that is over, and that the archive may lack. */
export interface ClosedDay<Details, Row, E, R> {
  /** `yyyy-mm-dd`. */
  readonly day: string
  /** Whether the entry of the archive states what the store has. */
  readonly isSame: (written: Details) => boolean
  /** Reads the rows in order. Fails if they changed meanwhile: nothing is written then. */
  readonly read: (
    append: (rows: ReadonlyArray<Row>) => Effect.Effect<void, PlatformError.PlatformError>
  ) => Effect.Effect<Details, E | PlatformError.PlatformError, R>
}

export interface ArchiveRequest<Details, Row, Whole extends Manifest<Details>> {
  readonly directory: string
  readonly format: ArchiveFormat<Details, Whole>
  readonly columns: ReadonlyArray<ParquetColumn<Row>>
  /** In every file. */
  readonly metadata: Readonly<Record<string, string>>
  readonly head: Omit<Whole, "days">
  readonly toManifest: (days: ReadonlyArray<Chained<Details>>) => Whole
  /** Whether a day without rows has an entry and a file. */
  readonly isEmptyWritten: boolean
  /** Those of the archive before. */
  readonly days: ReadonlyArray<Day<Details>>
}

/** The result of a run. */
export interface ArchiveReport<Details, Whole extends Manifest<Details>> {
  readonly manifest: Whole
  /** Of this run: days that were added or written again. */
  readonly written: ReadonlyArray<Chained<Details>>
  /** Files that were lost and that have other bytes than before: a sentence for each. */
  readonly changed: ReadonlyArray<string>
  /** Files that are not whole, and whose rows the store does not have: a sentence for each. */
  readonly lost: ReadonlyArray<string>
}

const toFileName = (day: string): string => `${day}.parquet`

const toChange = (file: string): string =>
  `"${file}" has other bytes than the file that was lost, from the same number of rows: its entry, and the chain from it on, are new.`

const toLoss = (found: string): string =>
  `${found} The store does not have its rows, or has not proven them: restore the file from a copy, or give the command again later.`

/** Writes the rows of a day into a file, which is removed if that fails. */
const writeFile = Effect.fnUntraced(function* <Details, Row, Whole extends Manifest<Details>, E, R>(
  { columns, metadata }: ArchiveRequest<Details, Row, Whole>,
  file: string,
  { read }: ClosedDay<Details, Row, E, R>
) {
  const files = yield* FileSystem.FileSystem
  const writing = Effect.gen(function* () {
    const out = yield* openParquetFile(file, columns, metadata)
    let rows = 0
    const details = yield* read((page) =>
      Effect.andThen(
        out.append(page),
        Effect.sync(() => (rows += page.length))
      )
    )
    return { ...(yield* out.finish), rows, details }
  })
  return yield* Effect.scoped(writing).pipe(Effect.onError(() => Effect.ignore(files.remove(file))))
})

/**
 * Writes the file of a day, and returns its entry. A day that the archive states as the store does keeps its entry, and
 * is not written with fewer rows: then, and where a day without rows has no entry, the result is undefined.
 */
const writeDay = Effect.fnUntraced(function* <Details, Row, Whole extends Manifest<Details>, E, R>(
  request: ArchiveRequest<Details, Row, Whole>,
  closed: ClosedDay<Details, Row, E, R>,
  stated: Day<Details> | undefined
): Effect.fn.Return<Day<Details> | undefined, E | PlatformError.PlatformError, R | FileSystem.FileSystem | Path.Path> {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const file = toFileName(closed.day)
  const target = path.join(request.directory, file)
  const part = `${target}.part`
  const { bytes, details, rows, sha256 } = yield* writeFile(request, part, closed)
  const isRefused = stated === undefined ? rows === 0 && !request.isEmptyWritten : rows !== stated.rows
  if (isRefused) {
    yield* files.remove(part)
    return undefined
  }
  yield* files.rename(part, target)
  return stated === undefined
    ? { day: closed.day, file, bytes, sha256, rows, ...details }
    : { ...stated, bytes, sha256 }
})

/** Writes the manifest and the checksums of these days. */
const saveManifest = Effect.fnUntraced(function* <Details, Row, Whole extends Manifest<Details>>(
  { directory, format, head, toManifest }: ArchiveRequest<Details, Row, Whole>,
  days: Iterable<Day<Details>>
) {
  const path = yield* Path.Path
  const ordered = [...days].toSorted((one, other) => (one.day < other.day ? -1 : 1))
  const manifest = toManifest(toChain(format, format.toSeed(head), ordered))
  yield* replaceFile(path.join(directory, manifestName), `${JSON.stringify(manifest, null, 2)}\n`)
  yield* replaceFile(path.join(directory, checksumsFile), formatChecksums(ordered))
  return manifest
})

/**
 * Writes those of the closed days that an archive lacks or states otherwise, and those whose file is missing or has another
 * size. The manifest is written after each day, so that an interrupted run loses none that is complete.
 */
export const writeDays = Effect.fnUntraced(function* <Details, Row, Whole extends Manifest<Details>, E, R>(
  request: ArchiveRequest<Details, Row, Whole>,
  closed: ReadonlyArray<ClosedDay<Details, Row, E, R>>,
  onDay: (done: number, days: number) => Effect.Effect<void>
) {
  const path = yield* Path.Path
  const { directory } = request
  const days = new Map<string, Day<Details>>(request.days.map((day) => [day.day, day]))
  const written = new Set<string>()
  const changed: Array<string> = []
  for (const [done, one] of closed.entries()) {
    yield* onDay(done, closed.length)
    const existing = days.get(one.day)
    const stated = existing !== undefined && one.isSame(existing) ? existing : undefined
    if (stated !== undefined && (yield* checkSize(directory, stated)) === undefined) continue
    const entry = yield* writeDay(request, one, stated)
    if (entry === undefined) continue
    days.set(one.day, entry)
    written.add(one.day)
    if (stated !== undefined && stated.sha256 !== entry.sha256) {
      changed.push(toChange(path.join(directory, toFileName(one.day))))
    }
    yield* saveManifest(request, days.values())
  }
  const manifest = yield* saveManifest(request, days.values())
  const found = yield* Effect.forEach(manifest.days, (day) => checkSize(directory, day))
  return {
    manifest,
    written: manifest.days.filter(({ day }) => written.has(day)),
    changed,
    lost: found.filter(Predicate.isNotUndefined).map(toLoss)
  } satisfies ArchiveReport<Details, Whole>
})
