import { Clock, Effect, Result, Semaphore } from "effect"
import { backoffMs } from "../../../internal/backoff.ts"
import { groupDigits } from "../../../internal/groupDigits.ts"
import type { StoreError } from "../../../internal/StoreError.ts"
import type { Lease, LeaseLostError } from "../../../ownership/Lease.ts"
import { toResult } from "../../../ownership/StepFailure.ts"
import type { Failure } from "../../../ownership/StepFailure.ts"
import type { Continuity } from "../../TradeFlow.ts"
import { newest } from "../ledger/Coverage.ts"
import { getSize, isTrades } from "../ledger/Ledger.ts"
import type { Arrival, Conflict, Ledger, LedgerPlan, TradesArrival } from "../ledger/Ledger.ts"
import { makeOverlapLedger, overlapFingerprints } from "../ledger/OverlapLedger.ts"
import { toFingerprint } from "../ledger/RecentTradeFingerprints.ts"
import { makeSequenceLedger, sequenceFingerprints } from "../ledger/SequenceLedger.ts"
import type { Series, TapeConflictError, TapeEvent } from "../Tape.ts"
import { Tape, TapeReads } from "../Tape.ts"
import type { Recording } from "./Recording.ts"

/** The single writer of a recording. */
export interface TapeWriter {
  /**
   * Returns when all of it is stored, after as many retries as needed, or when another instance takes the recording
   * over. Returns the number of new trades.
   */
  readonly write: (arrivals: ReadonlyArray<Arrival>) => Effect.Effect<number, LeaseLostError, Lease>
  /** Whether the newest trades were dropped. */
  readonly hasDroppedNewest: () => boolean
}

type WriteFailure = Failure<StoreError | TapeConflictError | LeaseLostError>

const backoff = { firstMs: 100, maxMs: 10_000 }
/** Failures in a row after which the trades of the transaction are discarded, because one of them may block all others. */
const maxFailures = 10
/** Conflict events per transaction. */
const maxConflicts = 20

const conflictEvent = (at: number, { sequence, stored, trade }: Conflict): TapeEvent => ({
  at,
  kind: "conflict",
  from: sequence,
  to: sequence,
  detail: `Trade "${trade.id}" came again as "${toFingerprint(trade)}": the first, "${stored}", is kept.`
})

const toEvents = (arrivals: ReadonlyArray<Arrival>, { conflicts, refused }: LedgerPlan, at: number) => [
  ...arrivals.flatMap((arrival) => (arrival.kind === "event" ? [arrival.event] : [])),
  ...conflicts.slice(0, maxConflicts).map((conflict) => conflictEvent(at, conflict)),
  ...(refused.length === 0 ? [] : [refusedEvent(refused, at)])
]

const refusedEvent = (refused: LedgerPlan["refused"], at: number): TapeEvent => ({
  at,
  kind: "dropped",
  detail: `${groupDigits(refused.length)} trades, the first with the id "${refused[0]?.id}", have no integer as their id, one far beyond all others, or a time far from that of the trades before and after them.`
})

/** The number of planned trades that a backfill requested. */
const countBackfilled = (plan: LedgerPlan, arrivals: ReadonlyArray<TradesArrival>): number => {
  const requested = new Set(
    arrivals.flatMap(({ from, trades }) => (from === "backfill" ? trades.map(({ id }) => id) : []))
  )
  return requested.size === 0 ? 0 : plan.trades.filter(({ id }) => requested.has(id)).length
}

interface WriterOptions {
  readonly recording: Recording
  readonly continuity: Continuity
  readonly firstId: Series["firstId"]
  /** Runs after each write. */
  readonly announce: Effect.Effect<void>
  /** Called with the result of a transaction. */
  readonly onCommit: (plan: LedgerPlan, backfilled: number) => Effect.Effect<void>
  readonly onFailure: Effect.Effect<void>
}

