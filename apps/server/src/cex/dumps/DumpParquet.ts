import { zstdDecompressSync } from "node:zlib"
import { Predicate } from "effect"
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from "hyparquet"
import { format, formatKey } from "../archive/TradesArchive.ts"
import type { DumpMarket } from "./DumpRows.ts"

const rowsAtOnce = 25_000

const header = "id,timestamp,price,size,side"

const toText = (value: unknown): string => (Predicate.isDate(value) ? String(value.getTime()) : String(value))

/** The rows of a file of an archive, as the lines of a text file with a header. */
export async function* readParquetLines(path: string, expected: DumpMarket): AsyncGenerator<ReadonlyArray<string>> {
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
