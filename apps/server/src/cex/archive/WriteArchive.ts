import { Clock, DateTime, Effect, FileSystem, Option, Path } from "effect"
import { replaceFile } from "../../internal/files/replaceFile.ts"
import type { Interval, Series } from "../tape/Tape.ts"
import { Tape, TapeReads } from "../tape/Tape.ts"
import { ArchiveError } from "./ArchiveError.ts"
import type { ArchiveDay, ArchiveManifest } from "./ArchiveManifest.ts"
import { encodeManifest, isComplete, manifestName, toChain } from "./ArchiveManifest.ts"
import { openDayFile } from "./DayFile.ts"
import { readManifest } from "./ReadArchive.ts"

const dayMs = 86_400_000

/** Late trades of a day have arrived by then. */
const settledMs = 600_000

/** Trades per read, and per row group of a file. */
const rowsAtOnce = 25_000

export interface ArchiveRequest {
  readonly exchange: string
  /** `BASE/QUOTE`. */
  readonly market: string
  /** It is the directory of this market alone. */
  readonly directory: string
}

/** What was done. */
export interface ArchiveReport {
  readonly manifest: ArchiveManifest
  /** Of this run: new days, and days whose gaps have changed since. */
  readonly written: ReadonlyArray<ArchiveDay>
  /** Days that are not complete, or not known to be. */
  readonly incomplete: number
}

type Day = Omit<ArchiveDay, "chain">

const toName = (start: number) => DateTime.formatIsoDateUtc(DateTime.makeUnsafe(start))

/** The runs of a day. */
const toRuns = (coverage: ReadonlyArray<Interval>, start: number): ArchiveDay["runs"] => {
  const end = start + dayMs
  return coverage
    .filter(({ fromTime, toTime }) => fromTime < end && toTime >= start)
    .map(({ from, fromTime, to, toTime }) => [fromTime < start ? null : from, toTime >= end ? null : to] as const)
}

/** The starts of the days that are over: a later trade is recorded, and late ones have arrived. */
const closedDays = ({ coverage }: Series, now: number): ReadonlyArray<number> => {
  const first = Math.min(...coverage.map(({ fromTime }) => fromTime))
  const last = Math.min(Math.max(...coverage.map(({ toTime }) => toTime)), now - settledMs)
  const starts: Array<number> = []
  for (let start = Math.floor(first / dayMs) * dayMs; start + dayMs <= last; start += dayMs) starts.push(start)
  return starts
}

/** Writes the trades of a day; undefined if it has none. */
const writeDay = Effect.fnUntraced(function* (request: ArchiveRequest, series: Series, start: number) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const reads = yield* TapeReads
  const file = `${toName(start)}.parquet`
  const target = path.join(request.directory, file)
  let [rows, from, to] = [0, Number.POSITIVE_INFINITY, 0]
  const read = Effect.gen(function* () {
    const out = yield* openDayFile(`${target}.part`, request)
    let since = start
    let known: ReadonlySet<number> = new Set()
    for (;;) {
      const page = yield* reads.since(series.id, since, rowsAtOnce)
      const fresh = page.filter(({ sequence, timestamp }) => timestamp < start + dayMs && !known.has(sequence))
      const last = page.at(-1)
      if (fresh.length > 0) yield* out.append(fresh)
      rows += fresh.length
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
    return yield* out.finish
  })
  const written = yield* Effect.scoped(read).pipe(Effect.onError(() => Effect.ignore(files.remove(`${target}.part`))))
  const runs = toRuns(series.coverage, start)
  const now = yield* (yield* Tape).find(request.exchange, request.market)
  if (Option.isNone(now) || JSON.stringify(toRuns(now.value.coverage, start)) !== JSON.stringify(runs)) {
    yield* files.remove(`${target}.part`)
    const message = `The trades of ${toName(start)} changed while they were read: give the command again.`
    return yield* new ArchiveError({ message })
  }
  if (rows === 0) {
    yield* files.remove(`${target}.part`)
    return undefined
  }
  yield* files.rename(`${target}.part`, target)
  return { day: toName(start), file, ...written, rows, from, to, runs } satisfies Day
})

/** Whether a day is as it was written. Retention may have dropped the day before since: that takes nothing from this one. */
const isSame = (written: ArchiveDay["runs"], [first, ...others]: ArchiveDay["runs"]): boolean => {
  if (first === undefined) return true
  const start = written[0]?.[0] === null ? null : first[0]
  return JSON.stringify(written) === JSON.stringify([[start, first[1]], ...others])
}

/**
 * Writes the closed days of a recorded market that an archive lacks, and those whose gaps have changed since. The manifest
 * is written after each day, so that an interrupted run loses none that is complete.
 */
export const writeArchive = Effect.fn("writeArchive")(function* (
  request: ArchiveRequest,
  onDay: (done: number, days: number) => Effect.Effect<void>
) {
  const { directory, exchange, market } = request
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const found = yield* (yield* Tape).find(exchange, market)
  if (Option.isNone(found) || found.value.coverage.length === 0) {
    const message = `No trade of ${market} on "${exchange}" is recorded here: check the names, and the store.`
    return yield* new ArchiveError({ message })
  }
  const series = found.value
  const { continuity, firstId } = series
  yield* files.makeDirectory(directory, { recursive: true })
  const before = yield* readManifest(directory)
  const head = { chaintapeArchive: 1, exchange, market, continuity, firstId } as const
  if (before !== undefined && (before.exchange !== exchange || before.market !== market)) {
    const message = `"${directory}" is the archive of ${before.market} on "${before.exchange}": give another directory.`
    return yield* new ArchiveError({ message })
  }
  const days = new Map<string, Day>(before?.days.map((day) => [day.day, day]))
  const written: Array<string> = []
  const save = Effect.fnUntraced(function* () {
    const ordered = [...days.values()].toSorted((one, other) => (one.day < other.day ? -1 : 1))
    const manifest: ArchiveManifest = { ...head, days: toChain(ordered) }
    yield* replaceFile(path.join(directory, manifestName), encodeManifest(manifest))
    const sums = ordered.map(({ file, sha256 }) => `${sha256}  ${file}\n`).join("")
    yield* replaceFile(path.join(directory, "SHA256SUMS"), sums)
    return manifest
  })
  const starts = closedDays(series, yield* Clock.currentTimeMillis)
  for (const [done, start] of starts.entries()) {
    yield* onDay(done, starts.length)
    const existing = days.get(toName(start))
    if (existing !== undefined && isSame(existing.runs, toRuns(series.coverage, start))) continue
    const day = yield* writeDay(request, series, start)
    if (day === undefined) continue
    days.set(day.day, day)
    written.push(day.day)
    yield* save()
  }
  const manifest = yield* save()
  return {
    manifest,
    written: manifest.days.filter(({ day }) => written.includes(day)),
    incomplete: manifest.days.filter((day) => !isComplete(manifest, day)).length
  } satisfies ArchiveReport
})
