import type { RecordingGap, RecordingStatus } from "../../sources/RecordingStatuses.ts"
import type { SourceTrade } from "../ExchangeSource.ts"
import type { Continuity, MarketFlow } from "../TradeFlow.ts"
import type { Coverage, Gap } from "./Coverage.ts"
import { contains, gaps, newest } from "./Coverage.ts"
import type { Hole } from "./Holes.ts"
import { isUnfillable, missingIn, trackHoles } from "./Holes.ts"
import type { TapeEvent } from "./Tape.ts"

/** Trades that a new recording of a market with consecutive ids begins with. */
const history = 50_000
const shownGaps = 20
const shownEvents = 20

/** Why something does not go on; the sentence of the newest failure, none once it succeeds. */
interface Failures {
  connection?: string | undefined
  backfill?: string | undefined
  write?: string | undefined
  ids?: string | undefined
}

/** What is known of one recording while it runs. */
export interface Recording {
  readonly exchange: string
  /** `BASE/QUOTE`. */
  readonly market: string
  transport: MarketFlow["transport"] | undefined
  continuity: Continuity | undefined
  isUnsupported: boolean
  wasConnected: boolean
  isConnected: boolean
  /** Which connection it is, counted from 1. */
  connection: number
  /** Whether what this connection showed first is stored, so that every gap before it is known. */
  isCurrent: boolean
  /** As it is in the store. */
  coverage: Coverage
  /** Counts the writes that have begun, and those that have ended: it is odd while one is under way. */
  changes: number
  /** Gaps of the transaction under way: they may be in the store before it is known here. */
  coming: ReadonlyArray<Gap>
  /** What is missing, ascending; the history below the oldest trade among it. */
  holes: ReadonlyArray<Hole>
  stored: number
  backfilled: number
  disconnects: number
  conflicts: number
  dropped: number
  /** Since when the oldest arrival that is not stored yet waits, by `monotonicMillis`. */
  waitingSince: () => number | undefined
  /** Whether the newest trades were given up, which no gap shows until the next one comes. */
  hasLost: () => boolean
  failures: Failures
  /** The newest, newest first. */
  events: ReadonlyArray<TapeEvent>
  /** The lowest sequence that is wanted. */
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

/** What is wanted below the oldest trade. Nothing before `keptFrom` (Unix ms) is. */
const historyGap = (recording: Recording, firstId: number, keptFrom: number): ReadonlyArray<Gap> => {
  const [oldest] = recording.coverage
  const last = newest(recording.coverage)
  if (oldest === undefined || last === undefined || oldest.fromTime <= keptFrom) return []
  recording.floor ??= Math.max(firstId, Math.min(oldest.from, last.to - history + 1))
  if (oldest.from <= recording.floor) return []
  return [{ from: recording.floor, to: oldest.from - 1, fromTime: oldest.fromTime, toTime: oldest.fromTime }]
}

/** Looks again at what is missing; `now` by `monotonicMillis`. Only markets with consecutive ids can ask for it. */
export const refreshHoles = (recording: Recording, firstId: number, keptFrom: number, now: number): void => {
  if (recording.continuity !== "sequence") return
  const missing = [...historyGap(recording, firstId, keptFrom), ...gaps(recording.coverage)]
  recording.holes = trackHoles(recording.holes, missing, now)
}

/** The gaps that a transaction makes: they lie outside of what is covered so far. */
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

/** Times of trades do not fall by more than this (milliseconds) along their ids. */
const longestDisorder = 600_000

/** What is wrong if ids of earlier trades come again for newer ones, of which the tape cannot hold any. */
export const countsAnew = ({ continuity, coverage }: Recording, trades: ReadonlyArray<SourceTrade>) => {
  const [known, last] = [newest(coverage), trades.at(-1)]
  if (continuity !== "sequence" || known === undefined || last === undefined) return undefined
  return contains(coverage, Number(last.id)) && last.timestamp > known.toTime + longestDisorder
    ? `The trade "${last.id}" is newer than the trade "${known.to}", the last of the tape: the exchange counts anew, so ` +
        "its trades cannot go on this tape. Record them under another exchange id, or into an empty store."
    : undefined
}

const isFailing = ({ failures, hasLost }: Recording): boolean =>
  failures.write !== undefined || failures.ids !== undefined || hasLost()

const stateOf = (recording: Recording): RecordingStatus["state"] => {
  const { isConnected, isCurrent, isUnsupported, wasConnected } = recording
  if (isUnsupported) return "unsupported"
  if (!isConnected) return wasConnected ? "disconnected" : "starting"
  if (!isCurrent || isFailing(recording) || recording.coming.length > 0) return "catching-up"
  return recording.holes.some((hole) => !isUnfillable(hole) && !isBelow(recording, hole)) ? "catching-up" : "live"
}

export const statusOf = (recording: Recording): RecordingStatus => {
  const found = gapsOf(recording)
  const { failures } = recording
  return {
    exchange: recording.exchange,
    market: recording.market,
    state: stateOf(recording),
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
