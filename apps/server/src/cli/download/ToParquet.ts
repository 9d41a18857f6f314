import { Effect, FileSystem, Schema, Stream } from "effect"
import type { ParquetColumn } from "../../internal/files/ParquetFile.ts"
import type { Column } from "./Row.ts"
import { isTime } from "./Row.ts"

type Values = ReadonlyArray<string>

/** Rows of a row group. */
const rowsAtOnce = 25_000

const decodeValues = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Array(Schema.String)))

/** Decimals are text, so that a reader has every digit. */
const toParquetColumn = (column: Column, index: number): ParquetColumn<Values> =>
  isTime(column)
    ? { name: column.name, type: "time", get: (values) => Number(values[index]) }
    : { name: column.name, type: "text", get: (values) => values[index] ?? "" }

/** Writes the rows of a complete part as a Parquet file. The writer is loaded only here: other formats do not need it. */
export const toParquet = Effect.fn("ToParquet.convert")(function* (
  part: string,
  target: string,
  columns: ReadonlyArray<Column>,
  content: string
) {
  const { openParquetFile } = yield* Effect.promise(() => import("../../internal/files/ParquetFile.ts"))
  const files = yield* FileSystem.FileSystem
  yield* Effect.scoped(
    Effect.gen(function* () {
      const out = yield* openParquetFile(target, columns.map(toParquetColumn), { "chaintape.download": content })
      yield* files.stream(part).pipe(
        Stream.decodeText(),
        Stream.splitLines,
        Stream.mapEffect((line) => Effect.orDie(decodeValues(line))),
        Stream.grouped(rowsAtOnce),
        Stream.runForEach((rows) => out.append(rows))
      )
      yield* out.finish
    })
  )
})
