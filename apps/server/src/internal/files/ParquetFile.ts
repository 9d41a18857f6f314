import { createHash } from "node:crypto"
import { zstdCompressSync } from "node:zlib"
import { DateTime, Effect, FileSystem } from "effect"
import { asyncBufferFromFile, parquetMetadataAsync } from "hyparquet"
import type { SchemaElement } from "hyparquet"
import { ByteWriter, ParquetWriter, schemaFromColumnData } from "hyparquet-writer"

/** A column. Times are in Unix milliseconds. Only the optional ones can be null. */
export type ParquetColumn<Row> =
  | { readonly name: string; readonly type: "text"; readonly get: (row: Row) => string }
  | { readonly name: string; readonly type: "integer" | "time"; readonly get: (row: Row) => number }
  | { readonly name: string; readonly type: "boolean"; readonly get: (row: Row) => boolean }
  | { readonly name: string; readonly type: "optional text"; readonly get: (row: Row) => string | null }
  | { readonly name: string; readonly type: "optional integer"; readonly get: (row: Row) => number | null }

const toDate = (time: number): Date => DateTime.toDateUtc(DateTime.makeUnsafe(time))

const toColumnData =
  <Row>(rows: ReadonlyArray<Row>) =>
  (column: ParquetColumn<Row>) => {
    const { name } = column
    const nullable = false
    switch (column.type) {
      case "text":
        return { name, type: "STRING" as const, nullable, data: rows.map(column.get) }
      case "integer":
        return { name, type: "INT64" as const, nullable, data: rows.map((row) => BigInt(column.get(row))) }
      case "time":
        return { name, type: "TIMESTAMP" as const, nullable, data: rows.map((row) => toDate(column.get(row))) }
      case "boolean":
        return { name, type: "BOOLEAN" as const, nullable, data: rows.map(column.get) }
      case "optional text":
        return { name, type: "STRING" as const, nullable: true, data: rows.map(column.get) }
      case "optional integer": {
        const data = rows.map(column.get).map((value) => (value === null ? null : BigInt(value)))
        return { name, type: "INT64" as const, nullable: true, data }
      }
    }
  }

const toSchema = <Row>(columns: ReadonlyArray<ParquetColumn<Row>>) =>
  schemaFromColumnData({ columnData: columns.map(toColumnData<Row>([])) })

/** The columns with their types: equal texts are equal columns. */
const toTexts = (schema: ReadonlyArray<SchemaElement>): ReadonlyMap<string, string> =>
  new Map(schema.slice(1).map(({ name, repetition_type, type }) => [name, `${type} ${repetition_type}`]))

/** The names of the columns that a file has and that are not these, or the other way round, in alphabetical order. */
export const findOtherColumns = Effect.fnUntraced(function* <Row>(
  path: string,
  columns: ReadonlyArray<ParquetColumn<Row>>
) {
  const { schema } = yield* Effect.tryPromise(async () => parquetMetadataAsync(await asyncBufferFromFile(path)))
  const [found, wanted] = [toTexts(schema), toTexts(toSchema(columns))]
  return [...new Set([...found.keys(), ...wanted.keys()])]
    .filter((name) => found.get(name) !== wanted.get(name))
    .toSorted()
})

/** A Parquet file that is written row group by row group. */
export const openParquetFile = Effect.fnUntraced(function* <Row>(
  path: string,
  columns: ReadonlyArray<ParquetColumn<Row>>,
  metadata: Readonly<Record<string, string>>
) {
  const files = yield* FileSystem.FileSystem
  const handle = yield* files.open(path, { flag: "w" })
  const hash = createHash("sha256")
  const writer = new ByteWriter()
  const parquet = new ParquetWriter({
    writer,
    schema: toSchema(columns),
    codec: "ZSTD",
    compressors: { ZSTD: (input) => zstdCompressSync(input) },
    kvMetadata: Object.entries(metadata).map(([key, value]) => ({ key, value })),
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
    /** Writes rows as one row group. */
    append: (rows: ReadonlyArray<Row>) =>
      Effect.andThen(
        Effect.promise(async () =>
          parquet.write({ columnData: columns.map(toColumnData(rows)), rowGroupSize: rows.length })
        ),
        flush
      ),
    /** The file is on disk then. The hash is a SHA-256 in hexadecimal. */
    finish: Effect.promise(async () => parquet.finish()).pipe(
      Effect.andThen(flush),
      Effect.andThen(handle.sync),
      Effect.map(() => ({ bytes, sha256: hash.digest("hex") }))
    )
  }
})
