import { Clock, Effect, Result, Semaphore } from "effect"
import { backoffMs } from "../../../internal/backoff.ts"
import type { Lease, LeaseLost } from "../../../ownership/Lease.ts"
import { toResult } from "../../../ownership/StepFailure.ts"
import type { Failure } from "../../../ownership/StepFailure.ts"
import type { Continuity } from "../../TradeFlow.ts"
import type { Arrival, TradesArrival } from "../ledger/Arrival.ts"
import { isTrades } from "../ledger/Arrival.ts"
import { newest } from "../ledger/Coverage.ts"
import type { Conflict, Ledger, Plan } from "../ledger/Ledger.ts"
import { makeOverlapLedger, rememberedOfOverlap } from "../ledger/OverlapLedger.ts"
import { toFingerprint } from "../ledger/RecentTradeFingerprints.ts"
import { makeSequenceLedger, rememberedOfSequence } from "../ledger/SequenceLedger.ts"
import type { Series, TapeConflict, TapeError, TapeEvent } from "../Tape.ts"
import { Tape, TapeReads } from "../Tape.ts"
import type { Recording } from "./Recording.ts"

/** The single writer of a recording. */
export interface TapeWriter {
  /**
   * Returns when all of it is stored, after as many retries as needed, or when another instance takes the recording
   * over. Returns the number of new trades.
   */
  readonly write: (arrivals: ReadonlyArray<Arrival>) => Effect.Effect<number, LeaseLost, Lease>
  /** Whether the newest trades were dropped. */
  readonly hasLost: () => boolean
}

type WriteFailure = Failure<TapeError | TapeConflict | LeaseLost>

const backoff = { firstMs: 100, longestMs: 10_000 }
/** Failures in a row after which a trade that blocks the others is dropped. */
const maxFailures = 10
/** Conflict events per transaction. */
const maxConflicts = 20

const conflictEvent = (at: number, { kept, sequence, trade }: Conflict): TapeEvent => ({
  at,
  kind: "conflict",
  from: sequence,
  to: sequence,
  detail: `Trade "${trade.id}" came again as "${toFingerprint(trade)}": the first, "${kept}", is kept.`
})

const toEvents = (arrivals: ReadonlyArray<Arrival>, { conflicts, refused }: Plan, at: number) => [
  ...arrivals.flatMap((arrival) => (arrival.kind === "event" ? [arrival.event] : [])),
  ...conflicts.slice(0, maxConflicts).map((conflict) => conflictEvent(at, conflict)),
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

/** `onCommit` is called with the result of a transaction. */
export const makeTapeWriter = Effect.fnUntraced(function* (options: {
  readonly recording: Recording
  readonly continuity: Continuity
  readonly firstId: Series["firstId"]
  readonly onCommit: (plan: Plan, backfilled: number) => Effect.Effect<void>
  readonly onFailure: Effect.Effect<void>
}) {
  const { continuity, firstId, onCommit, onFailure, recording } = options
  const tape = yield* Tape
  const reads = yield* TapeReads
  const lock = yield* Semaphore.make(1)
  const isSequence = continuity === "sequence"
  const ledger: Ledger = isSequence ? makeSequenceLedger() : makeOverlapLedger()
  let series: Series | undefined
  let gaveUp = false

  /** Reads the stored state: at the start, and whenever it may differ from the state in memory. */
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
    recording.loaded(found.coverage)
    series = found
    return found
  })

  const attempt = Effect.fnUntraced(function* (
    arrivals: ReadonlyArray<Arrival>
  ): Effect.fn.Return<number, TapeError | TapeConflict | LeaseLost, Lease> {
    const { id, version } = yield* opened
    const trades = arrivals.filter(isTrades)
    const plan = ledger.plan(recording.state.coverage, trades, gaveUp)
    const events = toEvents(arrivals, plan, yield* Clock.currentTimeMillis)
    if (plan.trades.length > 0 || events.length > 0) {
      recording.begun(plan.coverage)
      const change = { version, trades: plan.trades, coverage: plan.coverage, events }
      const next = yield* recording.changes.write(tape.append(id, change))
      const { exchange, market } = recording
      series = { id, version: next, exchange, market, continuity, firstId, coverage: [] }
    }
    if (trades.length > 0) gaveUp = false
    const asked = new Set(
      trades.flatMap(({ from, trades }) => (from === "backfill" ? trades.map((trade) => trade.id) : []))
    )
    const backfilled = asked.size === 0 ? 0 : plan.trades.filter((trade) => asked.has(trade.id)).length
    recording.committed(plan, events, backfilled)
    ledger.commit(plan)
    yield* onCommit(plan, backfilled)
    return plan.trades.length
  })

  const failed = Effect.fnUntraced(function* ({ error, message }: WriteFailure, failures: number) {
    // Another writer was first: nothing failed, and the new state is read.
    if (error?._tag === "TapeConflict" && failures < maxFailures)
      return yield* Effect.sleep(yield* backoffMs(1, backoff))
    recording.failed("write", message)
    yield* onFailure
    yield* Effect.logWarning(`The tape of ${recording.exchange} ${recording.market} cannot be written: ${message}`)
    yield* Effect.sleep(yield* backoffMs(failures, backoff))
  })

  /** After a failure the stored state may differ from the state in memory. */
  const tried = (arrivals: ReadonlyArray<Arrival>) =>
    Effect.tap(toResult(attempt(arrivals)), (result) =>
      Effect.sync(() => {
        if (Result.isFailure(result)) series = undefined
      })
    )

  const write = Effect.fnUntraced(function* (arrivals: ReadonlyArray<Arrival>) {
    let failures = 0
    while (true) {
      const result = yield* tried(arrivals)
      if (Result.isSuccess(result)) {
        recording.succeeded("write")
        return result.success
      }
      failures++
      yield* failed(result.failure, failures)
      const trades = arrivals.filter(isTrades)
      if (failures % maxFailures > 0 || trades.length === 0) continue
      // The store may be healthy and reject only these trades: then all others can be written.
      const given = givenUp(trades, yield* Clock.currentTimeMillis, result.failure.message)
      const others = yield* tried([...arrivals.filter((one) => !isTrades(one)), given])
      if (Result.isFailure(others)) continue
      gaveUp = true
      recording.dropped(trades.reduce((sum, one) => sum + one.trades.length, 0))
      recording.succeeded("write")
      return 0
    }
  })

  const writer: TapeWriter = { write: (arrivals) => lock.withPermits(1)(write(arrivals)), hasLost: () => gaveUp }
  return writer
})
