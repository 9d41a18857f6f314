import type { RecordingGap, RecordingStatus } from "../../../sources/RecordingStatuses.ts"
import type { SourceTrade } from "../../ExchangeSource.ts"
import type { Continuity, MarketFlow } from "../../TradeFlow.ts"
import type { Coverage, Gap } from "../ledger/Coverage.ts"
import { contains, gaps, newest } from "../ledger/Coverage.ts"
import type { Hole } from "../ledger/Holes.ts"
import { isUnfillable, missingIn, trackHoles } from "../ledger/Holes.ts"
import type { TapeEvent } from "../Tape.ts"

/** Trades with which a new recording of a market with consecutive ids begins. */
const history = 50_000
const shownGaps = 20
const shownEvents = 20

/** Why a part makes no progress: the message of its newest failure, undefined once it succeeds. */
interface Failures {
  connection?: string | undefined
  backfill?: string | undefined
  write?: string | undefined
  ids?: string | undefined
}

/** The state of a running recording. */
export interface Recording {
  readonly exchange: string
  /** `BASE/QUOTE`. */
  readonly market: string
  transport: MarketFlow["transport"] | undefined
  continuity: Continuity | undefined
  isUnsupported: boolean
  wasConnected: boolean
  isConnected: boolean
  /** The number of the connection, counted from 1. */
  connection: number
  /** Whether the first trades of this connection are stored, so that every gap before it is known. */
  isCurrent: boolean
  /** As in the store. */
  coverage: Coverage
  /** Incremented when a write begins and when it ends: odd while a write is under way. */
  changes: number
  /** Gaps of the current transaction: they may be in the store before they are known here. */
  coming: ReadonlyArray<Gap>
  /** The missing sequences, ascending, including the history below the oldest trade. */
  holes: ReadonlyArray<Hole>
  stored: number
  backfilled: number
  disconnects: number
  conflicts: number
  dropped: number
  /** Since when the oldest unstored arrival waits, by `monotonicMillis`. */
  waitingSince: () => number | undefined
  /** Whether the newest trades were dropped, which no gap shows until the next trade arrives. */
  hasLost: () => boolean
  failures: Failures
  /** The newest events, newest first. */
  events: ReadonlyArray<TapeEvent>
  /** The lowest sequence that is recorded. */
  floor: number | undefined
}

export const makeRecording = (exchange: string, market: string): Recording => ({
  exchange,
  market,
  transport: undefined,
  continuity: undefined,
  isUnsupported: false,
  wasConnected: false,
  isConnected: false,
  connection: 0,
  isCurrent: false,
  coverage: [],
  changes: 0,
  coming: [],
  holes: [],
  stored: 0,
  backfilled: 0,
  disconnects: 0,
  conflicts: 0,
  dropped: 0,
  waitingSince: () => undefined,
  hasLost: () => false,
  failures: {},
  events: [],
  floor: undefined
})

export const rememberEvents = (recording: Recording, events: ReadonlyArray<TapeEvent>): void => {
  if (events.length > 0) recording.events = [...events.toReversed(), ...recording.events].slice(0, shownEvents)
}

/** The sequences to backfill below the oldest trade. Nothing before `keptFrom` (Unix ms) is. */
const historyGap = (recording: Recording, firstId: number, keptFrom: number): ReadonlyArray<Gap> => {
  const [oldest] = recording.coverage
  const last = newest(recording.coverage)
  if (oldest === undefined || last === undefined || oldest.fromTime <= keptFrom) return []
  recording.floor ??= Math.max(firstId, Math.min(oldest.from, last.to - history + 1))
  if (oldest.from <= recording.floor) return []
  return [{ from: recording.floor, to: oldest.from - 1, fromTime: oldest.fromTime, toTime: oldest.fromTime }]
}

/** Recomputes what is missing; `now` by `monotonicMillis`. Only markets with consecutive ids can request it. */
export const refreshHoles = (recording: Recording, firstId: number, keptFrom: number, now: number): void => {
  if (recording.continuity !== "sequence") return
  const missing = [...historyGap(recording, firstId, keptFrom), ...gaps(recording.coverage)]
  recording.holes = trackHoles(recording.holes, missing, now)
}

