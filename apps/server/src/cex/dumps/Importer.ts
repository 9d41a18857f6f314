import { Clock, Effect, Option, Schedule, Stream } from "effect"
import { SqlClient } from "effect/sql"
import type { StoreError } from "../../internal/StoreError.ts"
import { contains, gaps, maxDisorderMs, sortOut, withTrades } from "../tape/ledger/Coverage.ts"
import type { Coverage } from "../tape/ledger/Coverage.ts"
import { Tape, TapeConflictError } from "../tape/Tape.ts"
import type { Interval, Series, NewTrade } from "../tape/Tape.ts"
import { addDifferences, compareAgain, findOtherMarket, maxListed, nothingCompared, toEvent } from "./Differences.ts"
import type { Compared, Differences } from "./Differences.ts"
import { DumpError } from "./DumpError.ts"
import { streamTrades } from "./DumpFile.ts"
import type { DumpFile } from "./DumpFile.ts"
import type { DumpMarket } from "./DumpRows.ts"
import type { DumpBatch } from "./DumpTrades.ts"
import { findDroppedBefore, findImported, saveImported } from "./SqlImports.ts"
import type { ImportedFile, StoredDifference } from "./SqlImports.ts"

/** Trades per transaction. */
const rowsOfChange = 10_000

/** A trade of a file that is stored with other content. */
export interface Difference extends StoredDifference {
  readonly path: string
}

/** The progress of an import. */
export interface ImportCounts {
  added: number
  /** Trades that were stored before, or are in the files twice. */
  known: number
  different: number
  /** The first of them. */
  differences: ReadonlyArray<Difference>
}

/** Whether times grow with ids from one range to the other. */
const isOrdered = (one: Interval, other: Interval): boolean => {
  if (one.to < other.from) return one.toTime <= other.fromTime + maxDisorderMs
  if (other.to < one.from) return isOrdered(other, one)
  return one.fromTime <= other.toTime + maxDisorderMs && other.fromTime <= one.toTime + maxDisorderMs
}

/** Ids and times of other trades: of another market, or of ids that started over. */
export const findMisfit = (files: ReadonlyArray<DumpFile>, coverage: Coverage): DumpError | undefined => {
  const known: Array<Interval> = [...coverage]
  for (const { ids, path } of files) {
    if (ids === undefined) continue
    const other = known.find((range) => !isOrdered(range, ids))
    if (other !== undefined) {
      return new DumpError({
        message:
          `"${path}" cannot be imported: its ids ${ids.from} to ${ids.to} do not follow in time those of the tape or of another ` +
          `file, ${other.from} to ${other.to}. It is of another market or exchange.`
      })
    }
    known.push(ids)
  }
  return undefined
}

/** The state of the tape before an import. */
export interface KnownTape {
  readonly coverage: Coverage
  /** Compares trades of a file with the stored ones. */
  readonly compare: (trades: ReadonlyArray<NewTrade>) => Effect.Effect<Compared, StoreError>
  /** The end of the days that retention has dropped (Unix ms). */
  readonly droppedBefore: number
  readonly imported: ReadonlyMap<string, ImportedFile>
}

/** Undefined is a market without a tape. */
const readKnown = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  series: Series | undefined
): Effect.fn.Return<KnownTape, StoreError> {
  if (series === undefined) {
    return { coverage: [], compare: () => Effect.succeed(nothingCompared), droppedBefore: 0, imported: new Map() }
  }
  const { coverage, id } = series
  const isStored = ({ sequence }: NewTrade) => contains(coverage, sequence)
  return {
    coverage,
    compare: (trades) => compareAgain(sql, id, trades.filter(isStored), []),
    droppedBefore: yield* findDroppedBefore(sql, id),
    imported: yield* findImported(sql, id)
  }
})

const toImported = (file: DumpFile, rows: number, differences: Differences): ImportedFile => ({
  file: file.hash,
  rows,
  firstId: file.ids?.from ?? null,
  lastId: file.ids?.to ?? null,
  isComplete: rows === file.rows,
  ...differences
})

