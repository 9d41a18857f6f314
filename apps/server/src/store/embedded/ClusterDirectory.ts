import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { gunzipSync } from "node:zlib"
import { dataDir as preparedCluster } from "@electric-sql/pglite-prepopulatedfs"
import { makeDirectory } from "../../internal/files/makeDirectory.ts"
import { toMessage } from "../../internal/toMessage.ts"

const blockSize = 512

/** The entries of a tar archive in memory, which contains only files and directories. */
function* entries(archive: Buffer) {
  for (let at = 0; archive[at] !== undefined && archive[at] !== 0;) {
    const text = (start: number, length: number) =>
      archive.toString("latin1", at + start, at + start + length).replace(/\0.*$/s, "")
    const size = Number.parseInt(text(124, 12), 8)
    const start = at + blockSize
    yield {
      path: text(0, 100).replace(/^\//, ""),
      isDirectory: text(156, 1) === "5",
      content: archive.subarray(start, start + size)
    }
    at = start + Math.ceil(size / blockSize) * blockSize
  }
}

const unpack = (archive: Buffer, folder: string) => {
  mkdirSync(folder, { mode: 0o700 })
  for (const { content, isDirectory, path } of entries(archive)) {
    if (path === "postmaster.pid") continue
    if (isDirectory) mkdirSync(join(folder, path), { mode: 0o700 })
    else writeFileSync(join(folder, path), content, { mode: 0o600 })
  }
}

const readPrepared = async (): Promise<Buffer> => gunzipSync(await (await preparedCluster()).arrayBuffer())

/** The major version of PostgreSQL whose files the engine uses. */
export const readEngineVersion = async (): Promise<string | undefined> =>
  [...entries(await readPrepared())]
    .find(({ path }) => path === "PG_VERSION")
    ?.content.toString("latin1")
    .trim()

/**
 * Creates a database cluster in the directory if there is none. It is a copy of a prepared cluster: `initdb` takes
 * seconds, and more memory than the service ever needs. It is written beside the directory and renamed when complete:
 * after a crash the next start begins again.
 */
export const ensureCluster = async (dataDir: string): Promise<void> => {
  if (existsSync(join(dataDir, "PG_VERSION"))) return
  if (existsSync(dataDir)) {
    if (readdirSync(dataDir).length > 0) {
      throw new Error(
        `"${dataDir}" holds something else than a database: remove it, or set CHAINTAPE_DATA_DIR to another directory`
      )
    }
    rmdirSync(dataDir)
  }
  const folder = `${dataDir}.new`
  rmSync(folder, { recursive: true, force: true })
  const prepared = await readPrepared()
  try {
    makeDirectory(dirname(dataDir))
    unpack(prepared, folder)
    renameSync(folder, dataDir)
  } catch (cause) {
    rmSync(folder, { recursive: true, force: true })
    throw new Error(
      `A database cannot be made in "${dataDir}": free space if its disk is full, or set CHAINTAPE_DATA_DIR to another directory (${toMessage(cause)})`,
      { cause }
    )
  }
}
