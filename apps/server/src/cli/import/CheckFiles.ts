import { Effect } from "effect"
import type { FileSystem } from "effect"
import { addDifferences, findOtherMarket, nothingCompared } from "../../cex/dumps/Differences.ts"
import type { DumpError } from "../../cex/dumps/DumpError.ts"
import { checkFile, identifyFile, refuseFile } from "../../cex/dumps/DumpFile.ts"
import type { DumpFile } from "../../cex/dumps/DumpFile.ts"
import type { DumpMarket } from "../../cex/dumps/DumpRows.ts"
import { findMisfit } from "../../cex/dumps/Importer.ts"
import type { Difference, KnownTape } from "../../cex/dumps/Importer.ts"
import type { ImportedFile } from "../../cex/dumps/SqlImports.ts"
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

/** The findings about one path. */
interface Finding {
  readonly isVerified: boolean
  /** How many rows were read. */
  readonly rows: number
  /** An earlier import of the file. */
  readonly imported: ImportedFile | undefined
  readonly differences: ReadonlyArray<Difference>
  /** The file, if it has rows to import. */
  readonly file: DumpFile | undefined
  readonly refusal: DumpError | undefined
}

const nothingFound: Finding = {
  isVerified: false,
  rows: 0,
  imported: undefined,
  differences: [],
  file: undefined,
  refusal: undefined
}

/** Whether the tape has dropped rows of a file that was imported. */
const isDropped = ({ firstId, lastId }: ImportedFile, { coverage }: KnownTape): boolean =>
  firstId !== null && lastId !== null && firstId < (coverage[0]?.from ?? Infinity)

/** Checks a file, unless it was imported or is in `seen`. `onRow` is called with the number of rows read so far. */
const examineFile = Effect.fnUntraced(function* (
  path: string,
  seen: Set<string>,
  expected: DumpMarket,
  known: KnownTape,
  onRow: (row: number) => Effect.Effect<void>
): Effect.fn.Return<Finding, DumpError | StoreError, FileSystem.FileSystem> {
  const identity = yield* identifyFile(path)
  const { hash, isVerified } = identity
  if (seen.has(hash)) return { ...nothingFound, isVerified }
  seen.add(hash)
  const imported = known.imported.get(hash)
  const differences = (imported?.differences ?? []).map((one) => ({ ...one, path }))
  if (imported?.isComplete === true) {
    const refusal = isDropped(imported, known) ? toDropped(path, known.droppedBefore) : undefined
    return { ...nothingFound, isVerified, imported, differences, refusal }
  }
  let compared = nothingCompared
  const file = yield* checkFile(
    path,
    identity,
    expected,
    Effect.fnUntraced(function* ({ row, trades }) {
      const found = yield* known.compare(trades)
      compared = { again: compared.again + found.again, ...addDifferences(compared, found) }
      yield* onRow(row)
    })
  )
  const refusal = findOtherMarket(path, compared, "")
  return { isVerified, rows: file.rows, imported, differences, file: refusal === undefined ? file : undefined, refusal }
})

const getSpan = ({ file, imported }: Finding): SequenceRange | undefined => {
  if (file !== undefined) return file.ids
  const { firstId = null, lastId = null } = imported ?? {}
  return firstId === null || lastId === null ? undefined : { from: firstId, to: lastId }
}

const toCheckedFiles = (findings: ReadonlyArray<Finding>): CheckedFiles => ({
  files: findings
    .flatMap(({ file, imported }) => (file === undefined ? [] : [{ file, done: imported?.rows ?? 0 }]))
    .toSorted((one, other) => (one.file.ids?.from ?? 0) - (other.file.ids?.from ?? 0)),
  complete: findings.filter(({ imported }) => imported?.isComplete === true).length,
  verified: findings.filter(({ isVerified }) => isVerified).length,
  spans: findings.flatMap((finding) => getSpan(finding) ?? []),
  different: findings.reduce((sum, { imported }) => sum + (imported?.different ?? 0), 0),
  differences: findings.flatMap(({ differences }) => differences)
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
  const findings: Array<Finding> = []
  let rows = 0
  yield* progress.begin({ since: 0, until: paths.length, position: 0, rows, unit: "rows checked" })
  for (const [index, path] of paths.entries()) {
    const before = rows
    const finding = yield* examineFile(path, seen, expected, known, (row) =>
      progress.advance(index, before + row)
    ).pipe(Effect.catchTag("DumpError", (refusal) => Effect.succeed({ ...nothingFound, refusal })))
    findings.push(finding)
    rows += finding.rows
    yield* progress.advance(index + 1, rows)
  }
  const checked = toCheckedFiles(findings)
  const files = checked.files.map(({ file }) => file)
  const refusals = [
    ...findings.map(({ refusal }) => refusal),
    ...files.flatMap((file) => findRetention(file, known, retentionDays, expected.now)),
    findMisfit(files, known.coverage)
  ].filter((refusal) => refusal !== undefined)
  return refusals.length > 0 ? yield* toRefusal(refusals) : checked
})
