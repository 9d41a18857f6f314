import { createHash } from "node:crypto"
import { createReadStream, createWriteStream } from "node:fs"
import { access, lstat, open, readdir, readFile, rename, rm, stat } from "node:fs/promises"
import { dirname, join, relative, resolve, sep } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGzip } from "node:zlib"
import { Clock, Data, DateTime, Effect, Stream } from "effect"
import { Tar } from "effect/encoding"
import { isDiskFull } from "../internal/files/isDiskFull.ts"
import { toMessage } from "../internal/toMessage.ts"
import type { BackupChecksums, BackupFigures } from "./BackupManifest.ts"
import { checksumsName, encodeChecksums, encodeHead, toFigures, filesRoot, headName } from "./BackupManifest.ts"
import { lockDirectory } from "./embedded/DirectoryLock.ts"

/** Why a backup or a restore failed. */
export class BackupError extends Data.TaggedError("BackupError")<{
  readonly message: string
  readonly cause?: unknown
}> {}

/** Why a read or a write failed, and what to do about a full disk. */
const toReason = (cause: unknown): string =>
  isDiskFull({ cause })
    ? `the disk is full: free space, and give the command again (${toMessage(cause)})`
    : toMessage(cause)

const sentence = (what: string) => (cause: unknown) =>
  new BackupError({ message: `${what}: ${toReason(cause)}.`, cause })

/** Runs a promise that can be aborted; an interruption waits until it has ended. */
const attempt = <A>(
  run: (signal: AbortSignal) => Promise<A>,
  failure: (cause: unknown) => BackupError
): Effect.Effect<A, BackupError> =>
  Effect.callback((resume, signal) => {
    const running = run(signal)
    const ended = running.then(
      (value) => resume(Effect.succeed(value)),
      (cause) => resume(Effect.fail(failure(cause)))
    )
    return Effect.promise(() => ended)
  })

/** Excludes every other process from the database while `use` runs. */
export const withLock = <A, R>(dataDir: string, what: string, use: Effect.Effect<A, BackupError, R>) =>
  Effect.acquireUseRelease(
    Effect.try({ try: () => lockDirectory(dataDir), catch: sentence(what) }),
    () => use,
    (lock) => Effect.sync(lock.release)
  )

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false
  )

const isFolder = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false
  )

export const isDatabase = (dataDir: string) => exists(join(dataDir, "PG_VERSION"))

/** Every directory and file below, parents first. */
const list = async (root: string) =>
  (await readdir(root, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() || entry.isDirectory())
    .map((entry) => ({
      path: relative(root, join(entry.parentPath, entry.name)).replaceAll(sep, "/"),
      isFile: entry.isFile()
    }))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))

/** The error of a failed read or write. */
export const toBackupError = (cause: unknown) => new BackupError({ message: toReason(cause) })

/** A file of the database, whose checksum is added to `files` when it has been written. */
const toEntry = (dataDir: string, path: string, files: Array<BackupChecksums["files"][number]>) =>
  Effect.tryPromise({
    try: async () => {
      const full = join(dataDir, path)
      const { mode, mtime, size } = await lstat(full)
      const hash = createHash("sha256")
      const body = Stream.fromAsyncIterable<Uint8Array, BackupError>(
        createReadStream(full, { highWaterMark: 1 << 20 }),
        toBackupError
      ).pipe(
        Stream.tap((part) => Effect.sync(() => hash.update(part))),
        Stream.onEnd(Effect.sync(() => files.push({ path, size, sha256: hash.digest("hex") })))
      )
      return Tar.fileStream(`${filesRoot}/${path}`, size, body, { mode, mtime })
    },
    catch: toBackupError
  })

/** The entries of an archive. At its end `written` lists what it contains. */
const toEntries = (dataDir: string, head: string, mtime: Date, written: Array<BackupChecksums>) => {
  const files: Array<BackupChecksums["files"][number]> = []
  let directories = 0
  const own = { mode: 0o600, mtime }
  const found = Stream.fromIterableEffect(Effect.tryPromise({ try: () => list(dataDir), catch: toBackupError })).pipe(
    Stream.rechunk(1),
    Stream.mapEffect(({ isFile, path }): Effect.Effect<Tar.Entry<BackupError>, BackupError> => {
      if (isFile) return toEntry(dataDir, path, files)
      directories += 1
      return Effect.succeed(Tar.directory(`${filesRoot}/${path}`, { mode: 0o700, mtime }))
    })
  )
  // Made when all files have been written.
  const last = Effect.sync(() => {
    written.push({ files, directories })
    return Tar.file(checksumsName, encodeChecksums({ files, directories }), own)
  })
  return Stream.succeed(Tar.file(headName, head, own)).pipe(
    Stream.concat(found),
    Stream.concat(Stream.fromEffect(last))
  )
}

/** Everything from here on relies on the file being on disk. */
export const sync = async (path: string) => {
  const handle = await open(path, "r")
  await handle.sync().finally(() => handle.close())
}

/**
 * Writes the embedded database into an archive, which appears only when it is complete. The database is closed
 * meanwhile: no other process has it open.
 */
export const backUp = Effect.fn("Backup.backUp")(function* (dataDir: string, file: string, force: boolean) {
  const target = resolve(file)
  const temporary = `${target}.part`
  if (!(yield* Effect.promise(() => isDatabase(dataDir)))) {
    return yield* new BackupError({
      message: `There is no embedded database in "${dataDir}": set CHAINTAPE_DATA_DIR to the directory of the service.`
    })
  }
  if (yield* Effect.promise(() => isFolder(target))) {
    return yield* new BackupError({ message: `"${file}" is a folder, which is never replaced: give another name.` })
  }
  if (!(yield* Effect.promise(() => isFolder(dirname(target))))) {
    return yield* new BackupError({ message: `"${dirname(target)}" is no folder: make it, or give another name.` })
  }
  if (yield* Effect.promise(() => isFolder(temporary))) {
    return yield* new BackupError({ message: `"${temporary}" is a folder: remove it, or give another name.` })
  }
  if (!force && (yield* Effect.promise(() => exists(target)))) {
    return yield* new BackupError({ message: `"${file}" is there already: give another name, or --force.` })
  }
  const now = yield* Clock.currentTimeMillis
  const write = attempt(async (signal): Promise<BackupFigures> => {
    const postgres = (await readFile(join(dataDir, "PG_VERSION"), "utf8")).trim()
    const head = { chaintapeBackup: 1, createdAt: DateTime.formatIso(DateTime.makeUnsafe(now)), postgres } as const
    const written: Array<BackupChecksums> = []
    // A file that is there, or a link, may be somebody else's.
    await rm(temporary, { force: true })
    await pipeline(
      Readable.from(
        toEntries(dataDir, encodeHead(head), DateTime.toDateUtc(DateTime.makeUnsafe(now)), written).pipe(
          Stream.pipeThroughChannel(Tar.encode()),
          Stream.toAsyncIterable
        )
      ),
      createGzip({ level: 1 }),
      createWriteStream(temporary, { flags: "wx", mode: 0o600 }),
      { signal }
    )
    await sync(temporary)
    await rename(temporary, target)
    await sync(dirname(target))
    return toFigures(head, written[0] ?? { files: [], directories: 0 })
  }, sentence("The backup was not made")).pipe(
    Effect.onError(() => Effect.promise(() => rm(temporary, { force: true })))
  )
  return yield* withLock(dataDir, "The backup was not made", write)
})
