import { Cause, Clock, Effect, Exit, Semaphore } from "effect"
import { LeaseLost } from "../../ownership/Lease.ts"
import type { Lease } from "../../ownership/Lease.ts"
import type { Continuity } from "../TradeFlow.ts"
import type { Arrival, TradesArrival } from "./Arrival.ts"
import { isTrades } from "./Arrival.ts"
import { delayMs } from "./Backoff.ts"
import { contentOf } from "./Contents.ts"
import { newest } from "./Coverage.ts"
import { failureOf } from "./Failure.ts"
import type { Conflict, Ledger, Plan } from "./Ledger.ts"
import { makeOverlapLedger, rememberedOfOverlap } from "./OverlapLedger.ts"
import { gapsMadeBy, rememberEvents } from "./Recording.ts"
import type { Recording } from "./Recording.ts"
import { makeSequenceLedger, rememberedOfSequence } from "./SequenceLedger.ts"
import type { Series, TapeError, TapeEvent } from "./Tape.ts"
import { Tape, TapeConflict, TapeReads } from "./Tape.ts"

/** The one writer of a recording. */
export interface TapeWriter {
  /**
   * Ends when all of it is in the store, however often that takes, or when another instance records the market. Answers
   * with the number of new trades.
   */
  readonly write: (arrivals: ReadonlyArray<Arrival>) => Effect.Effect<number, LeaseLost, Lease>
  /** Whether the newest trades were given up. */
  readonly hasLost: () => boolean
}

const backoff = { firstMs: 100, longestMs: 10_000 }
/** Failures in a row after which trades that alone are in the way are given up. */
const patience = 10
/** Events of conflicts in one transaction. */
const mostConflicts = 20

const conflictEvent = (at: number, { kept, sequence, trade }: Conflict): TapeEvent => ({
  at,
  kind: "conflict",
  from: sequence,
  to: sequence,
  detail: `Trade "${trade.id}" came again as "${contentOf(trade)}": the first, "${kept}", is kept.`
})

const eventsOf = (arrivals: ReadonlyArray<Arrival>, { conflicts, refused }: Plan, at: number) => [
  ...arrivals.flatMap((arrival) => (arrival.kind === "event" ? [arrival.event] : [])),
  ...conflicts.slice(0, mostConflicts).map((conflict) => conflictEvent(at, conflict)),
  ...(refused.length === 0 ? [] : [refusedEvent(refused, at)])
]

const refusedEvent = (refused: Plan["refused"], at: number): TapeEvent => ({
  at,
  kind: "dropped",
  from: undefined,
  to: undefined,
  detail: `${refused.length} trades, the first with the id "${refused[0]?.id}", have no integer as their id, or one far beyond all others.`
})

const givenUp = (trades: ReadonlyArray<TradesArrival>, at: number, message: string): Arrival => ({
  kind: "event",
  event: {
    at,
    kind: "dropped",
    from: undefined,
    to: undefined,
    detail: `${trades.reduce((sum, one) => sum + one.trades.length, 0)} trades were given up: the store refuses them: ${message}`
  }
})

/**
 * `onCoverage` is called at once where the recording has another coverage, so that nobody sees one without what follows from
 * it; `onCommit` with what a transaction has made of the recording.
 */
