import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { lstat, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import { createGunzip } from "node:zlib"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { Effect, Predicate, Stream } from "effect"
import { Tar } from "effect/encoding"
import { hasCode } from "../internal/files/hasCode.ts"
import { toMessage } from "../internal/toMessage.ts"
import { BackupError, isDatabase, sync, toBackupError, withLock } from "./Backup.ts"
import type { BackupChecksums, BackupHead } from "./BackupManifest.ts"
import { checksumsName, decodeChecksums, decodeHead, toFigures, filesRoot, headName } from "./BackupManifest.ts"
import { readEngineVersion } from "./embedded/ClusterDirectory.ts"
import { displacedDirectory } from "./embedded/DirectoryLock.ts"

/** The maximum size of the archive's own entries. */
const maxJsonBytes = 64 * 1024 * 1024

/** An interruption waits for it: what it leaves is removed afterwards. */
const runIo = <A>(run: () => Promise<A>) =>
  Effect.uninterruptible(Effect.tryPromise({ try: run, catch: toBackupError }))
const failure = (message: string) => new BackupError({ message })

const giveBackup = "give a file that `chaintape backup` has written"
const noBackup = `The file is no backup of Chaintape: ${giveBackup}`
const cutOff = "The archive is cut off: give a whole copy of it"

/** The engine of gzip names the byte that it did not expect. */
const toGzipError = (cause: unknown) => {
  if (hasCode(cause, "Z_BUF_ERROR")) return failure(cutOff)
  const isOther = Predicate.isError(cause) && cause.message === "incorrect header check"
  return isOther ? failure(noBackup) : failure(`The archive is damaged: give another copy of it (${toMessage(cause)})`)
}

const requireFile = Effect.fnUntraced(function* (file: string) {
  const found = yield* Effect.tryPromise({
    try: () => stat(file),
    catch: (cause) =>
      hasCode(cause, "ENOENT") ? failure(`There is no file "${file}": ${giveBackup}`) : toBackupError(cause)
  })
  if (found.isDirectory()) return yield* failure(`"${file}" is a folder: ${giveBackup}`)
})

type Entry = Tar.Entry<Tar.TarError | BackupError>
type Extracted = BackupChecksums["files"][number]

/** A path that stays inside the directory into which it is extracted. */
const isInside = (path: string) =>
  path !== "" && !path.includes("\\") && path.split("/").every((step) => step !== "" && step !== "." && step !== "..")

const extractFile = Effect.fnUntraced(function* (
  { body, header: { mode, size } }: Entry,
  target: string,
  path: string
) {
  const hash = createHash("sha256")
  const handle = yield* Effect.acquireRelease(
    runIo(() => open(target, "wx", mode)),
    (opened) => Effect.promise(() => opened.close())
  )
  yield* Stream.runForEach(body, (part) => {
    hash.update(part)
    // Not `write`, which may write a part of it, and says so in its result.
    return runIo(() => handle.writeFile(part))
  })
  yield* runIo(() => handle.sync())
  return { path, size, sha256: hash.digest("hex") }
}, Effect.scoped)

const readText = ({ body, header: { size } }: Entry) =>
  size > maxJsonBytes
    ? Effect.fail(failure("The archive is damaged: its list is too large"))
    : Stream.mkString(Stream.decodeText(body))

const readHead = (entry: Entry) =>
  entry.header.path === headName
    ? Effect.flatMap(readText(entry), (text) =>
        Effect.try({
          try: () => decodeHead(text),
          catch: () => failure("The backup has a form that this version does not read")
        })
      )
    : Effect.fail(failure(noBackup))

/** The engine does not open the files of another version, and the old database would be gone by then. */
const checkVersion = Effect.fnUntraced(function* ({ postgres }: BackupHead) {
  const version = yield* runIo(readEngineVersion)
  if (postgres === version) return
  return yield* failure(
    `The backup is of PostgreSQL ${postgres}, and this version of Chaintape has PostgreSQL ${version}: restore it with the version that wrote it`
  )
})

const check = (extracted: ReadonlyArray<Extracted>, directories: number, stated: BackupChecksums) => {
  const byPath = new Map(stated.files.map((file) => [file.path, file]))
  const wrong = extracted.find(({ path, sha256, size }) => {
    const file = byPath.get(path)
    return file === undefined || file.sha256 !== sha256 || file.size !== size
  })
  if (wrong !== undefined) {
    return Effect.fail(failure(`The archive is damaged: "${wrong.path}" is not what was put into it`))
  }
  return extracted.length === stated.files.length && directories === stated.directories
    ? Effect.void
    : Effect.fail(failure("The archive is damaged: it lacks files that were put into it"))
}

/** Extracts an archive into `folder`, and compares the files with its checksums. */
const extract = Effect.fnUntraced(function* (
  archive: Stream.Stream<Entry, Tar.TarError | BackupError>,
  folder: string
) {
  let head: BackupHead | undefined
  let stated: BackupChecksums | undefined
  const files: Array<Extracted> = []
  let directories = 0
  yield* Stream.runForEach(
    archive,
    Effect.fnUntraced(function* (entry) {
      const { mode, path: named, type } = entry.header
      if (head === undefined) {
        head = yield* readHead(entry)
        yield* checkVersion(head)
        return
      }
      if (named === checksumsName) {
        const text = yield* readText(entry)
        stated = yield* Effect.try({ try: () => decodeChecksums(text), catch: toBackupError })
        return
      }
      const path = named.replace(/\/$/, "")
      const isOfBackup = (type === "File" || type === "Directory") && path.startsWith(`${filesRoot}/`) && isInside(path)
      if (!isOfBackup) return yield* failure(`The archive holds "${path}", which no backup does`)
      const inner = path.slice(filesRoot.length + 1)
      const target = join(folder, inner)
      if (type === "File") {
        files.push(yield* extractFile(entry, target, inner))
        return
      }
      yield* runIo(() => mkdir(target, { mode }))
      directories += 1
    })
  )
  if (head === undefined) return yield* failure(noBackup)
  if (stated === undefined) return yield* failure(cutOff)
  yield* check(files, directories, stated)
  return toFigures(head, stated)
})

const toSentence = (error: Tar.TarError | BackupError): BackupError => {
  const message = Tar.isTarError(error)
    ? error.kind === "Truncated"
      ? cutOff
      : `The archive is damaged: ${error.message}`
    : error.message
  return new BackupError({ message: `Nothing was restored: ${message}. What was there before is untouched.` })
}

const read = (file: string, folder: string) =>
  requireFile(file).pipe(
    Effect.andThen(
      runIo(async () => {
        await rm(folder, { recursive: true, force: true })
        await mkdir(folder, { mode: 0o700 })
      })
    ),
    Effect.andThen(
      extract(
        NodeStream.fromReadable({ evaluate: () => createReadStream(file), onError: toBackupError }).pipe(
          NodeStream.pipeThroughDuplex({ evaluate: () => createGunzip(), onError: toGzipError }),
          Stream.pipeThroughChannel(Tar.decode())
        ),
        folder
      )
    ),
    Effect.mapError(toSentence)
  )

/** A swap would replace the link itself. */
const requireNoLink = Effect.fnUntraced(function* (dataDir: string) {
  const isLink = yield* Effect.promise(() =>
    lstat(dataDir).then(
      (found) => found.isSymbolicLink(),
      // The lock says what is wrong with another directory.
      () => false
    )
  )
  if (!isLink) return
  return yield* failure(
    `Nothing was restored: "${dataDir}" is a symbolic link, and its target would stay as it is: put the target in place of ` +
      "the link, or set CHAINTAPE_DATA_DIR to another directory."
  )
})

/** The new directory replaces the old one. After a crash in between, the next start restores the old one. */
const swap = async (folder: string, dataDir: string) => {
  const displaced = displacedDirectory(dataDir)
  await rm(displaced, { recursive: true, force: true })
  await rename(dataDir, displaced)
  await rename(folder, dataDir)
}

/** The new directory is in its place. */
const finishSwap = async (dataDir: string) => {
  await sync(dirname(dataDir))
  await rm(displacedDirectory(dataDir), { recursive: true, force: true })
}

/**
 * Replaces the embedded database in `dataDir` by that of an archive. The archive is extracted beside it and compared
 * with its checksums first: until then, and after any failure, the old database stays.
 */
export const restore = Effect.fn("Restore.restore")(function* (file: string, dataDir: string, force: boolean) {
  yield* requireNoLink(dataDir)
  const folder = `${dataDir}.restoring`
  const replace = Effect.gen(function* () {
    const isEmpty = yield* Effect.promise(
      async () => !(await isDatabase(dataDir)) && (await readdir(dataDir)).length === 0
    )
    if (!isEmpty && !force) {
      return yield* new BackupError({
        message: `"${dataDir}" holds a database: give --force to replace it, or set CHAINTAPE_DATA_DIR to another directory.`
      })
    }
    const figures = yield* read(file, folder).pipe(
      Effect.onError(() => Effect.promise(() => rm(folder, { recursive: true, force: true })))
    )
    yield* Effect.mapError(
      runIo(() => swap(folder, dataDir)),
      toSentence
    )
    yield* Effect.mapError(
      runIo(() => finishSwap(dataDir)),
      ({ message }) =>
        new BackupError({
          message: `The backup was restored, but the disk failed afterwards: ${message}. Check the disk, and restore again.`
        })
    )
    return figures
  })
  return yield* withLock(dataDir, "Nothing was restored", replace)
})
