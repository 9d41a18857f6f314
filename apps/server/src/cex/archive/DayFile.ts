import { createHash } from "node:crypto"
import { zstdCompressSync } from "node:zlib"
import { DateTime, Effect, FileSystem } from "effect"
import { ByteWriter, ParquetWriter, schemaFromColumnData } from "hyparquet-writer"
import type { TapeTrade } from "../tape/Tape.ts"
import { format, formatKey } from "./ArchiveManifest.ts"

const toDate = (time: number): Date => DateTime.toDateUtc(DateTime.makeUnsafe(time))

/** Decimals are text, so that a reader has every digit. */
const toColumns = (trades: ReadonlyArray<TapeTrade>) => [
  { name: "id", type: "STRING" as const, nullable: false, data: trades.map(({ id }) => id) },
  { name: "sequence", type: "INT64" as const, nullable: false, data: trades.map(({ sequence }) => BigInt(sequence)) },
  {
    name: "timestamp",
    type: "TIMESTAMP" as const,
    nullable: false,
    data: trades.map(({ timestamp }) => toDate(timestamp))
  },
  { name: "price", type: "STRING" as const, nullable: false, data: trades.map(({ price }) => price) },
  { name: "size", type: "STRING" as const, nullable: false, data: trades.map(({ size }) => size) },
  { name: "cost", type: "STRING" as const, nullable: false, data: trades.map(({ cost }) => cost) },
  { name: "side", type: "STRING" as const, nullable: false, data: trades.map(({ side }) => side) },
  {
    name: "received_at",
    type: "TIMESTAMP" as const,
    nullable: false,
    data: trades.map(({ receivedAt }) => toDate(receivedAt))
  }
]

/** A Parquet file that is written row group by row group. */
export const openDayFile = Effect.fnUntraced(function* (
  path: string,
  about: { readonly exchange: string; readonly market: string }
) {
  const files = yield* FileSystem.FileSystem
  const handle = yield* files.open(path, { flag: "w" })
  const hash = createHash("sha256")
  const writer = new ByteWriter()
  const parquet = new ParquetWriter({
    writer,
    schema: schemaFromColumnData({ columnData: toColumns([]) }),
    codec: "ZSTD",
    compressors: { ZSTD: (input) => zstdCompressSync(input) },
    kvMetadata: [
      { key: formatKey, value: format },
      { key: "exchange", value: about.exchange },
      { key: "market", value: about.market }
    ],
    createdBy: "chaintape"
  })
  let bytes = 0

  const flush = Effect.suspend(() => {
    const part = writer.getBytes().slice()
    writer.index = 0
    bytes += part.length
    hash.update(part)
    return handle.writeAll(part)
  })

  return {
    append: (trades: ReadonlyArray<TapeTrade>) =>
      Effect.andThen(
        Effect.promise(async () => parquet.write({ columnData: toColumns(trades), rowGroupSize: trades.length })),
        flush
      ),
    /** The file is on disk then. */
    finish: Effect.promise(async () => parquet.finish()).pipe(
      Effect.andThen(flush),
      Effect.andThen(handle.sync),
      Effect.map(() => ({ bytes, sha256: hash.digest("hex") }))
    )
  }
})
