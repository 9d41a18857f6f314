import { Clock, Effect, Metric, Option, Queue, Result } from "effect"
import { backoffMs, recoveryBackoff } from "../../../internal/backoff.ts"
import { monotonicMillis, toMonotonicMillis } from "../../../internal/monotonic.ts"
import type { Lease, LeaseLostError } from "../../../ownership/Lease.ts"
import { catchFailure, toResult } from "../../../ownership/StepFailure.ts"
import type { Failure, StepError } from "../../../ownership/StepFailure.ts"
import type { RecordingStatus } from "../../../status/RecordingStatuses.ts"
import type { ExchangeHealth } from "../../ExchangeHealth.ts"
import { ExchangeError, isUnsupported } from "../../ExchangeSource.ts"
import type { MarketName } from "../../ExchangeSource.ts"
import { TradeFlow } from "../../TradeFlow.ts"
import type { MarketFlow } from "../../TradeFlow.ts"
import { isTrades } from "../ledger/Ledger.ts"
import { Tape } from "../Tape.ts"
import type { TapeReads } from "../Tape.ts"
import { runBackfill } from "./Backfill.ts"
import { runConnection } from "./Connection.ts"
import { makeIntake } from "./Intake.ts"
import type { Intake } from "./Intake.ts"
import { Recording } from "./Recording.ts"
import { isUpToDate, toStatus } from "./RecordingState.ts"
import { makeTapeWriter } from "./TapeWriter.ts"
import type { TapeWriter } from "./TapeWriter.ts"

const stored = Metric.counter("chaintape_recorder_trades_total", {
  description: "Trades written to the tape",
  incremental: true
})
const backfilled = Metric.counter("chaintape_recorder_backfilled_total", {
  description: "Trades written to the tape that were asked for to close gaps",
  incremental: true
})
const disconnects = Metric.counter("chaintape_recorder_disconnects_total", {
  description: "Connections to exchanges that were lost",
  incremental: true
})
const failedWrites = Metric.counter("chaintape_recorder_failed_writes_total", {
  description: "Writes of the tape that failed and were tried again",
  incremental: true
})
const gaps = Metric.gauge("chaintape_recorder_gaps", { description: "Gaps in the tape at this moment" })
const waiting = Metric.gauge("chaintape_recorder_waiting", { description: "Trades that wait to be written" })

export interface RecorderOptions {
  readonly exchange: string
  readonly market: MarketName
  /** Milliseconds; older trades are not recorded. */
  readonly keepMs: number | undefined
  /** Runs after each write of the tape. */
  readonly announce: Effect.Effect<void>
  readonly health: ExchangeHealth
}

/** The recording of one market. */
export interface Recorder {
  /** Records until interrupted, or until another instance takes over. No other failure ends it. */
  readonly run: Effect.Effect<never, LeaseLostError, Lease | Tape | TapeReads | TradeFlow>
  readonly status: Effect.Effect<RecordingStatus>
  readonly isLive: Effect.Effect<boolean>
  /**
   * Opens a check whether the tape is current and was not written since. Undefined if it is not current, or is being
   * written.
   */
  readonly watchUnchanged: Effect.Effect<(() => boolean) | undefined>
}

/** Trades per transaction, and as many that wait meanwhile. */
const batchSize = 5000
/** How long trades are collected for a transaction. */
const batchTime = "50 millis"
/** An exchange may list a market later. */
const untilListed = "10 minutes"

/** Retries until it succeeds. The status shows the failure. */
const retryForever = Effect.fnUntraced(function* <A, E extends StepError, R>(
  recording: Recording,
  effect: Effect.Effect<A, E, R>
): Effect.fn.Return<A, Extract<E, LeaseLostError>, R> {
  for (let failures = 1; ; failures++) {
    const result = yield* toResult(effect)
    if (Result.isSuccess(result)) {
      recording.setRefusal(undefined)
      return result.success
    }
    const { error, message, retryAfterMs } = result.failure
    const mayBeListed = error instanceof ExchangeError && isUnsupported(error)
    recording.setRefusal({ message, isUnsupported: mayBeListed })
    yield* Effect.sleep(mayBeListed ? untilListed : yield* backoffMs(failures, recoveryBackoff, retryAfterMs))
  }
})

