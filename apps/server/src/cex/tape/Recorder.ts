import { Cause, Clock, Effect, Exit, Option, Queue } from "effect"
import { monotonicMillis, monotonicMillisOf } from "../../internal/monotonic.ts"
import { LeaseLost } from "../../ownership/Lease.ts"
import type { Lease } from "../../ownership/Lease.ts"
import type { RecordingStatus } from "../../sources/RecordingStatuses.ts"
import { ExchangeError } from "../ExchangeSource.ts"
import type { MarketPair } from "../ExchangeSource.ts"
import { TradeFlow } from "../TradeFlow.ts"
import type { MarketFlow } from "../TradeFlow.ts"
import { isTrades } from "./Arrival.ts"
import { keepClosing } from "./Backfill.ts"
import { delayMs } from "./Backoff.ts"
import { keepConnected } from "./Connection.ts"
import { failureOf } from "./Failure.ts"
import { makeIntake } from "./Intake.ts"
import type { Intake } from "./Intake.ts"
import type { Plan } from "./Ledger.ts"
import { recorderMetrics } from "./RecorderMetrics.ts"
import { countsAnew, isUpToDate, makeRecording, refreshHoles, statusOf } from "./Recording.ts"
import type { Recording } from "./Recording.ts"
import { Tape } from "./Tape.ts"
import type { TapeReads } from "./Tape.ts"
import { makeTapeWriter } from "./TapeWriter.ts"
import type { TapeWriter } from "./TapeWriter.ts"

export interface RecorderOptions {
  readonly exchange: string
  readonly market: MarketPair
  /** Milliseconds; trades that are older are not wanted. */
  readonly keepMs: number | undefined
}

/** The recording of one market. */
export interface Recorder {
  /** Records until it is interrupted, or another instance does. No other failure ends it. */
  readonly run: Effect.Effect<never, LeaseLost, Lease | Tape | TapeReads | TradeFlow>
  readonly exchange: string
  /** `BASE/QUOTE`. */
  readonly market: string
  readonly status: Effect.Effect<RecordingStatus>
  readonly isLive: Effect.Effect<boolean>
  /** Tells whether the tape is up to date, and nothing was written to it since. Undefined where it is not now, or is being written. */
  readonly unchanged: Effect.Effect<(() => boolean) | undefined>
}

const backoff = { firstMs: 500, longestMs: 30_000 }
/** Trades of one transaction. */
const batchSize = 5000
/** How long trades are gathered for it. */
const batchTime = "50 millis"
/** Trades that may wait for the store. */
const capacity = 50_000
/** An exchange may list a market later. */
const untilListed = "10 minutes"

const isFinal = (error: unknown): error is ExchangeError =>
  error instanceof ExchangeError && (error.reason === "MarketNotFound" || error.reason === "NotSupported")

/** Tries again until it succeeds. What it fails with stands in the status. */
const persistently = <A, E, R>(
  recording: Recording,
  effect: Effect.Effect<A, E, R>,
  failures = 1
): Effect.Effect<A, never, R> =>
  Effect.flatMap(Effect.exit(effect), (exit) => {
    if (Exit.isSuccess(exit)) {
      recording.isUnsupported = false
      recording.failures.connection = undefined
      return Effect.succeed(exit.value)
    }
    if (Cause.hasInterruptsOnly(exit.cause)) return Effect.interrupt
    const { error, message, retryAfterMs } = failureOf(exit.cause)
    recording.isUnsupported = isFinal(error)
    recording.failures.connection = message
    const pause = isFinal(error)
      ? Effect.sleep(untilListed)
      : Effect.flatMap(delayMs(failures, backoff, retryAfterMs), (wait) => Effect.sleep(wait))
    return Effect.andThen(pause, persistently(recording, effect, failures + 1))
  })

/** Writes what arrives, batch by batch. Ends with the lease. */
const keepWriting = (
  recording: Recording,
  intake: Intake,
  writer: TapeWriter
): Effect.Effect<never, LeaseLost, Lease> => {
  let writingSince: number | undefined
  recording.waitingSince = () => writingSince ?? intake.waitingSince()
  recording.hasLost = () => intake.hasLost() || writer.hasLost()
  const batch = Effect.gen(function* () {
    yield* intake.arrived
    if (intake.waiting() < batchSize) yield* Effect.sleep(batchTime)
    writingSince = intake.waitingSince()
    const writing = intake.take(batchSize)
    yield* writer.write(writing)
    const last = writing.findLast(isTrades)
    if (last !== undefined) recording.failures.ids = countsAnew(recording, last.trades)
    const isOfThisConnection = writing.some((one) => isTrades(one) && one.connection === recording.connection)
    if (recording.isConnected && isOfThisConnection) recording.isCurrent = true
    writingSince = undefined
  })
  return Effect.forever(batch)
}

