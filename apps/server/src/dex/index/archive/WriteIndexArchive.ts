import { Effect, FileSystem, Path, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { ArchiveError } from "../../../archives/ArchiveError.ts"
import { archiveVersion } from "../../../archives/ArchiveFormat.ts"
import type { Entry } from "../../../archives/ArchiveFormat.ts"
import { checkSize } from "../../../archives/CheckSize.ts"
import { lockArchive } from "../../../archives/LockArchive.ts"
import { readManifest } from "../../../archives/ReadManifest.ts"
import { requireSameColumns } from "../../../archives/SameColumns.ts"
import { writeDays } from "../../../archives/WriteDays.ts"
import type { ClosedDay } from "../../../archives/WriteDays.ts"
import type { StoreError } from "../../../internal/StoreError.ts"
import { toDeploymentKey } from "../../Deployments.ts"
import { findClosedDays, findExtent, findHashes } from "./ClosedDays.ts"
import type { Extent, IndexDay, SettledDay } from "./ClosedDays.ts"
import { blocksFormat, dexTradesFormat } from "./IndexArchive.ts"
import type { IndexDetails, IndexFormat, IndexManifest } from "./IndexArchive.ts"
import { blockRows, dexTradeRows } from "./IndexRows.ts"
import type { RowsOfBlocks } from "./IndexRows.ts"

/** Rows per read, and per row group of a file. */
const rowsAtOnce = 10_000

export interface IndexArchiveRequest {
  /** Ids of the decentralized exchange and of its blockchain. */
  readonly exchange: string
  readonly blockchain: string
  /** It is the directory of this archive alone. */
  readonly directory: string
  /** Whether a day is written only once it is proven. */
  readonly isProofRequired: boolean
}

type OnDay = (done: number, days: number) => Effect.Effect<void>

/** All statements of `read` see the same state. */
const readInOneState = <A, E, R>(sql: SqlClient.SqlClient, read: Effect.Effect<A, E, R>) =>
  sql.withTransaction(Effect.andThen(sql`set transaction isolation level repeatable read`, read))

/** The rows of a day, and what its entry states of them. */
const toClosedDay = <Row>(
  sql: SqlClient.SqlClient,
  key: string,
  rows: RowsOfBlocks<Row>,
  one: IndexDay
): ClosedDay<IndexDetails, Row, ArchiveError | StoreError, never> => {
  const { day, from, hash, proven, to } = one
  return {
    day,
    isSame: (written) =>
      written.from === from && written.to === to && written.hash === hash && (written.proven || !proven),
    read: (append) =>
      readInOneState(
        sql,
        Effect.gen(function* () {
          const extent = yield* findExtent(sql, key)
          const [last] = extent === undefined ? [] : yield* findHashes(sql, extent, [to])
          if (extent === undefined || last?.hash !== hash || to > extent.finalized || (proven && to > extent.proven)) {
            const message = `The blocks of ${day} changed while they were read: give the command again.`
            return yield* new ArchiveError({ message })
          }
          let page: ReadonlyArray<Row> = []
          do {
            page = yield* rows.read(sql, { ...extent, from, to, limit: rowsAtOnce }, page.at(-1))
            if (page.length > 0) yield* append(page)
          } while (page.length === rowsAtOnce)
          return Struct.pick(one, ["from", "to", "hash", "proven"])
        })
      )
  }
}

/** The hashes of the blocks with which days of the archive end. Fails unless the index has such a block, and no other one. */
const requireSameChain = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  extent: Extent,
  directory: string,
  days: ReadonlyArray<IndexDetails>
) {
  if (days.length === 0) return []
  const stored = yield* findHashes(
    sql,
    extent,
    days.map(({ to }) => to)
  )
  const written = new Map(days.map(({ hash, to }) => [to, hash]))
  const other = stored.find(({ hash, number }) => written.get(number) !== hash)
  if (other === undefined && stored.length > 0) return stored
  const message =
    other === undefined
      ? `The index has none of the blocks with which the days of "${directory}" end, such as ${days.at(-1)?.to}: it is of ` +
        "another chain, or it has not reached them yet. Give another directory, or wait."
      : `"${directory}" is of another chain: its block ${other.number} is not the one of the index, "${other.hash}". Give another directory.`
  return yield* new ArchiveError({ message })
})

/** The last of the proven days before the first other one. */
const findSettled = (days: ReadonlyArray<SettledDay & IndexDetails>): SettledDay => {
  const unproven = days.findIndex(({ proven }) => !proven)
  return days.slice(0, unproven < 0 ? days.length : unproven).at(-1) ?? { day: "", to: -1 }
}

