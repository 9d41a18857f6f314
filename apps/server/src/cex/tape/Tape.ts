import { Context, Data, Schema } from "effect"
import type { Effect, Option } from "effect"
import type { StoreError } from "../../internal/StoreError.ts"
import type { Lease, LeaseLostError } from "../../ownership/Lease.ts"
import type { CandlesWanted, SourceTrade } from "../ExchangeSource.ts"
import { Continuity } from "../TradeFlow.ts"
import type { CandlePage } from "./CandlePage.ts"

/** The topic that a recording announces when it has written trades. */
export const tapeTopic = (exchange: string, market: string): string => `tape ${exchange} ${market}`

/** A trade and its position in the tape. */
export interface TapeTrade extends SourceTrade {
  /** The exchange's own id if ids are a sequence, otherwise a counter of the market's trades by arrival. */
  readonly sequence: number
  /** Unix milliseconds. */
  readonly receivedAt: number
}

/** A trade to store. Its cost follows from its price and its size. */
export type NewTrade = Omit<TapeTrade, "cost">

/** Sequences, both ends inclusive. */
export interface SequenceRange {
  readonly from: number
  readonly to: number
}

/** A run of the tape without a known gap. */
export const Interval = Schema.Struct({
  from: Schema.Int,
  to: Schema.Int,
  /** Unix milliseconds of the first and the last trade. */
  fromTime: Schema.Int,
  toTime: Schema.Int
})

export type Interval = typeof Interval.Type

/** An event of a recording. */
export interface TapeEvent {
  /** Unix milliseconds. */
  readonly at: number
  readonly kind: "connected" | "disconnected" | "stale" | "gap" | "backfilled" | "unfillable" | "conflict" | "dropped"
  /** The sequences concerned, both inclusive, if there are any. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  /** A sentence for an operator. */
  readonly detail: string
}

/** A recorded market. */
export const Series = Schema.Struct({
  id: Schema.Int,
  exchange: Schema.String,
  /** `BASE/QUOTE`. */
  market: Schema.String,
  continuity: Continuity,
  /** Sequence of the market's first trade; `null` if ids are not a sequence. */
  firstId: Schema.NullOr(Schema.Int),
  /** Incremented by every write, so that of two writers with the same version only one succeeds. */
  version: Schema.Int,
  /** The stored sequences as runs: ascending, never adjacent. */
  coverage: Schema.Array(Interval)
})

export type Series = typeof Series.Type

export interface TapeChange {
  /** The version of the series that the change is based on. */
  readonly version: number
  /** Each with a different sequence, none of them stored yet; in any order. */
  readonly trades: ReadonlyArray<NewTrade>
  /** The complete coverage including these trades. */
  readonly coverage: ReadonlyArray<Interval>
  readonly events: ReadonlyArray<TapeEvent>
}

/** The series has changed since the writer read it. Nothing was written; the writer must open the series again. */
export class TapeConflictError extends Data.TaggedError("TapeConflictError")<{
  readonly series: number
  /** The version that the writer expected. */
  readonly version: number
}> {
  override get message(): string {
    return `Version ${this.version} of the recording ${this.series} is not the newest: another writer has changed it.`
  }
}

/**
 * The recorded trades. Trades, their coverage and the minute candles are written in one transaction: every trade inside
 * the coverage is stored. Only the owner of the work writes, under its lease.
 */
export class Tape extends Context.Service<
  Tape,
  {
    /** The series of a market, which is created if it does not exist. */
    readonly open: (
      exchange: string,
      market: string,
      continuity: Continuity,
      firstId: Series["firstId"]
    ) => Effect.Effect<Series, StoreError>
    /** The current series of a market. */
    readonly find: (exchange: string, market: string) => Effect.Effect<Option.Option<Series>, StoreError>
    /** Returns the new version. Trades whose sequence is already stored change nothing. */
    readonly append: (
      series: number,
      change: TapeChange
    ) => Effect.Effect<number, StoreError | TapeConflictError | LeaseLostError, Lease>
    /**
     * Drops whole days whose trades all happened before `time` (Unix ms), with their coverage. Returns the number of
     * dropped trades.
     */
    readonly dropBefore: (time: number) => Effect.Effect<number, StoreError | LeaseLostError, Lease>
  }
>()("@chaintape/server/cex/tape/Tape") {}

/** The start of a recorded market. */
export interface TapeBeginning {
  /** `BASE/QUOTE`. */
  readonly market: string
  /** Unix milliseconds of the first trade. */
  readonly time: number
}

/** Reads of the tape. Each read sees one state. */
export class TapeReads extends Context.Service<
  TapeReads,
  {
    /** Of each market of an exchange with trades. */
    readonly beginnings: (exchange: string) => Effect.Effect<ReadonlyArray<TapeBeginning>, StoreError>
    /** The newest trade of the newest run of a market, `BASE/QUOTE`; none if nothing is stored. */
    readonly newestTrade: (exchange: string, market: string) => Effect.Effect<Option.Option<SourceTrade>, StoreError>
    /** The newest `limit` trades of an interval of sequences, oldest first (time, then sequence). */
    readonly latest: (
      series: number,
      interval: SequenceRange,
      limit: number
    ) => Effect.Effect<ReadonlyArray<SourceTrade>, StoreError>
    /** The first `limit` trades at or after a time (Unix ms), across intervals, oldest first. */
    readonly since: (series: number, time: number, limit: number) => Effect.Effect<ReadonlyArray<TapeTrade>, StoreError>
    /** The trade of a sequence; none unless its time is between `from` and `to` (Unix ms), both inclusive. */
    readonly find: (
      series: number,
      sequence: number,
      times: { readonly from: number; readonly to: number }
    ) => Effect.Effect<Option.Option<TapeTrade>, StoreError>
    /**
     * Whether the recording has stored that the exchange does not return the trade of a missing sequence. It stays so while the
     * trade is requested again.
     */
    readonly isUnfillable: (series: number, sequence: number) => Effect.Effect<boolean, StoreError>
    /** The candles of a selection with at least one trade, in serialized form. */
    readonly candlePage: (series: number, wanted: CandlesWanted) => Effect.Effect<CandlePage, StoreError>
  }
>()("@chaintape/server/cex/tape/TapeReads") {}
