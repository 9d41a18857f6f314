import { Context, Effect, Layer, Semaphore } from "effect"
import { SqlClient } from "effect/sql"
import { dayMs } from "../../../internal/day.ts"
import type { StoreError } from "../../../internal/StoreError.ts"
import type { SerializedRows } from "../../CexJson.ts"
import { readNearPage } from "../store/SqlTapeReads.ts"
import type { Interval, SequenceRange } from "../Tape.ts"
import { precedes, SegmentCache, segmentSize, takeLastRows, writeSegment } from "./SegmentCache.ts"
import type { Segment } from "./SegmentCache.ts"

/** Trades of a tape in serialized form, oldest first. */
export interface SerializedTrades {
  readonly parts: ReadonlyArray<SerializedRows>
  /** Unix milliseconds of the first and the last. */
  readonly fromTime: number
  readonly toTime: number
}

/** Segments per statement. */
const segmentsOfPage = 5

/** Pages per read: other users of the store wait for no more than these. */
const pagesAtOnce = 2

const maxBytes = 64 * 1024 * 1024

const furthest = Number.MAX_SAFE_INTEGER

/** The part of a run that lies in a segment, by the segment's number. */
const toBounds = ({ from, to }: SequenceRange, number: number): SequenceRange => ({
  from: Math.max(from, number * segmentSize),
  to: Math.min(to, number * segmentSize + segmentSize - 1)
})

const getNumber = (sequence: number): number => Math.floor(sequence / segmentSize)

/** The newest `limit` rows of segments, newest segment first. */
const getNewest = (segments: ReadonlyArray<Segment>, limit: number): SerializedTrades | undefined => {
  const parts: Array<SerializedRows> = []
  let left = limit
  let fromTime = 0
  for (const segment of segments) {
    const rows = Math.min(left, segment.ends.length)
    parts.push(takeLastRows(segment, rows))
    left -= rows
    fromTime = segment.times[segment.times.length - rows] ?? 0
  }
  const toTime = segments[0]?.last.timestamp
  return left > 0 || toTime === undefined ? undefined : { parts: parts.reverse(), fromTime, toTime }
}

/**
 * The tape in segments. The trades of a run do not change any more, so each segment is read and serialized once, and
 * cached while there is room.
 */
export class TapeSegments extends Context.Service<
  TapeSegments,
  {
    /**
     * The newest `limit` trades of a run of at least that many. Undefined if times decrease from segment to segment.
     */
    readonly newest: (
      series: number,
      run: Interval,
      limit: number
    ) => Effect.Effect<SerializedTrades | undefined, StoreError>
  }
>()("@chaintape/server/cex/tape/read/TapeSegments") {
  static readonly layer: Layer.Layer<TapeSegments, never, SqlClient.SqlClient> = Layer.effect(
    TapeSegments,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const turns = yield* Semaphore.make(pagesAtOnce)
      const cache = new SegmentCache(maxBytes)

      /** A caller of a segment that is being read waits for it instead of reading it again. */
      const reading = new Map<number, Semaphore.Semaphore>()
      const toReading = (series: number) => {
        const known = reading.get(series) ?? Semaphore.makeUnsafe(1)
        reading.set(series, known)
        return known
      }

      const getCached = (series: number, run: Interval, number: number) =>
        cache.get(series, number, toBounds(run, number))

      /** The segments `lowest` to `highest` of a run, newest first, if all of their trades are older than `newer`. */
      const readSegments = Effect.fnUntraced(function* (
        series: number,
        run: Interval,
        { from: lowest, to: highest }: SequenceRange,
        newer: Segment | undefined
      ) {
        const { from } = toBounds(run, lowest)
        const { to } = toBounds(run, highest)
        const { sequence, timestamp } = newer?.first ?? { timestamp: furthest, sequence: furthest }
        const bound = Math.min(run.toTime, timestamp) - dayMs
        const position = { direction: "backward", timestamp, sequence, bound } as const
        const page = readNearPage(sql, { series, ...position, from, to, rows: to - from + 1 })
        const rows = (yield* turns.withPermit(page)).toReversed()
        const found: Array<Segment> = []
        let end = rows.length
        for (let number = highest; number >= lowest; number--) {
          const { from, to } = toBounds(run, number)
          const segment = writeSegment(from, to, rows.slice(Math.max(0, end - (to - from + 1)), end))
          if (segment === undefined) return undefined
          end -= to - from + 1
          cache.put(series, number, segment)
          found.push(segment)
          yield* Effect.yieldNow
        }
        return found
      })

      const newest = Effect.fn("TapeSegments.newest")(function* (series: number, run: Interval, limit: number) {
        const lowest = getNumber(run.to - limit + 1)
        const segments: Array<Segment> = []
        const missing = (highest: number): SequenceRange => {
          let from = highest
          const end = Math.max(lowest, highest - segmentsOfPage + 1)
          while (from > end && getCached(series, run, from - 1) === undefined) from -= 1
          return { from, to: highest }
        }
        const readMissing = (highest: number) =>
          Effect.suspend(() => {
            const held = getCached(series, run, highest)
            return held === undefined
              ? readSegments(series, run, missing(highest), segments.at(-1))
              : Effect.succeed([held])
          }).pipe(toReading(series).withPermit)
        let number = getNumber(run.to)
        while (number >= lowest) {
          const held = getCached(series, run, number)
          const found: ReadonlyArray<Segment> | undefined = held === undefined ? yield* readMissing(number) : [held]
          if (found === undefined) return undefined
          for (const segment of found) {
            const newer = segments.at(-1)
            if (newer !== undefined && !precedes(segment, newer)) return undefined
            segments.push(segment)
          }
          number -= found.length
        }
        return getNewest(segments, limit)
      })

      return TapeSegments.of({ newest })
    })
  )
}
