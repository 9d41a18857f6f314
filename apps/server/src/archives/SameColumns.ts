import { Effect, Path } from "effect"
import type { ParquetColumn } from "../internal/files/ParquetFile.ts"
import { findOtherColumns } from "../internal/files/ParquetFile.ts"
import { ArchiveError } from "./ArchiveError.ts"
import type { Entry } from "./ArchiveFormat.ts"
import { checkSize } from "./CheckSize.ts"

/**
 * Fails if the first or the last file of an archive has other columns: readers of all files of a directory would fail, or leave
 * a column out. A file that is not whole is written again, or reported, later.
 */
export const requireSameColumns = Effect.fnUntraced(function* <Row>(
  directory: string,
  days: ReadonlyArray<Entry>,
  columns: ReadonlyArray<ParquetColumn<Row>>
) {
  const whole = yield* Effect.filter(new Set([...days.slice(0, 1), ...days.slice(-1)]), (day) =>
    Effect.map(checkSize(directory, day), (found) => found === undefined)
  )
  for (const { file } of whole) {
    const path = (yield* Path.Path).join(directory, file)
    const others = yield* findOtherColumns(path, columns).pipe(
      Effect.mapError((cause) => new ArchiveError({ message: `"${path}" is damaged: restore it from a copy.`, cause }))
    )
    if (others.length === 0) continue
    const names = others.map((name) => `"${name}"`).join(", ")
    const message =
      `"${path}" has other columns than this version writes: ${names}. One directory would then have files of both: give another ` +
      "directory, or remove this one to write every day again."
    return yield* new ArchiveError({ message })
  }
})
