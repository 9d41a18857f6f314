import { Context, Schema } from "effect"
import type { Effect } from "effect"

/** Trades missing between two stored ones. */
export const RecordingGap = Schema.Struct({
  /** The missing sequences, both inclusive; for markets without consecutive ids those around the gap. */
  from: Schema.Int,
  to: Schema.Int,
  /** Unix milliseconds of the trades around it. */
  fromTime: Schema.Int,
  toTime: Schema.Int,
  /** `open` while it is backfilled, `unfillable` if the exchange no longer returns the trades. */
  state: Schema.Literals(["open", "unfillable"])
})

/** An event of a recording. */
const RecordingEvent = Schema.Struct({
  /** Unix milliseconds. */
  at: Schema.Int,
  /** As in `TapeEvent`. Another instance may be of a newer version and know further kinds. */
  kind: Schema.String,
  /** The sequences concerned, both inclusive. */
  from: Schema.NullOr(Schema.Int),
  to: Schema.NullOr(Schema.Int),
  detail: Schema.String
})

/** The status of a market's recording. Counters start when its instance takes it over. */
export const RecordingStatus = Schema.Struct({
  exchange: Schema.String,
  /** `BASE/QUOTE`. */
  market: Schema.String,
  /** `live` while trades arrive live, without a known gap after the newest. */
  state: Schema.Literals(["starting", "live", "catching-up", "disconnected", "unsupported"]),
  transport: Schema.NullOr(Schema.Literals(["websocket", "polling"])),
  /** How a missing trade is proven: `sequence` by consecutive ids, `overlap` only by overlapping pages. */
  continuity: Schema.NullOr(Schema.Literals(["sequence", "overlap"])),
  /** Unix milliseconds of the oldest and the newest trade of the tape. */
  from: Schema.NullOr(Schema.Int),
  to: Schema.NullOr(Schema.Int),
  /** Stored trades. */
  stored: Schema.Int,
  /** The trades of these that were read to close gaps. */
  backfilled: Schema.Int,
  /** Trades known to be missing and still requested, including the history of a new recording. */
  missing: Schema.Int,
  /** Lost connections. */
  disconnects: Schema.Int,
  /** Trades that arrived again with different content: the first is used. */
  conflicts: Schema.Int,
  /** Trades that were dropped because the store could not write them: they are a gap. */
  dropped: Schema.Int,
  /** The newest 20 gaps, and their total number. */
  gaps: Schema.Array(RecordingGap),
  gapCount: Schema.Int,
  /** The newest 20, newest first; the store has all of them. */
  events: Schema.Array(RecordingEvent),
  lastError: Schema.NullOr(Schema.String)
})

export type RecordingGap = typeof RecordingGap.Type

export type RecordingStatus = typeof RecordingStatus.Type

/** Port: the configured recordings, whichever instance owns them. */
export class RecordingStatuses extends Context.Service<
  RecordingStatuses,
  {
    readonly all: Effect.Effect<ReadonlyArray<RecordingStatus>>
    /** Whether the tape of a market, `BASE/QUOTE`, is current: its newest trade is the exchange's newest. */
    readonly isLive: (exchange: string, market: string) => Effect.Effect<boolean>
    /**
     * Opens a check whether the tape stays current and unchanged. Undefined if it is not current now, is being written,
     * or is written by another instance.
     */
    readonly watchUnchanged: (exchange: string, market: string) => Effect.Effect<(() => boolean) | undefined>
  }
>()("@chaintape/server/status/RecordingStatuses") {}
