import { Context, Effect, Layer, Schema } from "effect"

/** Trades that the tape does not hold between two that it holds. */
export const RecordingGap = Schema.Struct({
  /** The sequences that are missing, both inclusive; for markets without consecutive ids those around the gap. */
  from: Schema.Int,
  to: Schema.Int,
  /** Unix milliseconds of the trades around it. */
  fromTime: Schema.Int,
  toTime: Schema.Int,
  /** `open` while it is being closed, `unfillable` where the exchange does not give the trades any more. */
  state: Schema.Literals(["open", "unfillable"])
})

/** What happened to a recording. */
const RecordingEvent = Schema.Struct({
  /** Unix milliseconds. */
  at: Schema.Int,
  kind: Schema.String,
  /** The sequences that it is about, both inclusive. */
  from: Schema.NullOr(Schema.Int),
  to: Schema.NullOr(Schema.Int),
  detail: Schema.String
})

/** How the recording of a market is doing. Counts begin when its instance takes it over. */
export const RecordingStatus = Schema.Struct({
  exchange: Schema.String,
  /** `BASE/QUOTE`. */
  market: Schema.String,
  /** `live` while trades arrive as they happen, without a known gap behind the newest. */
  state: Schema.Literals(["starting", "live", "catching-up", "disconnected", "unsupported"]),
  transport: Schema.NullOr(Schema.Literals(["websocket", "polling"])),
  /** Whether a missing trade can be proven: `sequence` by consecutive ids, `overlap` only by pages that overlap. */
  continuity: Schema.NullOr(Schema.Literals(["sequence", "overlap"])),
  /** Unix milliseconds of the oldest and the newest trade of the tape. */
  from: Schema.NullOr(Schema.Int),
  to: Schema.NullOr(Schema.Int),
  /** Trades that were stored. */
  stored: Schema.Int,
  /** Of these, the trades that were read to close gaps. */
  backfilled: Schema.Int,
  /** Trades that are known to be missing and still asked for, the history of a new recording among them. */
  missing: Schema.Int,
  /** Connections that were lost. */
  disconnects: Schema.Int,
  /** Trades that came again with another content: the first is kept. */
  conflicts: Schema.Int,
  /** Trades that were given up because the store did not take them: they are a gap. */
  dropped: Schema.Int,
  /** The newest 20 gaps, and how many there are. */
  gaps: Schema.Array(RecordingGap),
  gapCount: Schema.Int,
  /** The newest 20, newest first; the store has all of them. */
  events: Schema.Array(RecordingEvent),
  lastError: Schema.NullOr(Schema.String)
})

export type RecordingGap = typeof RecordingGap.Type

export type RecordingStatus = typeof RecordingStatus.Type

/** Port: the configured recordings, whichever instance keeps them. */
export class RecordingStatuses extends Context.Service<
  RecordingStatuses,
  {
    readonly all: Effect.Effect<ReadonlyArray<RecordingStatus>>
    /** Whether the tape of a market, `BASE/QUOTE`, is up to date: its newest trade is the exchange's newest. */
    readonly isLive: (exchange: string, market: string) => Effect.Effect<boolean>
    /**
     * Tells whether the tape is still up to date and as it is at this moment. Undefined where it is not up to date now, is
     * being written, or is written by another instance.
     */
    readonly unchanged: (exchange: string, market: string) => Effect.Effect<(() => boolean) | undefined>
  }
>()("@chaintape/server/sources/RecordingStatuses") {
  static readonly layerNone = Layer.succeed(RecordingStatuses, {
    all: Effect.succeed([]),
    isLive: () => Effect.succeed(false),
    unchanged: () => Effect.undefined
  })
}