/** Writes the arrivals, batch by batch. Ends with the lease. */
const runWriter = Effect.fnUntraced(function* (
  recording: Recording,
  intake: Intake,
  writer: TapeWriter
): Effect.fn.Return<never, LeaseLostError, Lease> {
  let writingSince: number | undefined
  recording.report({
    waiting: {
      waitingSince: () => writingSince ?? intake.waitingSince(),
      hasDroppedNewest: writer.hasDroppedNewest
    }
  })
  const batch = Effect.gen(function* () {
    yield* intake.arrived
    if (intake.waiting() < batchSize) yield* Effect.sleep(batchTime)
    writingSince = intake.waitingSince()
    const writing = yield* intake.take
    yield* writer.write(writing)
    const last = writing.findLast(isTrades)
    if (last !== undefined) recording.confirm(last.connection, last.trades)
    writingSince = undefined
  })
  return yield* Effect.forever(batch)
})

const count = <State>({ exchange, market }: Recording, metric: Metric.Metric<number, State>, value: number) =>
  Metric.update(Metric.withAttributes(metric, { exchange, market }), value)

/** Writes what the exchange sends, and closes the gaps. */
const recordFlow = Effect.fnUntraced(function* (
  { announce, health }: RecorderOptions,
  recording: Recording,
  flow: MarketFlow
) {
  const intake = yield* makeIntake(batchSize)
  const changed = yield* Queue.sliding<void>(1)
  recording.follow(flow, yield* Clock.Clock)
  const writer = yield* makeTapeWriter({
    recording,
    announce,
    continuity: flow.continuity,
    firstId: flow.continuity === "sequence" ? flow.firstId : null,
    onCommit: Effect.fnUntraced(function* ({ coverage, trades }, backfilledTrades) {
      yield* count(recording, stored, trades.length)
      yield* count(recording, backfilled, backfilledTrades)
      yield* count(recording, gaps, Math.max(0, coverage.length - 1))
      yield* count(recording, waiting, intake.waiting())
      yield* Queue.offer(changed, undefined)
    }),
    onFailure: count(recording, failedWrites, 1)
  })
  // Gaps of an earlier run of the process are known before anything arrives.
  yield* writer.write([])
  const closing =
    flow.continuity === "sequence" ? runBackfill({ flow, recording, health, writer, changed }) : Effect.never
  yield* Effect.all(
    [
      runConnection({ flow, recording, health, intake, onDisconnect: count(recording, disconnects, 1) }),
      runWriter(recording, intake, writer),
      closing
    ],
    { concurrency: "unbounded", discard: true }
  )
})

/** Opens the market, and records it unless its tape holds trades of another kind of ids. */
const recordMarket = Effect.fnUntraced(function* (options: RecorderOptions, recording: Recording) {
  const { exchange, health, market } = options
  const tape = yield* Tape
  const flows = yield* TradeFlow
  const known = yield* retryForever(recording, tape.find(exchange, recording.market))
  if (Option.isSome(known)) recording.resume(known.value)
  // To look a market up requests nothing if the list of markets is cached: a success proves nothing.
  const flow = yield* retryForever(recording, Effect.tapError(flows.open(exchange, market), health.failed))
  const { continuity, coverage } = recording.state
  if (coverage.length > 0 && continuity !== flow.continuity) {
    const message =
      `The tape of ${recording.market} holds trades of another kind of ids: it was recorded by "${continuity}", ` +
      `and the exchange now gives "${flow.continuity}".`
    recording.setRefusal({ message, isUnsupported: true })
    return yield* Effect.never
  }
  return yield* recordFlow(options, recording, flow)
}, Effect.scoped)

export const makeRecorder = (options: RecorderOptions): Recorder => {
  const { exchange, keepMs } = options
  const market = `${options.market.base}/${options.market.quote}`
  const recording = new Recording(exchange, market, keepMs)
  const logged = Effect.tapDefect(recordMarket(options, recording), (defect) =>
    Effect.logError(`The recording of ${exchange} ${market} restarts`, defect)
  )
  // An unexpected error must not end a recording either.
  const pause = Effect.fnUntraced(function* ({ message }: Failure<unknown>) {
    recording.stop(message)
    yield* Effect.sleep(yield* backoffMs(Number.POSITIVE_INFINITY, recoveryBackoff))
  })
  return {
    run: Effect.forever(catchFailure(logged, pause)),
    status: Effect.map(monotonicMillis, (now) => toStatus(exchange, market, recording.state, now)),
    isLive: Effect.map(monotonicMillis, (now) => isUpToDate(recording.state, now)),
    watchUnchanged: Effect.map(Clock.Clock, (clock) => {
      const isUnchanged = recording.changes.watch()
      const isCurrent = () => isUnchanged?.() === true && isUpToDate(recording.state, toMonotonicMillis(clock))
      return isCurrent() ? isCurrent : undefined
    })
  }
}
