import { Clock, Effect, Queue } from "effect"
import { backoffMs, recoveryBackoff } from "../../../internal/backoff.ts"
import { groupDigits } from "../../../internal/groupDigits.ts"
import { monotonicMillis } from "../../../internal/monotonic.ts"
import type { Lease, LeaseLostError } from "../../../ownership/Lease.ts"
import { catchFailure } from "../../../ownership/StepFailure.ts"
import type { Failure } from "../../../ownership/StepFailure.ts"
import type { ExchangeHealth } from "../../ExchangeHealth.ts"
import type { SequencedTrade } from "../../ExchangeSource.ts"
import type { SequenceFlow } from "../../TradeFlow.ts"
import { contains } from "../ledger/Coverage.ts"
import { findEarliestDue, isUnfillable, findNextDue } from "../ledger/PendingGaps.ts"
import type { PendingGap } from "../ledger/PendingGaps.ts"
import type { SequenceRange, TapeEvent } from "../Tape.ts"
import type { Recording } from "./Recording.ts"
import type { TapeWriter } from "./TapeWriter.ts"

/** The page size of most exchanges. */
const pageSize = 1000
/** Trades that are requested at once and stored in one transaction. */
const maxTrades = 4 * pageSize

const event = (at: number, kind: TapeEvent["kind"], { from, to }: SequenceRange, detail: string) => ({
  kind: "event" as const,
  event: { at, kind, from, to, detail }
})

const missingText = (count: number) => `${groupDigits(count)} ${count === 1 ? "trade is" : "trades are"} missing.`
const readText = (count: number) => `${groupDigits(count)} missing ${count === 1 ? "trade was" : "trades were"} read.`

interface BackfillOptions {
  readonly flow: SequenceFlow
  readonly recording: Recording
  readonly health: ExchangeHealth
  readonly writer: TapeWriter
  /** Notifies that there may be new gaps. */
  readonly changed: Queue.Dequeue<void>
}

/** The newest part of a gap; all of a small one, with what else is missing on the same page. */
const getUpperPart = (pending: ReadonlyArray<PendingGap>, { from, to }: PendingGap): SequenceRange => {
  if (to - from >= pageSize) return { from: Math.max(from, to - maxTrades + 1), to }
  const start = Math.max(0, to - pageSize + 1)
  const lowest = pending.find((gap) => gap.to >= start)?.from ?? from
  return { from: Math.max(lowest, start), to }
}

/** The trades of a range that the exchange has and the tape lacks. */
const readRange = Effect.fnUntraced(function* (
  { flow, health, recording }: BackfillOptions,
  { from, to }: SequenceRange
) {
  const trades = yield* Effect.tapError(flow.range(from, to), health.failed)
  yield* health.succeeded
  return trades.filter(
    ({ sequence }) => sequence >= from && sequence <= to && !contains(recording.state.coverage, sequence)
  )
})

/** The trades of the upper part; those of the oldest part of a gap, if the exchange has none of its newest trades. */
const readPart = Effect.fnUntraced(function* (options: BackfillOptions, gap: PendingGap, upper: SequenceRange) {
  const trades = yield* readRange(options, upper)
  const { from, to } = gap
  if (from >= upper.from || trades.some(({ sequence }) => sequence >= from)) return trades
  return yield* readRange(options, { from, to: Math.min(to, from + pageSize - 1) })
})

