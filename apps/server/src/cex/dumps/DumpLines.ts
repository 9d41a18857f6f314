import { createReadStream } from "node:fs"
import { open } from "node:fs/promises"
import type { Readable } from "node:stream"
import { pipeline } from "node:stream"
import { crc32, createGunzip, createInflateRaw, zstdDecompressSync } from "node:zlib"
import { Predicate } from "effect"
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from "hyparquet"
import type { Entry, ZipFile } from "yauzl"
import { openPromise } from "yauzl"
import { format, formatKey } from "../archive/TradesArchive.ts"
import type { DumpMarket } from "./DumpRows.ts"

/** Bytes. The default of zlib, 16 KiB, takes more than twice the time. */
const chunkSize = 256 * 1024

/** The next chunks are decompressed while the rows of one are read. */
const decompression = { chunkSize, highWaterMark: 4 * chunkSize }

const deflated = 8
const stored = 0

/** Chunks of a stream, which is destroyed when they are no longer read. */
async function* toChunks(stream: Readable): AsyncGenerator<Buffer> {
  for await (const chunk of stream) if (Buffer.isBuffer(chunk)) yield chunk
}

/** The same through a decompressor. A failure of the source ends it. */
const decompress = (source: Readable, decompressor: ReturnType<typeof createGunzip>): AsyncGenerator<Buffer> => {
  pipeline(source, decompressor, () => {})
  return toChunks(decompressor)
}

const findOnlyFile = async (zip: ZipFile): Promise<Entry> => {
  const found: Array<Entry> = []
  for await (const entry of zip.eachEntry()) {
    if (!entry.fileName.endsWith("/")) found.push(entry)
    if (found.length > 1) throw new Error("it holds more than one file: extract it, and import its files")
  }
  const [entry] = found
  if (entry === undefined) throw new Error("it holds no file")
  if (entry.isEncrypted()) throw new Error("it is encrypted")
  if (entry.compressionMethod !== deflated && entry.compressionMethod !== stored)
    throw new Error(`its compression method ${entry.compressionMethod} is not supported`)
  return entry
}

async function* readZip(path: string): AsyncGenerator<Buffer> {
  const zip = await openPromise(path, { autoClose: false })
  try {
    const entry = await findOnlyFile(zip)
    const raw = await zip.openReadStreamPromise(entry, { decodeFileData: false })
    const isDeflated = entry.compressionMethod === deflated
    let [checksum, size] = [0, 0]
    for await (const chunk of isDeflated ? decompress(raw, createInflateRaw(decompression)) : toChunks(raw)) {
      checksum = crc32(chunk, checksum)
      size += chunk.length
      yield chunk
    }
    if (checksum !== entry.crc32 || size !== entry.uncompressedSize)
      throw new Error("it is damaged: its content has another CRC-32 or another length than it states")
  } finally {
    zip.close()
  }
}

const readStart = async (path: string): Promise<Buffer> => {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** The content of a file, decompressed if it is a zip of one file or a gzip. A truncated or damaged one fails. */
async function* readContent(path: string, start: Buffer): AsyncGenerator<Buffer> {
  if (start.toString("latin1", 0, 2) === "PK") yield* readZip(path)
  else {
    const source = createReadStream(path, { highWaterMark: chunkSize })
    yield* start[0] === 0x1f && start[1] === 0x8b ? decompress(source, createGunzip(decompression)) : toChunks(source)
  }
}

/** Characters. No row of any layout is nearly as long. */
const maxLineLength = 4096

/** The lines of a text, without their ends. */
async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<ReadonlyArray<string>> {
  let rest = ""
  for await (const chunk of chunks) {
    const text = rest + chunk.toString("latin1")
    // A pattern takes twice as long.
    const lines = text.split(text.includes("\r") ? /\r?\n/ : "\n")
    rest = lines.pop() ?? ""
    if (rest.length > maxLineLength) throw new Error(`a line is longer than ${maxLineLength} characters`)
    if (lines.length > 0) yield lines
  }
  if (rest !== "") yield [rest]
}

const rowsAtOnce = 25_000

const header = "id,timestamp,price,size,side"

const toText = (value: unknown): string => (Predicate.isDate(value) ? String(value.getTime()) : String(value))

/** The rows of a file of an archive, as the lines of a text file with a header. */
async function* readParquetLines(path: string, expected: DumpMarket): AsyncGenerator<ReadonlyArray<string>> {
  const file = await asyncBufferFromFile(path)
  const metadata = await parquetMetadataAsync(file)
  const values = new Map(metadata.key_value_metadata?.map(({ key, value }) => [key, value]))
  const found = values.get(formatKey)
  if (found === undefined) {
    const isOfArchive = [...values.keys()].some((key) => key.startsWith("chaintape."))
    throw new Error(isOfArchive ? "it is not of trades of a market" : "it is a Parquet file of another program")
  }
  if (found !== format)
    throw new Error(`its format is ${found}, of another version of Chaintape; this one reads ${format}`)
  const [exchange, market] = [values.get("exchange"), values.get("market")]
  if (exchange !== expected.exchange || market !== `${expected.market.base}/${expected.market.quote}`)
    throw new Error(`it is of ${market} on "${exchange}"`)
  yield [header]
  const columns = header.split(",")
  const compressors = { ZSTD: (input: Uint8Array) => zstdDecompressSync(input) }
  const rows = Number(metadata.num_rows)
  for (let rowStart = 0; rowStart < rows; rowStart += rowsAtOnce) {
    const rowEnd = Math.min(rows, rowStart + rowsAtOnce)
    const objects = await parquetReadObjects({ file, metadata, columns, rowStart, rowEnd, compressors })
    yield objects.map((row) => columns.map((column) => toText(row[column])).join(","))
  }
}

/** The lines of a file, many at a time. */
export async function* readLines(path: string, expected: DumpMarket): AsyncGenerator<ReadonlyArray<string>> {
  const start = await readStart(path)
  const isParquet = start.toString("latin1") === "PAR1"
  yield* isParquet ? readParquetLines(path, expected) : splitLines(readContent(path, start))
}
