import { Clock, Effect, Option } from "effect"
import { monotonicMillis } from "../../internal/monotonic.ts"
import type { StoreError } from "../../internal/StoreError.ts"
import { Gap, toEventWriter } from "../../live/LiveEvents.ts"
import type { LiveEvent, LiveReader } from "../../live/LiveFeed.ts"
import { LiveError } from "../../live/LiveFeed.ts"
import { tradeJson } from "../CexJson.ts"
import { contains, getInterval } from "../tape/ledger/Coverage.ts"
import type { Interval, SequenceRange, Series, TapeReads, TapeTrade } from "../tape/Tape.ts"
import { beforeTrade, afterTrade, toCursor } from "./TradeCursor.ts"
import type { TradePosition } from "./TradeCursor.ts"

/** The operations of one market's tape that a stream needs. */
export interface FollowedTape extends Pick<TapeReads["Service"], "since" | "find" | "isUnfillable"> {
  /** `exchange BASE/QUOTE`, for messages. */
  readonly name: string
  /** None until the first trade is recorded. */
  readonly series: Effect.Effect<Option.Option<Series>, StoreError>
}

/** How long a gap may be backfilled before it is emitted. */
const gapDelayMs = 2000

/**
 * How far times may decrease along the sequences; tried in turn, because each reads more of the tape. Where they decrease further,
 * each trade is searched by its sequence.
 */
const disorders = [50, 2000, 60_000]

/** A trade is searched so far before and after the one before it. */
const searchedMs = 3_600_000

/** Reads overlap by as much as times may decrease. */
const minRows = 64

/** A read never takes more: trades that are missing are not in the rest of the tape. */
const maxRows = 32_768

/** Trades that are scanned for the first one since a time. */
const rowsForTime = 1000

/** The log has the text of the store's error, a response does not. */
export const toLiveError = (name: string) => (cause: StoreError) =>
  new LiveError({ message: `The tape of ${name} cannot be read at the moment.`, cause })

const tradeEvent = (trade: TapeTrade): LiveEvent => ({
  name: "trade",
  cursor: toCursor(afterTrade(trade.sequence, trade.timestamp)),
  data: tradeJson(trade)
})

type SequencePosition = Extract<TradePosition, { kind: "sequence" }>

/** From trades in any order, the consecutive ones starting at `from`, up to `to`. */
const findRun = (trades: ReadonlyArray<TapeTrade>, { from, to }: SequenceRange): ReadonlyArray<TapeTrade> => {
  const wanted = trades
    .filter(({ sequence }) => sequence >= from && sequence <= to)
    .sort((one, other) => one.sequence - other.sequence)
  const end = wanted.findIndex(({ sequence }, at) => sequence !== from + at)
  return end < 0 ? wanted : wanted.slice(0, end)
}

interface ReaderState {
  readonly position: TradePosition
  /** The version of the series at which nothing followed the position. */
  readonly endVersion?: number
  /** The gap that may still be backfilled: its first sequence, and since when. */
  readonly waiting?: { readonly from: number; readonly since: number }
}

interface Step {
  readonly state: ReaderState
  readonly events: ReadonlyArray<LiveEvent>
  /** Whether nothing follows yet. */
  readonly isEnd: boolean
}

const writeGap = toEventWriter(Gap)

const endAt = (state: ReaderState): Step => ({ state, events: [], isEnd: true })

const moveTo = (state: ReaderState, position: TradePosition, events: ReadonlyArray<LiveEvent> = []): Step => ({
  state: { ...state, position },
  events,
  isEnd: false
})

const gapStep = (from: ReaderState, position: TradePosition, gap: typeof Gap.Type): Step =>
  moveTo(from, position, [{ name: "gap", cursor: toCursor(position), data: writeGap(gap) }])

/** To the position before the first trade at or after a time, while there is one. */
const stepToTime = (state: ReaderState, series: Series, trades: ReadonlyArray<TapeTrade>, time: number): Step => {
  const [first] = trades.toSorted((one, other) => one.sequence - other.sequence)
  const interval = first === undefined ? undefined : getInterval(series.coverage, first.sequence)
  if (first === undefined || interval === undefined) return endAt(state)
  const position = beforeTrade(first.sequence, first.timestamp)
  if (interval.from < first.sequence || first.sequence === series.firstId) return moveTo(state, position)
  const before = series.coverage[series.coverage.indexOf(interval) - 1]
  // Read first: trades missing in this read may be present when the gap is examined.
  if (before !== undefined) return moveTo(state, afterTrade(before.to, before.toTime))
  return gapStep(state, position, { fromTime: time, toTime: first.timestamp, missing: null, state: "unfillable" })
}

