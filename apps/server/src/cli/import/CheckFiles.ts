import { Effect } from "effect"
import type { FileSystem } from "effect"
import { findOtherMarket, nothingCompared } from "../../cex/dumps/Differences.ts"
import type { Difference } from "../../cex/dumps/Differences.ts"
import type { DumpError } from "../../cex/dumps/DumpError.ts"
import { checkFile, identifyFile, refuseFile } from "../../cex/dumps/DumpFile.ts"
import type { DumpFile } from "../../cex/dumps/DumpFile.ts"
import type { DumpMarket } from "../../cex/dumps/DumpRows.ts"
import { findMisfit } from "../../cex/dumps/Importer.ts"
import type { KnownTape } from "../../cex/dumps/Importer.ts"
import type { SequenceRange } from "../../cex/tape/Tape.ts"
import { dayMs, toDate } from "../../internal/day.ts"
import type { StoreError } from "../../internal/StoreError.ts"
import { exitCodes, CommandError } from "../terminal/CommandError.ts"
import { Progress } from "../terminal/Progress.ts"

/** Files of which rows are not imported yet, and what is known of the others. */
export interface CheckedFiles {
  /** By their lowest id, with the number of rows that are imported. */
  readonly files: ReadonlyArray<{ readonly file: DumpFile; readonly done: number }>
  /** How many are imported already. */
  readonly complete: number
  /** How many agree with a published checksum. */
  readonly verified: number
  /** The ids of all files. */
  readonly spans: ReadonlyArray<SequenceRange>
  /** How many trades of the files the tape had otherwise when earlier runs imported them. */
  readonly different: number
  /** The first of them. */
  readonly differences: ReadonlyArray<Difference>
}

const toDropped = (path: string, droppedBefore: number) =>
  refuseFile(path, `the retention of the tape has dropped the days before ${toDate(droppedBefore)}`)

/** Why the trades of a file would not stay, if they would not. */
const findRetention = (
  { ids, path }: DumpFile,
  { droppedBefore }: KnownTape,
  days: number | undefined,
  now: number
) => {
  if (ids === undefined) return []
  if (ids.fromTime < droppedBefore) return [toDropped(path, droppedBefore)]
  return days === undefined || ids.fromTime >= now - days * dayMs
    ? []
    : [
        refuseFile(
          path,
          `tape.retentionDays is ${days}, so that the service would drop its trades: raise it in the configuration file`
        )
      ]
}

const toRefusal = (refusals: ReadonlyArray<DumpError>) =>
  new CommandError({
    message: [...refusals.map(({ message }) => message), "Nothing was imported."].join("\n"),
    code: exitCodes.refused
  })

/** Reads every file before anything is changed. Fails with all that is wrong. */
export const checkFiles = Effect.fn("CheckFiles.check")(function* (
  paths: ReadonlyArray<string>,
  expected: DumpMarket,
  known: KnownTape,
  retentionDays: number | undefined
): Effect.fn.Return<CheckedFiles, CommandError | StoreError, FileSystem.FileSystem | Progress> {
  const progress = yield* Progress
  const seen = new Set<string>()
  const found: Array<CheckedFiles["files"][number]> = []
  const spans: Array<SequenceRange> = []
  const refusals: Array<DumpError> = []
  const differences: Array<Difference> = []
  let [rows, verified, complete, different] = [0, 0, 0, 0]

  const check = Effect.fnUntraced(function* (path: string, index: number) {
    const identity = yield* identifyFile(path)
    if (identity.isVerified) verified += 1
    if (seen.has(identity.hash)) return
    seen.add(identity.hash)
    const imported = known.imported.get(identity.hash)
    different += imported?.different ?? 0
    differences.push(...(imported?.differences ?? []).map((one) => ({ ...one, path })))
    if (imported?.isComplete === true) {
      const { firstId, lastId } = imported
      if (firstId !== null && lastId !== null) {
        if (firstId < (known.coverage[0]?.from ?? Infinity)) return yield* toDropped(path, known.droppedBefore)
        spans.push({ from: firstId, to: lastId })
      }
      complete += 1
      return
    }
    const before = rows
    let compared = nothingCompared
    const file = yield* checkFile(
      path,
      identity,
      expected,
      Effect.fnUntraced(function* ({ row, trades }) {
        const { again, different, first } = yield* known.compare(path, trades)
        compared = {
          again: compared.again + again,
          different: compared.different + different,
          first: compared.first ?? first
        }
        yield* progress.advance(index, before + row)
      })
    )
    rows += file.rows
    const misplaced = findOtherMarket(path, compared, "")
    if (misplaced !== undefined) return yield* misplaced
    if (file.ids !== undefined) spans.push(file.ids)
    found.push({ file, done: imported?.rows ?? 0 })
  })

  yield* progress.begin({ since: 0, until: paths.length, position: 0, rows: 0, unit: "rows checked" })
  for (const [index, path] of paths.entries()) {
    yield* check(path, index).pipe(
      Effect.catchTag("DumpError", (refusal) => Effect.sync(() => void refusals.push(refusal)))
    )
    yield* progress.advance(index + 1, rows)
  }
  const files = found.toSorted((one, other) => (one.file.ids?.from ?? 0) - (other.file.ids?.from ?? 0))
  const notKept = files.flatMap(({ file }) => findRetention(file, known, retentionDays, expected.now))
  const misfit = findMisfit(
    files.map(({ file }) => file),
    known.coverage
  )
  const all = [...refusals, ...notKept, ...(misfit === undefined ? [] : [misfit])]
  return all.length > 0 ? yield* toRefusal(all) : { files, complete, verified, spans, different, differences }
})
