import type { Timeframe } from "@chaintape/core/cex/Timeframe"
import { Context, Data } from "effect"
import type { Effect, Option } from "effect"

/** A trade as a source states it: every number is canonical decimal text (no exponent, no trailing zeros, no sign). */
export interface SourceTrade {
  readonly id: string
  /** Unix milliseconds of the execution. */
  readonly timestamp: number
  readonly price: string
  readonly size: string
  /** price x size, exactly. */
  readonly cost: string
  /** The taker's side. */
  readonly side: "buy" | "sell"
}

export interface SourceCandle {
  /** Unix milliseconds of the start. */
  readonly start: number
  readonly open: string
  readonly high: string
  readonly low: string
  readonly close: string
  readonly volume: string
}

/**
 * What is known about a run of trades: `complete` proves that no trade between the first and the last is missing,
 * `incomplete` says that some are, `unverifiable` that this exchange gives no means to tell.
 */
export type Completeness = "complete" | "incomplete" | "unverifiable"

/** Oldest first. */
export interface SourceTrades {
  readonly trades: ReadonlyArray<SourceTrade>
  readonly completeness: Completeness
}

/** Base and quote in upper case. */
export interface MarketPair {
  readonly base: string
  readonly quote: string
}

export type ExchangeFailure =
  /** The exchange does not list the market. */
  | "MarketNotFound"
  /** The exchange does not offer the operation without an account. */
  | "NotSupported"
  /** The exchange limits us, or our queue before it is full. */
  | "Busy"
  /** The exchange did not answer in time. */
  | "Timeout"
  /** The connection failed, or the exchange answered with a server error. */
  | "Unavailable"
  /** The exchange refuses this caller (region, credentials). */
  | "Refused"
  /** The answer is not what the exchange's interface promises. Nothing of it is used. */
  | "BadResponse"

export class ExchangeError extends Data.TaggedError("ExchangeError")<{
  readonly exchange: string
  readonly reason: ExchangeFailure
  /** A sentence for the caller: what happened, with the offending value; never a URL with secrets, never a stack. */
  readonly message: string
  /** How long the exchange, or our queue, asks to wait. */
  readonly retryAfterMs?: number
}> {
  get isRetryable(): boolean {
    return this.reason === "Busy" || this.reason === "Timeout" || this.reason === "Unavailable"
  }
}

/** Which trades of a market. */
export interface TradesWanted {
  readonly limit: number
  /** Unix milliseconds, inclusive. Without it the latest trades are wanted. */
  readonly since: Option.Option<number>
  /** Only trades that come before this one, which is known already. */
  readonly before: Option.Option<Pick<SourceTrade, "id" | "timestamp">>
}

/** Port: where trades and candles of an exchange come from. `exchange` is an id of the catalog or the configuration. */
export class ExchangeSource extends Context.Service<
  ExchangeSource,
  {
    /** The latest `limit` trades, or with `since` the first `limit` from there on. */
    readonly trades: (
      exchange: string,
      market: MarketPair,
      request: TradesWanted
    ) => Effect.Effect<SourceTrades, ExchangeError>
    /** The latest candle that holds at least one trade, open or closed; none if there was no trade yet. */
    readonly lastCandle: (
      exchange: string,
      market: MarketPair,
      timeframe: Timeframe
    ) => Effect.Effect<Option.Option<SourceCandle>, ExchangeError>
  }
>()("@chaintape/server/cex/ExchangeSource") {}
