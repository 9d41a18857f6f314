import { Effect } from "effect"
import type { Clock } from "effect"
import { makeChangeCounter } from "../../../internal/ChangeCounter.ts"
import { toMonotonicMillis } from "../../../internal/monotonic.ts"
import type { SourceTrade } from "../../ExchangeSource.ts"
import type { MarketFlow } from "../../TradeFlow.ts"
import type { Coverage, Gap } from "../ledger/Coverage.ts"
import { gaps, newest } from "../ledger/Coverage.ts"
import type { LedgerPlan } from "../ledger/Ledger.ts"
import { countMiss, replaceGap, trackGaps } from "../ledger/PendingGaps.ts"
import type { PendingGap } from "../ledger/PendingGaps.ts"
import type { Series, TapeEvent } from "../Tape.ts"
import { detectIdReset, startingState } from "./RecordingState.ts"
import type { RecordingPart, RecordingState } from "./RecordingState.ts"

/** Trades with which a new recording of a market with consecutive ids begins. */
const history = 50_000

const shownEvents = 20

/** One trade may have a wrong time. After so many resets in a row, larger ids do not make the tape one sequence again. */
const lastingResets = 2

/** The gaps that a transaction creates: they lie outside the current coverage. */
const gapsMadeBy = (before: Coverage, after: Coverage): ReadonlyArray<Gap> => {
  const oldest = before[0]?.from ?? Number.POSITIVE_INFINITY
  const last = newest(before)?.to ?? Number.POSITIVE_INFINITY
  return gaps(after).filter(({ from, to }) => from > last || to < oldest)
}

/** A running recording. Its parts report to it, and it alone changes its state. */
export class Recording {
  readonly exchange: string
  /** `BASE/QUOTE`. */
  readonly market: string
  readonly changes = makeChangeCounter()
  readonly #state: RecordingState = { ...startingState }
  /** Milliseconds; older trades are not recorded. */
  readonly #keepMs: number | undefined
  /** The market, if its ids are consecutive: only such trades can be requested. */
  #numbered: { readonly firstId: number; readonly clock: Clock.Clock } | undefined
  /** Batches in a row whose ids the exchange had assigned before. */
  #resets = 0
  /** The lowest sequence that is recorded. */
  #floor: number | undefined

  constructor(exchange: string, market: string, keepMs: number | undefined) {
    this.exchange = exchange
    this.market = market
    this.#keepMs = keepMs
  }

  get state(): Readonly<RecordingState> {
    return this.#state
  }

  /** The state of an earlier run. */
  resume({ continuity, coverage }: Series): void {
    this.#state.coverage = coverage
    this.#state.continuity = continuity
    this.#state.wasConnected = true
  }

  follow(flow: MarketFlow, clock: Clock.Clock): void {
    this.#state.continuity = flow.continuity
    this.#numbered = flow.continuity === "sequence" ? { firstId: flow.firstId, clock } : undefined
  }