/** The gaps that a transaction creates: they lie outside the current coverage. */
export const gapsMadeBy = (before: Coverage, after: Coverage): ReadonlyArray<Gap> => {
  const oldest = before[0]?.from ?? Number.POSITIVE_INFINITY
  const last = newest(before)?.to ?? Number.POSITIVE_INFINITY
  return gaps(after).filter(({ from, to }) => from > last || to < oldest)
}

const isBelow = (recording: Recording, { to }: Gap): boolean => to < (recording.coverage[0]?.from ?? 0)

const shownGap = ({ from, fromTime, to, toTime }: Gap, state: RecordingGap["state"]): RecordingGap => ({
  from,
  to,
  fromTime,
  toTime,
  state
})

/** Ascending. */
const allGaps = ({ coming, coverage }: Recording): ReadonlyArray<Gap> => {
  const known = gaps(coverage)
  return coming.length === 0 ? known : [...known, ...coming].sort((one, other) => one.from - other.from)
}

const gapsOf = (recording: Recording): ReadonlyArray<RecordingGap> => {
  if (recording.continuity === "overlap") {
    return allGaps(recording).map((gap) => shownGap({ ...gap, from: gap.from - 1, to: gap.to + 1 }, "unfillable"))
  }
  const lost = new Set(recording.holes.filter(isUnfillable).map(({ from }) => from))
  return allGaps(recording).map((gap) => shownGap(gap, lost.has(gap.from) ? "unfillable" : "open"))
}

/** Times of trades decrease by at most this (milliseconds) along their ids. */
const longestDisorder = 600_000

/** Detects that ids of earlier trades are assigned to newer ones, which the tape cannot store. */
export const detectIdReset = ({ continuity, coverage }: Recording, trades: ReadonlyArray<SourceTrade>) => {
  const [known, last] = [newest(coverage), trades.at(-1)]
  if (continuity !== "sequence" || known === undefined || last === undefined) return undefined
  return contains(coverage, Number(last.id)) && last.timestamp > known.toTime + longestDisorder
    ? `The trade "${last.id}" is newer than the trade "${known.to}", the last of the tape: the exchange restarted its ids, so ` +
        "its trades cannot be added to this tape. Record them under another exchange id, or into an empty store."
    : undefined
}

const isFailing = ({ failures, hasLost }: Recording): boolean =>
  failures.write !== undefined || failures.ids !== undefined || hasLost()

const getState = (recording: Recording): RecordingStatus["state"] => {
  const { isConnected, isCurrent, isUnsupported, wasConnected } = recording
  if (isUnsupported) return "unsupported"
  if (!isConnected) return wasConnected ? "disconnected" : "starting"
  if (!isCurrent || isFailing(recording) || recording.coming.length > 0) return "catching-up"
  return recording.holes.some((hole) => !isUnfillable(hole) && !isBelow(recording, hole)) ? "catching-up" : "live"
}

export const toStatus = (recording: Recording): RecordingStatus => {
  const found = gapsOf(recording)
  const { failures } = recording
  return {
    exchange: recording.exchange,
    market: recording.market,
    state: getState(recording),
    transport: recording.transport ?? null,
    continuity: recording.continuity ?? null,
    from: recording.coverage[0]?.fromTime ?? null,
    to: newest(recording.coverage)?.toTime ?? null,
    stored: recording.stored,
    backfilled: recording.backfilled,
    missing: missingIn(recording.holes),
    disconnects: recording.disconnects,
    conflicts: recording.conflicts,
    dropped: recording.dropped,
    gaps: found.slice(-shownGaps).toReversed(),
    gapCount: found.length,
    events: recording.events.map(({ at, detail, from, kind, to }) => ({
      at,
      kind,
      from: from ?? null,
      to: to ?? null,
      detail
    })),
    lastError: failures.write ?? failures.ids ?? failures.connection ?? failures.backfill ?? null
  }
}

/** Trades that wait longer than this (milliseconds) make the tape late. */
const longestWait = 2000

/** Whether the newest trade of the tape is the exchange's newest; `now` by `monotonicMillis`. */
export const isUpToDate = (recording: Recording, now: number): boolean =>
  recording.isConnected &&
  recording.isCurrent &&
  !isFailing(recording) &&
  now - (recording.waitingSince() ?? now) <= longestWait