/** Retention may delete trades after the coverage is read. */
const isCovered = (tape: FollowedTape, id: number, sequence: number) =>
  Effect.map(
    tape.series,
    Option.exists((series) => series.id === id && contains(series.coverage, sequence))
  )

/**
 * Times may decrease along the sequences: if the first trade is not found, more is read, and at last only this one. None
 * if the tape no longer has it.
 */
const readRun = Effect.fnUntraced(function* (tape: FollowedTape, series: number, range: SequenceRange, time: number) {
  const { from, to } = range
  let isHeld = false
  for (const disorder of disorders) {
    for (let rows = Math.max(minRows, 2 * (to - from + 1)); rows <= maxRows; rows *= 8) {
      const trades = yield* tape.since(series, Math.max(0, time - disorder), rows)
      const run = findRun(trades, range)
      if (run.length > 0) return run
      isHeld ||= yield* isCovered(tape, series, from)
      if (!isHeld) return []
      if (trades.length < rows) break
    }
  }
  const first = yield* tape.find(series, from, { from: Math.max(0, time - searchedMs), to: time + searchedMs })
  if (Option.isSome(first)) return [first.value]
  const message = `The tape of ${tape.name} lacks the trade ${from}, which it should hold at about ${time}.`
  return yield* new LiveError({ message })
})

/** Past the gap between a position and an interval, once it cannot be backfilled or has been open for long. */
const stepPastGap = Effect.fnUntraced(function* (
  tape: FollowedTape,
  state: ReaderState,
  series: Series,
  before: SequencePosition,
  next: Interval
) {
  const afterGap = beforeTrade(next.from, next.fromTime)
  const from = before.sequence + 1
  const isSequence = series.continuity === "sequence"
  const gap = { fromTime: before.time, toTime: next.fromTime, missing: isSequence ? next.from - from : null }
  // Trades that retention dropped or that arrived without overlap cannot be backfilled.
  if (next === series.coverage[0] || !isSequence || (yield* tape.isUnfillable(series.id, next.from - 1))) {
    return gapStep(state, afterGap, { ...gap, state: "unfillable" })
  }
  const now = yield* Clock.currentTimeMillis
  const elapsed = yield* monotonicMillis
  const waiting = state.waiting?.from === from ? state.waiting : { from, since: elapsed }
  const isDue = elapsed - waiting.since >= gapDelayMs || now - next.fromTime >= 10 * gapDelayMs
  return isDue ? gapStep({ ...state, waiting }, afterGap, { ...gap, state: "open" }) : endAt({ ...state, waiting })
})

/** The next step, of at most `max` trades. */
const readStep = Effect.fnUntraced(function* (
  tape: FollowedTape,
  state: ReaderState,
  max: number
): Effect.fn.Return<Step, StoreError | LiveError> {
  const { position } = state
  const series = Option.getOrUndefined(yield* tape.series)
  if (series === undefined || series.version === state.endVersion) return endAt(state)
  if (position.kind === "time") {
    return stepToTime(state, series, yield* tape.since(series.id, position.time, rowsForTime), position.time)
  }
  const from = position.sequence + 1
  const next = series.coverage.find(({ to }) => to >= from)
  if (next === undefined) return endAt({ ...state, endVersion: series.version })
  if (next.from > from) return yield* stepPastGap(tape, state, series, position, next)
  const trades = yield* readRun(tape, series.id, { from, to: Math.min(next.to, from + max - 1) }, position.time)
  const last = trades.at(-1)
  if (last === undefined) return moveTo(state, position)
  const step = moveTo(state, afterTrade(last.sequence, last.timestamp), trades.map(tradeEvent))
  const isEnd = last.sequence === series.coverage.at(-1)?.to
  return isEnd ? { ...step, state: { ...step.state, endVersion: series.version }, isEnd } : step
})

/** Reads the trades of a tape in sequence order, and emits its gaps. */
export const makeTradeReader = (tape: FollowedTape, start: TradePosition): LiveReader => {
  let state: ReaderState = { position: start }
  return {
    cursor: () => toCursor(state.position),
    next: Effect.fnUntraced(
      function* (max) {
        const events: Array<LiveEvent> = []
        // A step may emit nothing and lead to one that does.
        while (events.length < max) {
          const step: Step = yield* Effect.catchCause(readStep(tape, state, max - events.length), (cause) =>
            // Trades read so far are emitted first.
            events.length > 0 ? Effect.succeed(endAt(state)) : Effect.failCause(cause)
          )
          state = step.state
          for (const event of step.events) events.push(event)
          if (step.isEnd) break
        }
        return events
      },
      Effect.mapError((error) => (error instanceof LiveError ? error : toLiveError(tape.name)(error)))
    )
  }
}
