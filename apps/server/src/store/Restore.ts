import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { mkdir, open, readdir, rename, rm } from "node:fs/promises"
import { dirname, join } from "node:path"
import { pipeline } from "node:stream/promises"
import { createGunzip } from "node:zlib"
import { Effect } from "effect"
import { attempt, BackupError, isDatabase, sync, underLock } from "./Backup.ts"
import type { BackupChecksums, BackupFigures } from "./BackupManifest.ts"
import { checksumsName, decodeChecksums, decodeHead, figuresOf, filesRoot, headName } from "./BackupManifest.ts"
import { displacedDirectory } from "./embedded/DirectoryLock.ts"
import type { TarEntry } from "./TarEntry.ts"
import { blockSize, decodeHeader } from "./TarEntry.ts"

/** The largest of the archive's own entries. */
const largestJson = 64 * 1024 * 1024

/** The bytes of a stream in the pieces that are asked for. */
class Bytes {
  readonly #chunks: AsyncIterator<unknown>
  #rest: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<unknown>) {
    this.#chunks = source[Symbol.asyncIterator]()
  }

  /** At most `most` bytes, at least one. */
  async some(most: number): Promise<Buffer> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#chunks.next()
      if (done === true) throw new Error("The archive is cut off")
      if (Buffer.isBuffer(value)) this.#rest = value
    }
    const part = this.#rest.subarray(0, most)
    this.#rest = this.#rest.subarray(part.length)
    return part
  }

  async exactly(count: number): Promise<Buffer> {
    const parts: Array<Buffer> = []
    for (let missing = count; missing > 0;) {
      const part = await this.some(missing)
      parts.push(part)
      missing -= part.length
    }
    return Buffer.concat(parts)
  }

  async drain(): Promise<void> {
    while ((await this.#chunks.next()).done !== true);
  }
}

type Extracted = BackupChecksums["files"][number]

const padded = (size: number) => Math.ceil(size / blockSize) * blockSize - size

const extractFile = async (
  bytes: Bytes,
  { mode, size }: TarEntry,
  target: string,
  path: string
): Promise<Extracted> => {
  const handle = await open(target, "wx", mode)
  const hash = createHash("sha256")
  try {
    for (let missing = size; missing > 0;) {
      const part = await bytes.some(missing)
      hash.update(part)
      await handle.write(part)
      missing -= part.length
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
  await bytes.exactly(padded(size))
  return { path, size, sha256: hash.digest("hex") }
}

const jsonOf = async (bytes: Bytes, { size }: TarEntry): Promise<string> => {
  if (size > largestJson) throw new Error("The archive is damaged: its list is too large")
  const text = (await bytes.exactly(size)).toString("utf8")
  await bytes.exactly(padded(size))
  return text
}

const headOf = async (bytes: Bytes) => {
  const first = decodeHeader(await bytes.exactly(blockSize))
  if (first?.path !== headName) throw new Error("The file is no backup of Chaintape")
  try {
    return decodeHead(await jsonOf(bytes, first))
  } catch (cause) {
    throw new Error("The backup has a form that this version does not read", { cause })
  }
}

const agree = (extracted: ReadonlyArray<Extracted>, directories: number, said: BackupChecksums) => {
  const bySaid = new Map(said.files.map((file) => [file.path, file]))
  const wrong = extracted.find(({ path, sha256, size }) => {
    const file = bySaid.get(path)
    return file === undefined || file.sha256 !== sha256 || file.size !== size
  })
  if (wrong !== undefined) throw new Error(`The archive is damaged: "${wrong.path}" is not what was put into it`)
  if (extracted.length !== said.files.length || directories !== said.directories) {
    throw new Error("The archive is damaged: it lacks files that were put into it")
  }
}

/** Takes everything out of an archive into `folder`, and compares it with what was put in. */
const extract = async (bytes: Bytes, folder: string): Promise<BackupFigures> => {
  const head = await headOf(bytes)
  const files: Array<Extracted> = []
  let directories = 0
  while (true) {
    const entry = decodeHeader(await bytes.exactly(blockSize))
    if (entry === undefined) throw new Error("The archive is cut off")
    if (entry.path === checksumsName) {
      const said = decodeChecksums(await jsonOf(bytes, entry))
      await bytes.drain()
      agree(files, directories, said)
      return figuresOf(head, said)
    }
    if (!entry.path.startsWith(`${filesRoot}/`)) throw new Error(`The archive holds "${entry.path}"`)
    const path = entry.path.slice(filesRoot.length + 1)
    const target = join(folder, path)
    if (entry.kind === "directory") {
      await mkdir(target, { mode: entry.mode })
      directories += 1
    } else {
      files.push(await extractFile(bytes, entry, target, path))
    }
  }
}

const read = async (file: string, folder: string, signal: AbortSignal): Promise<BackupFigures> => {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return await pipeline(createReadStream(file), createGunzip(), (source) => extract(new Bytes(source), folder), {
    signal
  })
}

/** The new directory takes the place of the old one. Opened after a crash in between, the old one comes back. */
const swap = async (folder: string, dataDir: string) => {
  const displaced = displacedDirectory(dataDir)
  await rm(displaced, { recursive: true, force: true })
  await rename(dataDir, displaced)
  await rename(folder, dataDir)
  await sync(dirname(dataDir))
  await rm(displaced, { recursive: true, force: true })
}

const sentence = (cause: unknown) =>
  new BackupError({
    message: `Nothing was restored: ${cause instanceof Error ? cause.message : String(cause)}. What was there before is untouched.`
  })

/**
 * Puts the embedded database of an archive in the place of the one in `dataDir`. It is taken out beside it and compared
 * with the archive's checksums first: until then, and after any failure, the old one is there.
 */
export const restore = Effect.fn("restore")(function* (file: string, dataDir: string, force: boolean) {
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
    const figures = yield* attempt((signal) => read(file, folder, signal), sentence).pipe(
      Effect.onError(() => Effect.promise(() => rm(folder, { recursive: true, force: true })))
    )
    yield* Effect.uninterruptible(Effect.tryPromise({ try: () => swap(folder, dataDir), catch: sentence }))
    return figures
  })
  return yield* underLock(dataDir, "Nothing was restored", replace)
})
