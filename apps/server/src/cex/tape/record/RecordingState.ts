import { Struct } from "effect"
import type { RecordingGap, RecordingStatus } from "../../../status/RecordingStatuses.ts"
import type { SourceTrade } from "../../ExchangeSource.ts"
import type { Continuity, Transport } from "../../TradeFlow.ts"
import { toSequence } from "../../TradeSequence.ts"
import type { Coverage, Gap } from "../ledger/Coverage.ts"
import { gaps, maxDisorderMs, newest } from "../ledger/Coverage.ts"
import type { PendingGap } from "../ledger/PendingGaps.ts"
import { isUnfillable, countMissing } from "../ledger/PendingGaps.ts"
import type { TapeEvent } from "../Tape.ts"

const shownGaps = 20

/** The arrivals that wait to be written. */
interface Waiting {
  /** Since when the oldest unstored arrival waits, by `monotonicMillis`. */
  readonly waitingSince: () => number | undefined
  /** Whether the store refused the newest trades, which no gap shows until the next trade arrives. */
  readonly hasDroppedNewest: () => boolean
}

/** The parts of a recording that can fail. */
export type RecordingPart = "connection" | "backfill" | "write" | "ids"

/** The state of a running recording. */
export interface RecordingState {
  /** That of the connection, or of the one to come. */
  transport: Transport | undefined
  continuity: Continuity | undefined
  isUnsupported: boolean
  wasConnected: boolean
  isConnected: boolean
  /** The number of the connection, counted from 1. */
  connection: number
  /** Whether the first trades of this connection are stored, so that every gap before it is known. */
  isCurrent: boolean
  /** By `monotonicMillis`: everything that the exchange sent until then over this connection has arrived. */
  upToDateAt: number | undefined
  /** As in the store. */
  coverage: Coverage
  /** Gaps of the current transaction: they may be in the store before they are known here. */
  uncommittedGaps: ReadonlyArray<Gap>
  /** The missing sequences, ascending, including the history below the oldest trade. */
  pendingGaps: ReadonlyArray<PendingGap>
  stored: number
  backfilled: number
  disconnects: number
  conflicts: number
  dropped: number
  waiting: Waiting
  /** The message of a part's newest failure, until the part succeeds. That of `ids` stays once it has repeated. */
  failures: { readonly [part in RecordingPart]?: string | undefined }
  /** The newest events, newest first. */
  events: ReadonlyArray<TapeEvent>
}

export const startingState: Readonly<RecordingState> = {
  transport: undefined,
  continuity: undefined,
  isUnsupported: false,
  wasConnected: false,
  isConnected: false,
  connection: 0,
  isCurrent: false,
  upToDateAt: undefined,
  coverage: [],
  uncommittedGaps: [],
  pendingGaps: [],
  stored: 0,
  backfilled: 0,
  disconnects: 0,
  conflicts: 0,
  dropped: 0,
  waiting: { waitingSince: () => undefined, hasDroppedNewest: () => false },
  failures: {},
  events: []
}

const isBelow = (recording: Readonly<RecordingState>, { to }: Pick<Gap, "to">): boolean =>
  to < (recording.coverage[0]?.from ?? 0)

/** Ascending. */
const allGaps = ({ uncommittedGaps, coverage }: Readonly<RecordingState>): ReadonlyArray<Gap> => {
  const known = gaps(coverage)
  return uncommittedGaps.length === 0
    ? known
    : [...known, ...uncommittedGaps].sort((one, other) => one.from - other.from)
}

const getGaps = (recording: Readonly<RecordingState>): ReadonlyArray<RecordingGap> => {
  if (recording.continuity === "overlap") {
    return allGaps(recording).map((gap) => ({ ...gap, from: gap.from - 1, to: gap.to + 1, state: "unfillable" }))
  }
  const lost = new Set(recording.pendingGaps.filter(isUnfillable).map(({ from }) => from))
  return allGaps(recording).map((gap) => ({ ...gap, state: lost.has(gap.from) ? "unfillable" : "open" }))
}

/** Times of trades are out of order for fewer trades than these, even where many are executed at once. */
const maxDisorderedRun = 1000

/**
 * Detects that ids of earlier trades are assigned to newer ones, which the tape cannot store: a trade with a stored id is
 * newer than the last of the tape, by more than times are ever out of order or although many trades lie between.
 */