/** Stores the trades of gaps, and records each filled gap once. */
const makeGapWriter = (writer: TapeWriter) => {
  let filled: (SequenceRange & { readonly trades: number }) | undefined
  return {
    store: Effect.fnUntraced(function* (trades: ReadonlyArray<SequencedTrade>) {
      const receivedAt = yield* Clock.currentTimeMillis
      const stored = yield* writer.write([{ kind: "trades", from: "backfill", trades, receivedAt, connection: 0 }])
      if (stored === 0) return
      const sequences = trades.map(({ sequence }) => sequence)
      filled = {
        from: Math.min(filled?.from ?? Number.POSITIVE_INFINITY, ...sequences),
        to: Math.max(filled?.to ?? 0, ...sequences),
        trades: (filled?.trades ?? 0) + stored
      }
    }),
    /** Whether a gap is far from the last filled gap: that one is done. */
    isFar: (gap: PendingGap): boolean =>
      filled !== undefined && (gap.to > filled.to || gap.to + pageSize < filled.from),
    /** Records a filled gap, once the work on it is done. */
    finish: Effect.gen(function* () {
      if (filled === undefined) return
      const done = filled
      filled = undefined
      yield* writer.write([event(yield* Clock.currentTimeMillis, "backfilled", done, readText(done.trades))])
    })
  }
}

/** Records the gaps of a part that outlived their grace period. */
const announce = Effect.fnUntraced(function* ({ recording, writer }: BackfillOptions, part: SequenceRange) {
  const found = recording.announceGaps(part, yield* monotonicMillis)
  if (found.length === 0) return
  const at = yield* Clock.currentTimeMillis
  yield* writer.write(found.map((gap) => event(at, "gap", gap, missingText(gap.to - gap.from + 1))))
})

/** Counts an attempt in which the exchange did not fill a gap. The attempt that makes it unfillable is recorded. */
const miss = Effect.fnUntraced(function* ({ recording, writer }: BackfillOptions, gap: PendingGap) {
  const after = recording.countMiss(gap, yield* monotonicMillis)
  if (isUnfillable(gap) || !isUnfillable(after)) return
  const detail = "The exchange does not return these trades. They are requested again, at least once an hour."
  yield* writer.write([event(yield* Clock.currentTimeMillis, "unfillable", gap, detail)])
})

/**
 * Closes the gaps of a market with consecutive ids, each from its newest trade down. The newest gap comes first; every
 * other turn goes to the oldest, which would otherwise starve while new ones appear. Ends with the lease.
 */
export const runBackfill = Effect.fnUntraced(function* (
  options: BackfillOptions
): Effect.fn.Return<never, LeaseLostError, Lease> {
  const { changed, recording, writer } = options
  const { finish, isFar, store } = makeGapWriter(writer)
  let failures = 0
  let turns = 0

  const close = Effect.fnUntraced(function* (gap: PendingGap) {
    if (isFar(gap)) yield* finish
    const upper = getUpperPart(recording.state.pendingGaps, gap)
    yield* announce(options, upper)
    const trades = yield* readPart(options, gap, upper)
    if (trades.length > 0) yield* store(trades)
    // A trade that the tape refuses fills nothing.
    const isStored = ({ sequence }: SequencedTrade) =>
      sequence >= gap.from && contains(recording.state.coverage, sequence)
    if (!trades.some(isStored)) yield* miss(options, gap)
  })

  const pause = Effect.fnUntraced(function* ({ message, retryAfterMs }: Failure<unknown>) {
    failures++
    recording.setFailure("backfill", message)
    yield* Effect.sleep(yield* backoffMs(failures, recoveryBackoff, retryAfterMs))
  })

  const recover = Effect.sync(() => {
    failures = 0
    recording.setFailure("backfill", undefined)
  })

  /** Waits until a gap is due, or the gaps change. */
  const wait = Effect.fnUntraced(function* (now: number) {
    const due = findEarliestDue(recording.state.pendingGaps)
    const change = Queue.take(changed)
    yield* due === undefined ? change : Effect.raceFirst(change, Effect.sleep(Math.max(due - now, 1)))
  })

  const step = Effect.gen(function* () {
    const now = yield* monotonicMillis
    turns++
    const gap = findNextDue(
      recording.state.pendingGaps,
      now,
      turns % 2 === 0 ? recording.state.coverage[0]?.from : undefined
    )
    if (gap === undefined) {
      yield* finish
      return yield* wait(now)
    }
    yield* catchFailure(Effect.tap(close(gap), recover), pause)
  })
  return yield* Effect.forever(step)
})