  /** What a part knows alone. */
  report(known: Partial<Pick<RecordingState, "transport" | "waiting" | "upToDateAt">>): void {
    Object.assign(this.#state, known)
  }

  /** `undefined` after a success of the part. */
  setFailure(part: RecordingPart, message: string | undefined): void {
    if (this.#state.failures[part] === message) return
    this.#state.failures = { ...this.#state.failures, [part]: message }
  }

  /** `undefined` when the market can be recorded; otherwise why not, at the moment or at all. */
  setRefusal(refusal: { readonly message: string; readonly isUnsupported: boolean } | undefined): void {
    this.#state.isUnsupported = refusal?.isUnsupported ?? false
    this.setFailure("connection", refusal?.message)
  }

  connect(): void {
    this.#state.isConnected = true
    this.#state.wasConnected = true
    this.setFailure("connection", undefined)
    this.#state.connection++
  }

  /** Returns whether there was a connection. */
  disconnect(message: string): boolean {
    const wasConnected = this.#state.isConnected
    this.stop(message)
    if (wasConnected) this.#state.disconnects++
    return wasConnected
  }

  /** After a defect, which the status does not count as a disconnect of the exchange. */
  stop(message: string): void {
    this.setFailure("connection", message)
    this.#state.isConnected = false
    this.#state.isCurrent = false
    this.#state.upToDateAt = undefined
  }

  /** The store contains these trades of a connection: from then on, every gap before them is known. */
  confirm(connection: number, trades: ReadonlyArray<SourceTrade>): void {
    const reset = detectIdReset(this.#state, trades)
    if (reset !== undefined) {
      this.#resets += 1
      this.setFailure("ids", reset)
    } else if (this.#resets < lastingResets) {
      this.#resets = 0
      this.setFailure("ids", undefined)
    }
    if (this.#state.isConnected && connection === this.#state.connection) this.#state.isCurrent = true
  }

  countDropped(trades: number): void {
    this.#state.dropped += trades
  }

  /** Takes over the coverage of the store. */
  load(coverage: Coverage): void {
    this.#cover(coverage)
    this.changes.changed()
  }

  /** Runs a transaction that stores this coverage. Its gaps count at once: readers may see them before `commit`. */
  transact<A, E, R>(coverage: Coverage, transaction: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.suspend(() => {
      this.#state.uncommittedGaps = gapsMadeBy(this.#state.coverage, coverage)
      return this.changes.write(transaction)
    })
  }

  commit({ conflicts, coverage, trades }: LedgerPlan, events: ReadonlyArray<TapeEvent>, backfilled: number): void {
    this.#cover(coverage)
    this.#state.stored += trades.length
    this.#state.backfilled += backfilled
    this.#state.conflicts += conflicts.length
    if (events.length === 0) return
    this.#state.events = [...events.toReversed(), ...this.#state.events].slice(0, shownEvents)
  }

  /** Marks the gaps within a span whose grace period is over at `now` (`monotonicMillis`), and returns them. */
  announceGaps({ from, to }: Pick<PendingGap, "from" | "to">, now: number): ReadonlyArray<PendingGap> {
    const isNew = (gap: PendingGap) => !gap.isAnnounced && gap.dueAt <= now && gap.to >= from && gap.to <= to
    const found = this.#state.pendingGaps.filter(isNew)
    if (found.length > 0) {
      this.#state.pendingGaps = this.#state.pendingGaps.map((gap) => (isNew(gap) ? { ...gap, isAnnounced: true } : gap))
    }
    return found
  }

  /** The exchange returned none of a gap's trades. Returns the gap with its next try. */
  countMiss(gap: PendingGap, now: number): PendingGap {
    const after = countMiss({ ...gap, isAnnounced: true }, now)
    this.#state.pendingGaps = replaceGap(this.#state.pendingGaps, after)
    return after
  }

  /** Pending gaps follow the coverage at once, so that a reader never sees one without the other. */
  #cover(coverage: Coverage): void {
    this.#state.coverage = coverage
    this.#state.uncommittedGaps = []
    if (this.#numbered === undefined) return
    const { clock, firstId } = this.#numbered
    const missing = [...this.#historyGap(firstId, clock), ...gaps(coverage)]
    this.#state.pendingGaps = trackGaps(this.#state.pendingGaps, missing, toMonotonicMillis(clock))
  }

  /** The sequences to backfill below the oldest trade. */
  #historyGap(firstId: number, clock: Clock.Clock): ReadonlyArray<Gap> {
    const { coverage } = this.#state
    const [oldest] = coverage
    const last = newest(coverage)
    const keptFrom = this.#keepMs === undefined ? -Infinity : clock.currentTimeMillisUnsafe() - this.#keepMs
    if (oldest === undefined || last === undefined || oldest.fromTime <= keptFrom) return []
    this.#floor ??= Math.max(firstId, Math.min(oldest.from, last.to - history + 1))
    if (oldest.from <= this.#floor) return []
    return [{ from: this.#floor, to: oldest.from - 1, fromTime: oldest.fromTime, toTime: oldest.fromTime }]
  }
}