export const detectIdReset = (
  { continuity, coverage }: Readonly<RecordingState>,
  trades: ReadonlyArray<SourceTrade>
) => {
  const [known, last] = [newest(coverage), trades.at(-1)]
  const sequence = last === undefined ? undefined : toSequence(last.id)
  if (continuity !== "sequence" || known === undefined || last === undefined || sequence === undefined) return undefined
  const disorder = sequence <= known.to - maxDisorderedRun ? 0 : maxDisorderMs
  return sequence <= known.to && last.timestamp > known.toTime + disorder
    ? `The trade "${last.id}" is newer than the trade "${known.to}", the last of the tape: the exchange restarted its ids, so ` +
        "its trades cannot be added to this tape. Record them under another exchange id, or into an empty store."
    : undefined
}

const isFailing = ({ failures, waiting }: Readonly<RecordingState>): boolean =>
  failures.write !== undefined || failures.ids !== undefined || waiting.hasDroppedNewest()

/** Trades that wait longer than this (milliseconds) make the tape late. */
const maxWaitMs = 2000

/** Whether trades wait too long for the store. */
const isLate = ({ waiting }: Readonly<RecordingState>, now: number): boolean =>
  now - (waiting.waitingSince() ?? now) > maxWaitMs

/**
 * Milliseconds. A stream without any message of the exchange for this long may have lost trades: one ping, which is sent
 * each second, has no response. A poll waits for its turn, and for its retries.
 */
const maxSilenceMs = { websocket: 2500, polling: 15_000 } satisfies Record<Transport, number>

/** Whether the exchange sends nothing, not even responses to pings. */
const isSilent = ({ transport = "websocket", upToDateAt }: Readonly<RecordingState>, now: number): boolean =>
  upToDateAt === undefined || now - upToDateAt > maxSilenceMs[transport]

/** Whether the newest trades of the exchange may be missing. */
const isBehind = (recording: Readonly<RecordingState>, now: number): boolean =>
  !recording.isCurrent || isFailing(recording) || isLate(recording, now) || isSilent(recording, now)

const getState = (recording: Readonly<RecordingState>, now: number): RecordingStatus["state"] => {
  const { isConnected, isUnsupported, wasConnected } = recording
  if (isUnsupported) return "unsupported"
  if (!isConnected) return wasConnected ? "disconnected" : "starting"
  if (isBehind(recording, now) || recording.uncommittedGaps.length > 0) return "catching-up"
  return recording.pendingGaps.some((gap) => !isUnfillable(gap) && !isBelow(recording, gap)) ? "catching-up" : "live"
}

/**
 * The missing trades of the open gaps, and of the history. Before the market is known, and while a transaction
 * runs, gaps of the coverage are not pending yet.
 */
const getMissing = (recording: Readonly<RecordingState>, found: ReadonlyArray<RecordingGap>): number =>
  found.reduce(
    (sum, gap) => (gap.state === "open" && !isBelow(recording, gap) ? sum + gap.to - gap.from + 1 : sum),
    countMissing(recording.pendingGaps.filter((gap) => isBelow(recording, gap)))
  )

/** `now` by `monotonicMillis`. */
export const toStatus = (
  exchange: string,
  market: string,
  recording: Readonly<RecordingState>,
  now: number
): RecordingStatus => {
  const found = getGaps(recording)
  const { failures } = recording
  return {
    exchange,
    market,
    state: getState(recording, now),
    transport: recording.transport ?? null,
    continuity: recording.continuity ?? null,
    from: recording.coverage[0]?.fromTime ?? null,
    to: newest(recording.coverage)?.toTime ?? null,
    ...Struct.pick(recording, ["stored", "backfilled", "disconnects", "conflicts", "dropped"]),
    missing: getMissing(recording, found),
    gaps: found.slice(-shownGaps).toReversed(),
    gapCount: found.length,
    events: recording.events.map(({ from = null, to = null, ...event }) => ({ ...event, from, to })),
    lastError: failures.write ?? failures.ids ?? failures.connection ?? failures.backfill ?? null
  }
}

/** Whether the newest trade of the tape is the exchange's newest; `now` by `monotonicMillis`. */
export const isUpToDate = (recording: Readonly<RecordingState>, now: number): boolean =>
  recording.isConnected && !isBehind(recording, now)
