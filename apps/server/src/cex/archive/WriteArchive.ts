import { Clock, Effect, Option } from "effect"
import { ArchiveError } from "../../archives/ArchiveError.ts"
import { archiveVersion } from "../../archives/ArchiveFormat.ts"
import { lockArchive } from "../../archives/LockArchive.ts"
import { readManifest } from "../../archives/ReadManifest.ts"
import { requireSameColumns } from "../../archives/SameColumns.ts"
import { writeDays } from "../../archives/WriteDays.ts"
import type { ClosedDay } from "../../archives/WriteDays.ts"
import { dayMs, toDate, toDayStart } from "../../internal/day.ts"
import type { ParquetColumn } from "../../internal/files/ParquetFile.ts"
import type { StoreError } from "../../internal/StoreError.ts"
import { maxDisorderMs } from "../tape/ledger/Coverage.ts"
import type { Interval, Series, TapeTrade } from "../tape/Tape.ts"
import { Tape, TapeReads } from "../tape/Tape.ts"
import { format, formatKey, tradesFormat } from "./TradesArchive.ts"
import type { TradesDetails } from "./TradesArchive.ts"

/** Trades per read, and per row group of a file. */
const rowsAtOnce = 25_000

/** Of the file of a day. Decimals are text, so that a reader has every digit. */
const columns: ReadonlyArray<ParquetColumn<TapeTrade>> = [
  { name: "id", type: "text", get: ({ id }) => id },
  { name: "sequence", type: "integer", get: ({ sequence }) => sequence },
  { name: "timestamp", type: "time", get: ({ timestamp }) => timestamp },
  { name: "price", type: "text", get: ({ price }) => price },
  { name: "size", type: "text", get: ({ size }) => size },
  { name: "cost", type: "text", get: ({ cost }) => cost },
  { name: "side", type: "text", get: ({ side }) => side },
  { name: "received_at", type: "time", get: ({ receivedAt }) => receivedAt }
]

export interface ArchiveRequest {
  readonly exchange: string
  /** `BASE/QUOTE`. */
  readonly market: string
  /** It is the directory of this market alone. */
  readonly directory: string
}

type Runs = TradesDetails["runs"]

/** The runs of a day. */
const toRuns = (coverage: ReadonlyArray<Interval>, start: number): Runs => {
  const end = start + dayMs
  return coverage
    .filter(({ fromTime, toTime }) => fromTime < end && toTime >= start)
    .map(({ from, fromTime, to, toTime }) => [fromTime < start ? null : from, toTime >= end ? null : to] as const)
}

/** The starts of the days that are over: a later trade is recorded, and late ones have arrived. */
const closedDays = ({ coverage }: Series, now: number): ReadonlyArray<number> => {
  const first = coverage.reduce((least, { fromTime }) => Math.min(least, fromTime), Number.POSITIVE_INFINITY)
  const newest = coverage.reduce((most, { toTime }) => Math.max(most, toTime), Number.NEGATIVE_INFINITY)
  const last = Math.min(newest, now - maxDisorderMs)
  const starts: Array<number> = []
  for (let start = toDayStart(first); start + dayMs <= last; start += dayMs) starts.push(start)
  return starts
}

/** Whether a day is as it was written. Retention may have dropped the day before since: that takes nothing from this one. */
const isSame = (written: Runs, [first, ...others]: Runs): boolean => {
  if (first === undefined) return true
  const start = written[0]?.[0] === null ? null : first[0]
  return JSON.stringify(written) === JSON.stringify([[start, first[1]], ...others])
}

/** The rows of a day, and what its entry states of them. */
const toClosedDay = (
  request: ArchiveRequest,
  series: Series,
  start: number
): ClosedDay<TradesDetails, TapeTrade, ArchiveError | StoreError, Tape | TapeReads> => {
  const runs = toRuns(series.coverage, start)
  const day = toDate(start)
  return {
    day,
    isSame: (written) => isSame(written.runs, runs),
    read: Effect.fnUntraced(function* (append) {
      const reads = yield* TapeReads
      let [from, to] = [Number.POSITIVE_INFINITY, 0]
      let since = start
      let known: ReadonlySet<number> = new Set()
      for (;;) {
        const page = yield* reads.since(series.id, since, rowsAtOnce)
        const fresh = page.filter(({ sequence, timestamp }) => timestamp < start + dayMs && !known.has(sequence))
        const last = page.at(-1)
        if (fresh.length > 0) yield* append(fresh)
        for (const { sequence } of fresh) {
          from = Math.min(from, sequence)
          to = Math.max(to, sequence)
        }
        if (last === undefined || page.length < rowsAtOnce || last.timestamp >= start + dayMs) break
        if (fresh.length === 0) {
          const message = `${rowsAtOnce} trades and more are of the same millisecond, ${last.timestamp}.`
          return yield* new ArchiveError({ message })
        }
        // The last millisecond is read again.
        since = last.timestamp
        known = new Set(page.filter(({ timestamp }) => timestamp === since).map(({ sequence }) => sequence))
      }
      const now = yield* (yield* Tape).find(request.exchange, request.market)
      if (Option.isNone(now) || JSON.stringify(toRuns(now.value.coverage, start)) !== JSON.stringify(runs)) {
        const message = `The trades of ${day} changed while they were read: give the command again.`
        return yield* new ArchiveError({ message })
      }
      return { from, to, runs }
    })
  }
}

/** Writes the closed days of a recorded market that an archive lacks, and those whose gaps have changed since. */
export const writeArchive = Effect.fn("WriteArchive.write")(function* (
  request: ArchiveRequest,
  onDay: (done: number, days: number) => Effect.Effect<void>
) {
  const { directory, exchange, market } = request
  const found = yield* (yield* Tape).find(exchange, market)
  if (Option.isNone(found) || found.value.coverage.length === 0) {
    const message = `No trade of ${market} on "${exchange}" is recorded here: check the names, and the store.`
    return yield* new ArchiveError({ message })
  }
  const series = found.value
  const { continuity, firstId } = series
  yield* lockArchive(directory)
  const before = yield* readManifest(tradesFormat, directory)
  if (before !== undefined && (before.exchange !== exchange || before.market !== market)) {
    const message = `"${directory}" is the archive of ${before.market} on "${before.exchange}": give another directory.`
    return yield* new ArchiveError({ message })
  }
  yield* requireSameColumns(directory, before?.days ?? [], columns)
  const head = { chaintapeArchive: archiveVersion, exchange, market, continuity, firstId } as const
  const starts = closedDays(series, yield* Clock.currentTimeMillis)
  return yield* writeDays(
    {
      directory,
      format: tradesFormat,
      columns,
      metadata: { [formatKey]: format, exchange, market },
      head,
      toManifest: (days) => ({ ...head, days }),
      isEmptyWritten: false,
      days: before?.days ?? []
    },
    starts.map((start) => toClosedDay(request, series, start)),
    onDay
  )
}, Effect.scoped)
