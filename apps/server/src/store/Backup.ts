import { createHash } from "node:crypto"
import { createReadStream, createWriteStream } from "node:fs"
import { access, lstat, open, readdir, readFile, rename, rm } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGzip } from "node:zlib"
import { Clock, Data, DateTime, Effect } from "effect"
import type { BackupChecksums, BackupFigures } from "./BackupManifest.ts"
import { checksumsName, encodeChecksums, encodeHead, figuresOf, filesRoot, headName } from "./BackupManifest.ts"
import { lockDirectory } from "./embedded/DirectoryLock.ts"
import { blockSize, encodeHeader } from "./TarEntry.ts"

/** Why a backup was not made, or not taken back. */
export class BackupError extends Data.TaggedError("BackupError")<{ readonly message: string }> {}

const sentence = (what: string) => (cause: unknown) =>
  new BackupError({ message: `${what}: ${cause instanceof Error ? cause.message : String(cause)}.` })

/** Runs a promise that may be told to stop, and is waited for until it has. */
export const attempt = <A>(
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

/** Keeps every other process out of the database while `use` runs. */
export const underLock = <A, R>(dataDir: string, what: string, use: Effect.Effect<A, BackupError, R>) =>
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

export const isDatabase = (dataDir: string) => exists(join(dataDir, "PG_VERSION"))

/** Every directory and file below, parents first. */
async function* walk(root: string, path: string): AsyncGenerator<{ readonly path: string; readonly isFile: boolean }> {
  const found = await readdir(join(root, path), { withFileTypes: true })
  for (const entry of found.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const inner = path === "" ? entry.name : `${path}/${entry.name}`
    if (entry.isFile()) yield { path: inner, isFile: true }
    if (!entry.isDirectory()) continue
    yield { path: inner, isFile: false }
    yield* walk(root, inner)
  }
}

const padding = (size: number) => Buffer.alloc((blockSize - (size % blockSize)) % blockSize)

function* jsonEntry(path: string, text: string, modifiedAt: number) {
  const bytes = Buffer.from(text)
  yield encodeHeader({ kind: "file", path, mode: 0o600, size: bytes.length, modifiedAt })
  yield bytes
  yield padding(bytes.length)
}

/** The archive, piece by piece. What was put into it stands in `written` at its end. */
async function* archive(dataDir: string, head: string, seconds: number, written: Array<BackupChecksums>) {
  yield* jsonEntry(headName, head, seconds)
  const files: Array<BackupChecksums["files"][number]> = []
  let directories = 0
  for await (const { isFile, path } of walk(dataDir, "")) {
    const full = join(dataDir, path)
    const { mode, mtimeMs, size } = await lstat(full)
    const common = { path: `${filesRoot}/${path}`, mode, modifiedAt: mtimeMs / 1000 }
    yield encodeHeader({ ...common, kind: isFile ? "file" : "directory", size: isFile ? size : 0 })
    if (!isFile) {
      directories += 1
      continue
    }
    const hash = createHash("sha256")
    let read = 0
    for await (const part of createReadStream(full, { highWaterMark: 1 << 20 })) {
      if (!Buffer.isBuffer(part)) continue
      hash.update(part)
      read += part.length
      yield part
    }
    if (read !== size) throw new Error(`"${full}" changed while it was read`)
    yield padding(size)
    files.push({ path, size, sha256: hash.digest("hex") })
  }
  const checksums = { files, directories }
  written.push(checksums)
  yield* jsonEntry(checksumsName, encodeChecksums(checksums), seconds)
  yield Buffer.alloc(2 * blockSize)
}

/** Whatever happens from here on, it is on the disk. */
export const sync = async (path: string) => {
  const handle = await open(path, "r")
  await handle.sync().finally(() => handle.close())
}

/**
 * Writes the embedded database into an archive, which is whole or not there at all. The database is closed meanwhile:
 * no other process has it open.
 */
export const backUp = Effect.fn("backUp")(function* (dataDir: string, file: string, force: boolean) {
  const target = resolve(file)
  const temporary = `${target}.part`
  if (!(yield* Effect.promise(() => isDatabase(dataDir)))) {
    return yield* new BackupError({
      message: `There is no embedded database in "${dataDir}": set CHAINTAPE_DATA_DIR to the directory of the service.`
    })
  }
  if (!force && (yield* Effect.promise(() => exists(target)))) {
    return yield* new BackupError({ message: `"${file}" is there already: give another name, or --force.` })
  }
  const now = yield* Clock.currentTimeMillis
  const write = attempt(async (signal): Promise<BackupFigures> => {
    const postgres = (await readFile(join(dataDir, "PG_VERSION"), "utf8")).trim()
    const head = { chaintapeBackup: 1, createdAt: DateTime.formatIso(DateTime.makeUnsafe(now)), postgres } as const
    const written: Array<BackupChecksums> = []
    await pipeline(
      Readable.from(archive(dataDir, encodeHead(head), now / 1000, written)),
      createGzip({ level: 1 }),
      createWriteStream(temporary, { mode: 0o600 }),
      { signal }
    )
    await sync(temporary)
    await rename(temporary, target)
    await sync(dirname(target))
    return figuresOf(head, written[0] ?? { files: [], directories: 0 })
  }, sentence("The backup was not made")).pipe(
    Effect.onError(() => Effect.promise(() => rm(temporary, { force: true })))
  )
  return yield* underLock(dataDir, "The backup was not made", write)
})