export const makeRecorder = ({ exchange, keepMs, market }: RecorderOptions): Recorder => {
  const name = `${market.base}/${market.quote}`
  const recording = makeRecording(exchange, name)
  const metrics = recorderMetrics(exchange, name)

  const committed = (intake: Intake, changed: Queue.Queue<void>) =>
    Effect.fnUntraced(function* ({ conflicts, trades }: Plan, backfilled: number) {
      recording.stored += trades.length
      recording.backfilled += backfilled
      recording.conflicts += conflicts.length
      yield* metrics.stored(trades.length, backfilled)
      yield* metrics.observe(Math.max(0, recording.coverage.length - 1), intake.waiting())
      Queue.offerUnsafe(changed, undefined)
    })

  const record = Effect.fnUntraced(function* (flow: MarketFlow) {
    const intake = yield* makeIntake(capacity, (count) => {
      recording.dropped += count
    })
    const changed = yield* Queue.sliding<void>(1)
    const clock = yield* Clock.Clock
    const onCoverage = () => {
      const keptFrom = keepMs === undefined ? Number.NEGATIVE_INFINITY : clock.currentTimeMillisUnsafe() - keepMs
      refreshHoles(recording, flow.firstId, keptFrom, monotonicMillisOf(clock))
    }
    recording.continuity = flow.continuity
    recording.transport = flow.transport
    const writer = yield* makeTapeWriter({
      recording,
      continuity: flow.continuity,
      firstId: flow.continuity === "sequence" ? flow.firstId : null,
      onCoverage,
      onCommit: committed(intake, changed),
      onFailure: metrics.writeFailed
    })
    // Gaps of an earlier life are known before anything arrives.
    yield* writer.write([])
    const closing = flow.continuity === "sequence" ? keepClosing({ flow, recording, writer, changed }) : Effect.never
    yield* Effect.all(
      [
        keepConnected({ flow, recording, intake, onDisconnect: metrics.disconnected }),
        keepWriting(recording, intake, writer),
        closing
      ],
      { concurrency: "unbounded", discard: true }
    )
  })

  const life = Effect.gen(function* () {
    const tape = yield* Tape
    const flows = yield* TradeFlow
    const known = yield* persistently(recording, tape.find(exchange, name))
    if (Option.isSome(known)) {
      recording.coverage = known.value.coverage
      recording.continuity = known.value.continuity
      recording.wasConnected = true
    }
    const flow = yield* persistently(recording, flows.open(exchange, market))
    if (recording.coverage.length > 0 && recording.continuity !== flow.continuity) {
      recording.isUnsupported = true
      recording.failures.connection =
        `The tape of ${name} holds trades of another kind of ids: it was recorded by "${recording.continuity}", ` +
        `and the exchange now gives "${flow.continuity}".`
      return yield* Effect.never
    }
    return yield* record(flow)
  })

  /** What nobody foresaw must not end a recording either. */
  const died = Effect.fnUntraced(function* (cause: Cause.Cause<LeaseLost>) {
    if (Cause.hasInterruptsOnly(cause)) return yield* Effect.interrupt
    const { error, message } = failureOf(cause)
    if (error instanceof LeaseLost) return yield* error
    yield* Effect.logError(`The recording of ${exchange} ${name} begins anew`, cause)
    recording.isConnected = false
    recording.isCurrent = false
    recording.failures.connection = message
    yield* Effect.sleep(yield* delayMs(7, backoff))
  })
  const run = Effect.forever(Effect.catchCause(life, died))

  return {
    run,
    exchange,
    market: name,
    status: Effect.sync(() => statusOf(recording)),
    isLive: Effect.map(monotonicMillis, (now) => isUpToDate(recording, now)),
    unchanged: Effect.map(Clock.Clock, (clock) => {
      const { changes } = recording
      const isTrue = () => recording.changes === changes && isUpToDate(recording, monotonicMillisOf(clock))
      return changes % 2 === 0 && isTrue() ? isTrue : undefined
    })
  }
}