/** Makes an effect that tries once to store arrivals, and returns the number of new trades. */
const makeAttempt = Effect.fnUntraced(function* (options: WriterOptions) {
  const { announce, continuity, firstId, onCommit, recording } = options
  const tape = yield* Tape
  const reads = yield* TapeReads
  const isSequence = continuity === "sequence"
  const remembered = isSequence ? sequenceFingerprints : overlapFingerprints
  const ledger: Ledger = isSequence ? makeSequenceLedger() : makeOverlapLedger()
  /** The version of the store that the ledger continues; undefined if the store may have another one. */
  let current: Pick<Series, "id" | "version"> | undefined

  /** Reads the stored state: at the start, and after every failure. */
  const load = Effect.gen(function* () {
    const { coverage, id, version } = yield* tape.open(recording.exchange, recording.market, continuity, firstId)
    const [first] = coverage
    const last = newest(coverage)
    if (first === undefined || last === undefined) ledger.resume([], [])
    else {
      const all = yield* reads.latest(id, { from: first.from, to: last.to }, remembered)
      ledger.resume(all, isSequence ? [] : yield* reads.latest(id, last, remembered))
    }
    recording.load(coverage)
    return { id, version }
  })

  const forget = Effect.sync(() => {
    current = undefined
  })

  return Effect.fnUntraced(
    function* (
      arrivals: ReadonlyArray<Arrival>,
      isAfterLoss: boolean
    ): Effect.fn.Return<number, StoreError | TapeConflictError | LeaseLostError, Lease> {
      current ??= yield* load
      const { id, version } = current
      const trades = arrivals.filter(isTrades)
      const plan = ledger.plan(recording.state.coverage, trades, isAfterLoss)
      const events = toEvents(arrivals, plan, yield* Clock.currentTimeMillis)
      if (plan.trades.length > 0 || events.length > 0) {
        const append = tape.append(id, { version, trades: plan.trades, coverage: plan.coverage, events })
        const announced = Effect.tap(append, () => announce)
        current = { id, version: yield* recording.transact(plan.coverage, announced) }
      }
      const backfilled = countBackfilled(plan, trades)
      recording.commit(plan, events, backfilled)
      ledger.commit(plan)
      yield* onCommit(plan, backfilled)
      return plan.trades.length
    },
    Effect.onError(() => forget),
    toResult
  )
})

export const makeTapeWriter = Effect.fnUntraced(function* (options: WriterOptions) {
  const { onFailure, recording } = options
  const attempt = yield* makeAttempt(options)
  const lock = yield* Semaphore.make(1)
  let hasDroppedNewest = false

  /** Reports a failure, and waits before the next try. */
  const reportFailure = Effect.fnUntraced(function* ({ error, message }: WriteFailure, failures: number) {
    // Another writer was first: nothing failed, and the new state is read.
    if (error?._tag === "TapeConflictError" && failures < maxFailures)
      return yield* Effect.sleep(yield* backoffMs(1, backoff))
    recording.setFailure("write", message)
    yield* onFailure
    yield* Effect.logWarning(`The tape of ${recording.exchange} ${recording.market} cannot be written: ${message}`)
    yield* Effect.sleep(yield* backoffMs(failures, backoff))
  })

  /** Stores all but the trades: the store may be healthy and refuse only these. Returns whether that succeeded. */
  const giveUp = Effect.fnUntraced(function* (arrivals: ReadonlyArray<Arrival>, message: string) {
    const lost = arrivals.reduce((sum, arrival) => sum + getSize(arrival), 0)
    const detail = `${groupDigits(lost)} trades were discarded, because the store rejected them: ${message}`
    const event: TapeEvent = { at: yield* Clock.currentTimeMillis, kind: "dropped", detail }
    const others = arrivals.filter((one) => !isTrades(one))
    const result = yield* attempt([...others, { kind: "event", event }], hasDroppedNewest)
    if (Result.isFailure(result)) return false
    recording.countDropped(lost)
    return true
  })

  const write = Effect.fnUntraced(function* (arrivals: ReadonlyArray<Arrival>) {
    const trades = arrivals.filter(isTrades)
    const hasNewest = trades.some(({ from, trades }) => from !== "backfill" && trades.length > 0)
    for (let failures = 1; ; failures++) {
      const result = yield* attempt(arrivals, hasDroppedNewest)
      if (Result.isSuccess(result)) {
        if (hasNewest) hasDroppedNewest = false
        recording.setFailure("write", undefined)
        return result.success
      }
      yield* reportFailure(result.failure, failures)
      if (trades.length === 0 || failures % maxFailures > 0) continue
      // Another writer is faster: the store refuses nothing.
      if (result.failure.error?._tag === "TapeConflictError") continue
      if (!(yield* giveUp(arrivals, result.failure.message))) continue
      // Without trades of a backfill, their gap stays.
      if (hasNewest) hasDroppedNewest = true
      recording.setFailure("write", undefined)
      return 0
    }
  }, lock.withPermit)

  return { write, hasDroppedNewest: () => hasDroppedNewest } satisfies TapeWriter
})
