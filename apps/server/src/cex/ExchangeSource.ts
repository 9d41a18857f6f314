import type { Timeframe } from "@chaintape/core"
import { Context, Data, Schema } from "effect"
import type { Effect, Option } from "effect"
import * as ExactDecimal from "../internal/ExactDecimal.ts"
import { transientFailures } from "../sources/SourceFailure.ts"
import type { SourceFailure } from "../sources/SourceFailure.ts"
import { Completeness } from "./Completeness.ts"

/** Canonical decimal text: no exponent, no trailing zeros, no sign. */
const Decimal = Schema.String.check(Schema.makeFilter((text) => ExactDecimal.canonical(text) === text))

/** A trade as a source returns it. */
export const SourceTrade = Schema.Struct({
  id: Schema.String,
  /** Unix milliseconds of the execution. */
  timestamp: Schema.Int,
  price: Decimal,
  size: Decimal,
  /** price x size, exact. */
  cost: Decimal,
  /** The taker's side. */
  side: Schema.Literals(["buy", "sell"])
})

export type SourceTrade = typeof SourceTrade.Type

/** A trade of a market with consecutive ids. */
export interface SequencedTrade extends SourceTrade {
  /** Its id. */
  readonly sequence: number
}

export const SourceCandle = Schema.Struct({
  /** Unix milliseconds of the start. */
  start: Schema.Int,
  open: Decimal,
  high: Decimal,
  low: Decimal,
  close: Decimal,
  volume: Decimal
})

export type SourceCandle = typeof SourceCandle.Type

/** Oldest first. */
export const SourceTrades = Schema.Struct({ trades: Schema.Array(SourceTrade), completeness: Completeness })

export type SourceTrades = typeof SourceTrades.Type

/** The page size of the newest trades at most exchanges. */
export const newestPage = 1000

/** How long the newest trades and the newest candle are shared with later callers, of this instance and of others. */
export const newestFreshMs = 500

/** Base and quote in upper case. */
export interface MarketName {
  readonly base: string
  readonly quote: string
}

/** Base and quote of a market written `BASE/QUOTE`. */
export const parseMarket = (market: string): MarketName => {
  const slash = market.indexOf("/")
  return { base: market.slice(0, slash), quote: market.slice(slash + 1) }
}

/** A market that an exchange lists. */
export interface SourceMarket extends MarketName {
  /** False if the exchange states that the market does not trade now. */
  readonly active: boolean
}

export type ExchangeErrorReason =
  | SourceFailure
  /** The exchange rejects this request, and may accept others. */
  | "Rejected"
  /** The exchange does not list the market. */
  | "MarketNotFound"
  /** The exchange does not support the operation without an account. */
  | "NotSupported"

export class ExchangeError extends Data.TaggedError("ExchangeError")<{
  readonly exchange: string
  readonly reason: ExchangeErrorReason
  /** A sentence for the caller: what happened, with the offending value; never a URL with secrets, never a stack. */
  readonly message: string
  /** The delay that the exchange, or our queue, requires. */
  readonly retryAfterMs?: number
}> {}

const transient = {
  ...transientFailures,
  Rejected: false,
  MarketNotFound: false,
  NotSupported: false
} satisfies Record<ExchangeErrorReason, boolean>

/** Whether a repetition may succeed at once. */
export const isTransient = ({ reason }: ExchangeError): boolean => transient[reason]

const unsupported = {
  Busy: false,
  Timeout: false,
  Unavailable: false,
  Refused: false,
  BadResponse: false,
  Rejected: false,
  MarketNotFound: true,
  NotSupported: true
} satisfies Record<ExchangeErrorReason, boolean>

/** Whether the exchange lacks what was requested, which is no failure of it. */
export const isUnsupported = ({ reason }: ExchangeError): boolean => unsupported[reason]

/** A selection of the trades of a market. */
export interface TradesWanted {
  readonly limit: number
  /** Unix milliseconds, inclusive. If absent, the latest trades are selected. */
  readonly since: Option.Option<number>
  /** Only trades before this known one. */
  readonly before: Option.Option<Pick<SourceTrade, "id" | "timestamp">>
}

/** A selection of candles by their start (Unix ms, multiples of the timeframe, both inclusive). */
export interface CandlesWanted {
  readonly timeframe: Timeframe
  readonly from: number
  readonly to: number
  readonly limit: number
  /** Which of them, if they are more than `limit`. */
  readonly take: "first" | "latest"
}

/** Port: the source of an exchange's trades and candles. `exchange` is an id of the catalog or the configuration. */
export class ExchangeSource extends Context.Service<
  ExchangeSource,
  {
    /** The markets that can be read, each once, in any order. */
    readonly markets: (exchange: string) => Effect.Effect<ReadonlyArray<SourceMarket>, ExchangeError>
    /** The latest `limit` trades, or with `since` the first `limit` from there on. */
    readonly trades: (
      exchange: string,
      market: MarketName,
      request: TradesWanted
    ) => Effect.Effect<SourceTrades, ExchangeError>
    /** The latest candle with at least one trade, open or closed; none if there was no trade yet. */
    readonly lastCandle: (
      exchange: string,
      market: MarketName,
      timeframe: Timeframe
    ) => Effect.Effect<Option.Option<SourceCandle>, ExchangeError>
    /** The exchange's own candles with a trade, oldest first. */
    readonly candles: (
      exchange: string,
      market: MarketName,
      request: CandlesWanted
    ) => Effect.Effect<ReadonlyArray<SourceCandle>, ExchangeError>
  }
>()("@chaintape/server/cex/ExchangeSource") {}