/** The tape of a market as an import writes it: its state is read again after another writer was first. */
const makeImportWriter = Effect.fnUntraced(function* (
  { exchange, market }: DumpMarket,
  firstId: number | null,
  counts: ImportCounts
) {
  const sql = yield* SqlClient.SqlClient
  const tape = yield* Tape
  const name = `${market.base}/${market.quote}`
  let series: Series | undefined

  const find = Effect.gen(function* () {
    const known = Option.getOrUndefined(yield* tape.find(exchange, name))
    if (known === undefined || known.continuity === "sequence" || known.coverage.length === 0) return known
    const message = `The tape of ${name} on ${exchange} has trades without consecutive ids, which files cannot join.`
    return yield* new DumpError({ message })
  })

  const open = Effect.gen(function* () {
    series ??= yield* Effect.flatMap(find, (known) => tape.open(exchange, name, "sequence", known?.firstId ?? firstId))
    return series
  })

  /** Writes trades that the series lacks, in one transaction. */
  const write = Effect.fnUntraced(function* (
    current: Series,
    fresh: ReadonlyArray<NewTrade>,
    differences: ReadonlyArray<StoredDifference>,
    imported: ImportedFile | undefined
  ) {
    const coverage = withTrades(current.coverage, fresh)
    const at = yield* Clock.currentTimeMillis
    const events = differences.map((difference) => toEvent(at, difference))
    const change = tape.append(current.id, { version: current.version, trades: fresh, coverage, events })
    const version = yield* sql.withTransaction(
      imported === undefined ? change : Effect.tap(change, () => saveImported(sql, current.id, imported))
    )
    series = { ...current, version, coverage }
    counts.added += fresh.length
  })

  /** Another writer may be first: then the new state is read, and the trades are compared with it. */
  const untilWritten = <A, E, R>(writing: Effect.Effect<A, E | TapeConflictError, R>) =>
    writing.pipe(
      Effect.tapErrorTag("TapeConflictError", () => Effect.sync(() => (series = undefined))),
      Effect.retry({ while: (error) => error instanceof TapeConflictError, schedule: Schedule.spaced("20 millis") })
    )

  return { find, open, write, untilWritten }
})

/** Writes files into the tape of a market, under the lease of the import. */
export const makeImporter = Effect.fnUntraced(function* (expected: DumpMarket, firstId: number | null) {
  const sql = yield* SqlClient.SqlClient
  const counts: ImportCounts = { added: 0, known: 0, different: 0, differences: [] }
  const { find, open, untilWritten, write } = yield* makeImportWriter(expected, firstId, counts)
  /** By the hash of a file. */
  const differencesOf = new Map<string, Differences>()

  const writeBatch = Effect.fnUntraced(function* (file: DumpFile, batch: DumpBatch) {
    const current = yield* open
    const { again, fresh } = sortOut(batch.trades, current.coverage)
    const compared = yield* compareAgain(sql, current.id, again, fresh)
    const misplaced = findOtherMarket(file.path, compared, ` up to row ${batch.row}`)
    if (misplaced !== undefined) return yield* misplaced
    const ofFile = addDifferences(differencesOf.get(file.hash) ?? nothingCompared, compared)
    yield* write(current, fresh, compared.differences, toImported(file, batch.row, ofFile))
    differencesOf.set(file.hash, ofFile)
    counts.known += compared.again - compared.different
    counts.different += compared.different
    const differences = compared.differences.map((one) => ({ ...one, path: file.path }))
    counts.differences = [...counts.differences, ...differences].slice(0, maxListed)
  })

  return {
    counts,
    known: Effect.gen(function* () {
      const known = yield* readKnown(sql, yield* find)
      for (const [hash, file] of known.imported) differencesOf.set(hash, file)
      return known
    }),
    /** The missing ids between stored trades, within these ids. */
    findGaps: (from: number, to: number) =>
      Effect.map(open, ({ coverage }) => gaps(coverage).filter((gap) => gap.from > from && gap.to < to)),
    /** Imports the rows of a file after the first `done`. `onRows` is called with the number of rows of each transaction. */
    importFile: Effect.fn("Importer.importFile")(function* (
      file: DumpFile,
      done: number,
      onRows: (rows: number) => Effect.Effect<void>
    ) {
      let reached = done
      const batches = streamTrades(file.path, expected, { rows: rowsOfChange, skip: done })
      // The next rows are read while the store writes.
      yield* Stream.runForEach(Stream.buffer(batches, { capacity: 1 }), (batch) => {
        const rows = batch.row - reached
        reached = batch.row
        return Effect.andThen(untilWritten(writeBatch(file, batch)), onRows(rows))
      })
    }),
    /** Stores trades of the exchange. */
    add: (trades: ReadonlyArray<NewTrade>) =>
      untilWritten(
        Effect.flatMap(open, (current) => write(current, sortOut(trades, current.coverage).fresh, [], undefined))
      )
  }
})

export type Importer = Effect.Success<ReturnType<typeof makeImporter>>
