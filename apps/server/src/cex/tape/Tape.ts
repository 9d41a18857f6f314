import type { Timeframe } from "@chaintape/core/cex/Timeframe"
import { Context, Data } from "effect"
import type { Effect, Option, Schema } from "effect"
import type { SqlError } from "effect/sql"
import type { Lease, LeaseLost } from "../../ownership/Lease.ts"
import type { SourceCandle, SourceTrade } from "../ExchangeSource.ts"
import type { Continuity } from "../TradeFlow.ts"

/** A trade with its place in the tape. */
export interface TapeTrade extends SourceTrade {
  /** The exchange's own id where ids are a sequence, otherwise the count of the market's trades by arrival. */
  readonly sequence: number
  /** Unix milliseconds. */
  readonly receivedAt: number
}

/** A run of the tape without a known gap; both ends inclusive. */
export interface Interval {
  readonly from: number
  readonly to: number
  /** Unix milliseconds of the trades at both ends. */
  readonly fromTime: number
  readonly toTime: number
}

/** What happened to a recording. */
export interface TapeEvent {
  /** Unix milliseconds. */
  readonly at: number
  readonly kind: "connected" | "disconnected" | "stale" | "gap" | "backfilled" | "unfillable" | "conflict" | "dropped"
  /** The sequences that it is about, both inclusive. */
  readonly from: number | undefined
  readonly to: number | undefined
  /** A sentence for an operator. */
  readonly detail: string
}

/** A recorded market. */
export interface Series {
  readonly id: number
  readonly exchange: string
  /** `BASE/QUOTE`. */
  readonly market: string
  readonly continuity: Continuity
  /** Sequence of the market's first trade, before which there is nothing; `null` where ids are no sequence. */
  readonly firstId: number | null
  /** Raised by every write, so that of two writers that know the same version only one goes on. */
  readonly version: number
  /** Ascending, never touching each other: the runs of the sequences that are stored. */
  readonly coverage: ReadonlyArray<Interval>
}

export interface TapeChange {
  /** The version of the series that the change goes on from. */
  readonly version: number
  /** Each with another sequence, none of them stored yet; in any order. */
  readonly trades: ReadonlyArray<TapeTrade>
  /** The whole coverage with these trades. */
  readonly coverage: ReadonlyArray<Interval>
  readonly events: ReadonlyArray<TapeEvent>
}

export type TapeError = SqlError.SqlError | Schema.SchemaError

/** The series is not what the writer holds it for. Nothing was written; whoever goes on opens the series again. */
export class TapeConflict extends Data.TaggedError("TapeConflict")<{
  readonly series: number
  /** The version that the writer knows. */
  readonly version: number
}> {
  override get message(): string {
    return `Version ${this.version} of the recording ${this.series} is not the newest: somebody else has written to it.`
  }
}

/**
 * The recorded trades. Trades, the coverage that they make and the minutes that candles are made of are written in one
 * transaction: what the coverage says is there, is there. Only the owner of the work writes, under its lease.
 */
export class Tape extends Context.Service<
  Tape,
  {
    /** The series of a market, which begins if there is none yet. */
    readonly open: (
      exchange: string,
      market: string,
      continuity: Continuity,
      firstId: Series["firstId"]
    ) => Effect.Effect<Series, TapeError>
    /** The series of a market as it is at this moment. */
    readonly find: (exchange: string, market: string) => Effect.Effect<Option.Option<Series>, TapeError>
    /** Answers with the new version. Trades whose sequence is stored already change nothing. */
    readonly append: (
      series: number,
      change: TapeChange
    ) => Effect.Effect<number, TapeError | TapeConflict | LeaseLost, Lease>
    /** Newest first. */
    readonly events: (series: number, limit: number) => Effect.Effect<ReadonlyArray<TapeEvent>, TapeError>
    /** How many trades are stored. */
    readonly count: (series: number) => Effect.Effect<number, TapeError>
    /**
     * Gives up whole days whose trades all happened before `time` (Unix ms), with the coverage of them. Answers with
     * the number of trades that went.
     */
    readonly dropBefore: (time: number) => Effect.Effect<number, TapeError | LeaseLost, Lease>
  }
>()("@chaintape/server/cex/tape/Tape") {}

/** A candle with what proves it. */
export interface TapeCandle extends SourceCandle {
  /** How many trades it is made of. */
  readonly trades: number
  /** Sequences of the trades that opened and closed it. */
  readonly openSequence: number
  readonly closeSequence: number
}

/** Reads of the tape. Each reads one state of it. */
export class TapeReads extends Context.Service<
  TapeReads,
  {
    /** The newest `limit` trades of an interval of sequences, oldest first (time, then sequence). */
    readonly latest: (
      series: number,
      interval: { readonly from: number; readonly to: number },
      limit: number
    ) => Effect.Effect<ReadonlyArray<SourceTrade>, TapeError>
    /** The first `limit` trades at or after a time (Unix ms), whatever interval they are of, oldest first. */
    readonly since: (series: number, time: number, limit: number) => Effect.Effect<ReadonlyArray<TapeTrade>, TapeError>
    /** The candles with at least one trade that start in `[from, to)` (Unix ms), oldest first. */
    readonly candles: (
      series: number,
      timeframe: Timeframe,
      from: number,
      to: number
    ) => Effect.Effect<ReadonlyArray<TapeCandle>, TapeError>
    /** The newest candle that holds a trade. */
    readonly lastCandle: (series: number, timeframe: Timeframe) => Effect.Effect<Option.Option<TapeCandle>, TapeError>
  }
>()("@chaintape/server/cex/tape/TapeReads") {}