export const makeTapeWriter = Effect.fnUntraced(function* (options: {
  readonly recording: Recording
  readonly continuity: Continuity
  readonly firstId: Series["firstId"]
  readonly onCoverage: () => void
  readonly onCommit: (plan: Plan, backfilled: number) => Effect.Effect<void>
  readonly onFailure: Effect.Effect<void>
}) {
  const { continuity, firstId, onCommit, onCoverage, onFailure, recording } = options
  const tape = yield* Tape
  const reads = yield* TapeReads
  const lock = yield* Semaphore.make(1)
  const isSequence = continuity === "sequence"
  const ledger: Ledger = isSequence ? makeSequenceLedger() : makeOverlapLedger()
  let series: Series | undefined
  let gaveUp = false

  /** What the store holds: at the start, and whenever it may be something else than what is known here. */
  const opened = Effect.gen(function* () {
    if (series !== undefined) return series
    const found = yield* tape.open(recording.exchange, recording.market, continuity, firstId)
    const [first] = found.coverage
    const last = newest(found.coverage)
    const remembered = isSequence ? rememberedOfSequence : rememberedOfOverlap
    if (first === undefined || last === undefined) ledger.resume([], [])
    else {
      const all = yield* reads.latest(found.id, { from: first.from, to: last.to }, remembered)
      ledger.resume(all, isSequence ? [] : yield* reads.latest(found.id, last, remembered))
    }
    recording.coverage = found.coverage
    recording.coming = []
    onCoverage()
    recording.changes += 2
    series = found
    return found
  })

  const attempt = Effect.fnUntraced(function* (
    arrivals: ReadonlyArray<Arrival>
  ): Effect.fn.Return<number, TapeError | TapeConflict | LeaseLost, Lease> {
    const { id, version } = yield* opened
    const trades = arrivals.filter(isTrades).map((one) => (gaveUp ? { ...one, afterLoss: true } : one))
    const plan = ledger.plan(recording.coverage, trades)
    const events = eventsOf(arrivals, plan, yield* Clock.currentTimeMillis)
    if (plan.trades.length > 0 || events.length > 0) {
      recording.coming = gapsMadeBy(recording.coverage, plan.coverage)
      const change = { version, trades: plan.trades, coverage: plan.coverage, events }
      // Whatever becomes of it: a transaction that failed here may have been committed there.
      const next = yield* Effect.acquireUseRelease(
        Effect.sync(() => void (recording.changes += 1)),
        () => tape.append(id, change),
        () => Effect.sync(() => void (recording.changes += 1))
      )
      const { exchange, market } = recording
      series = { id, version: next, exchange, market, continuity, firstId, coverage: [] }
    }
    if (trades.length > 0) gaveUp = false
    recording.coverage = plan.coverage
    recording.coming = []
    onCoverage()
    rememberEvents(recording, events)
    ledger.commit(plan)
    const asked = new Set(
      trades.flatMap(({ from, trades }) => (from === "backfill" ? trades.map((trade) => trade.id) : []))
    )
    yield* onCommit(plan, asked.size === 0 ? 0 : plan.trades.filter((trade) => asked.has(trade.id)).length)
    return plan.trades.length
  })

  const failed = Effect.fnUntraced(function* (
    cause: Cause.Cause<TapeError | TapeConflict | LeaseLost>,
    failures: number
  ) {
    series = undefined
    const { error, message } = failureOf(cause)
    if (error instanceof LeaseLost) return yield* error
    // Somebody else has written: nothing failed, and what they wrote is read again.
    if (error instanceof TapeConflict && failures < patience) return yield* Effect.sleep(yield* delayMs(1, backoff))
    recording.failures.write = message
    yield* onFailure
    yield* Effect.logWarning(`The tape of ${recording.exchange} ${recording.market} cannot be written: ${message}`)
    yield* Effect.sleep(yield* delayMs(failures, backoff))
  })

  const write = Effect.fnUntraced(function* (arrivals: ReadonlyArray<Arrival>) {
    let failures = 0
    while (true) {
      const exit = yield* Effect.exit(attempt(arrivals))
      if (Exit.isSuccess(exit)) {
        recording.failures.write = undefined
        return exit.value
      }
      if (Cause.hasInterruptsOnly(exit.cause)) return yield* Effect.interrupt
      failures++
      yield* failed(exit.cause, failures)
      const trades = arrivals.filter(isTrades)
      if (failures % patience > 0 || trades.length === 0) continue
      // The store may be well, and these trades what it refuses: then everything but them can be written.
      const given = givenUp(trades, yield* Clock.currentTimeMillis, failureOf(exit.cause).message)
      const others = yield* Effect.exit(attempt([...arrivals.filter((one) => !isTrades(one)), given]))
      if (Exit.isFailure(others)) continue
      gaveUp = true
      recording.dropped += trades.reduce((sum, one) => sum + one.trades.length, 0)
      recording.failures.write = undefined
      return 0
    }
  })

  const writer: TapeWriter = { write: (arrivals) => lock.withPermits(1)(write(arrivals)), hasLost: () => gaveUp }
  return writer
})