/** The settled days whose file is not whole, and whose blocks the index has up to the last one. */
const findDamaged = (
  { finalized, proven }: Extent,
  ends: ReadonlyArray<{ readonly number: number }>,
  directory: string,
  settled: IndexManifest["days"]
) => {
  const present = new Set(ends.map(({ number }) => number))
  return Effect.filter(
    settled.filter(({ to }) => present.has(to) && to <= Math.min(finalized, proven)),
    (day) => Effect.map(checkSize(directory, day), (found) => found !== undefined)
  )
}

/**
 * The days of an archive without those of which the index has no block now: an index that is built again may have read other
 * ranges, so that a day without a trade has none.
 */
const withoutAbsent = <D extends SettledDay>(
  existing: ReadonlyArray<D>,
  settled: SettledDay,
  closed: ReadonlyArray<IndexDay>
): ReadonlyArray<D> => {
  const last = closed.at(-1)?.day ?? ""
  const present = new Set(closed.map(({ day }) => day))
  return existing.filter(({ day }) => day <= settled.day || day > last || present.has(day))
}

/**
 * Queries read every file of the directory: one of a day that was left out would double the rows of the next day. It is removed
 * before the manifest lacks it: after a crash in between, the manifest states it, and the next run leaves it out.
 */
const removeLeftOut = Effect.fnUntraced(function* (
  directory: string,
  before: ReadonlyArray<Entry>,
  now: ReadonlyArray<Entry>
) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const present = new Set(now.map(({ file }) => file))
  const leftOut = before.filter(({ file }) => !present.has(file))
  yield* Effect.forEach(leftOut, ({ file }) => files.remove(path.join(directory, path.basename(file)), { force: true }))
})

/**
 * Writes the closed days of an index that an archive lacks, and those that are proven since. The rows of days of an archive that
 * are proven never change.
 */
const writeIndexArchive = Effect.fnUntraced(function* <Row>(
  format: IndexFormat,
  rows: RowsOfBlocks<Row>,
  { blockchain, directory, exchange, isProofRequired }: IndexArchiveRequest,
  onDay: OnDay
) {
  const sql = yield* SqlClient.SqlClient
  const { kind } = format
  const key = toDeploymentKey(exchange, blockchain)
  const extent = yield* findExtent(sql, key)
  if (extent === undefined) {
    const message = `No index of ${exchange} on ${blockchain} is stored here: check the names, and the store.`
    return yield* new ArchiveError({ message })
  }
  yield* lockArchive(directory)
  const before = yield* readManifest(format, directory)
  if (before !== undefined && (before.exchange !== exchange || before.blockchain !== blockchain)) {
    const message = `"${directory}" is the archive of ${before.exchange} on ${before.blockchain}: give another directory.`
    return yield* new ArchiveError({ message })
  }
  const existing = before?.days ?? []
  yield* requireSameColumns(directory, existing, rows.columns)
  const ends = yield* requireSameChain(sql, extent, directory, existing)
  const settled = findSettled(existing)
  const isSettled = ({ day }: SettledDay) => day <= settled.day
  const damaged = yield* findDamaged(extent, ends, directory, existing.filter(isSettled))
  const days = yield* findClosedDays(sql, extent, { settled, isProofRequired })
  const head = { chaintapeArchive: archiveVersion, kind, exchange, blockchain } as const
  const metadata = { [`chaintape.${kind}`]: "1", exchange, blockchain }
  const remaining = withoutAbsent(existing, settled, days)
  yield* removeLeftOut(directory, existing, remaining)
  const report = yield* writeDays(
    {
      directory,
      format,
      columns: rows.columns,
      metadata,
      head,
      toManifest: (written) => ({ ...head, days: written }),
      isEmptyWritten: true,
      days: remaining
    },
    [...damaged, ...days].map((day) => toClosedDay(sql, key, rows, day)),
    onDay
  )
  return { ...report, extent }
}, Effect.scoped)

/** Writes an archive of each kind of rows. */
export const writers = {
  trades: Effect.fn("WriteIndexArchive.writeTrades")((request: IndexArchiveRequest, onDay: OnDay) =>
    writeIndexArchive(dexTradesFormat, dexTradeRows, request, onDay)
  ),
  blocks: Effect.fn("WriteIndexArchive.writeBlocks")((request: IndexArchiveRequest, onDay: OnDay) =>
    writeIndexArchive(blocksFormat, blockRows, request, onDay)
  )
}
