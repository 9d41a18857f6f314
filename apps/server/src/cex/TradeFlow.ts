import { Context, Schema } from "effect"
import type { Effect, Scope, Stream } from "effect"
import type { ExchangeError, MarketName, SequencedTrade, SourceTrade } from "./ExchangeSource.ts"

/**
 * How it can be proven that no trade is missing: `sequence` if the ids of a market are consecutive integers, `overlap`
 * if only a page that reaches back to a known trade proves it.
 */
export const Continuity = Schema.Literals(["sequence", "overlap"])

export type Continuity = typeof Continuity.Type

/** Trades in the order of arrival, which is the exchange's. */
export interface FlowBatch {
  /**
   * `live`: follows the previous batch without a known loss. `page`: the newest trades at that moment, which overlap
   * with earlier batches unless trades were lost in between; the first trades of every connection are one.
   */
  readonly kind: "live" | "page"
  /** None in a `live` batch: the exchange sent something else than a trade. */
  readonly trades: ReadonlyArray<SourceTrade>
  /** The number of trades directly before these that arrived and were dropped, because nothing consumed them in time. */
  readonly dropped: number
  /** Unix milliseconds. */
  readonly receivedAt: number
  /**
   * By `monotonicMillis`: whatever the exchange sent until then is in this batch or in an earlier one. Undefined while
   * more waits.
   */
  readonly upToDateAt: number | undefined
}

/** How trades arrive. */
export type Transport = "websocket" | "polling"

interface LiveFlow {
  /** That of the next connection: a stream that cannot be used is given up for polling. */
  readonly transport: Effect.Effect<Transport>
  /**
   * Connects and emits until the connection is lost, which is a failure; it never completes. It is the only queue
   * between the socket and the ledger: if more arrives than is consumed, it drops what is queued and then emits a
   * `page`.
   */
  readonly live: Stream.Stream<FlowBatch, ExchangeError>
}

/** The flow of a market with consecutive ids. */
export interface SequenceFlow extends LiveFlow {
  readonly continuity: "sequence"
  /** Id of the market's first trade. */
  readonly firstId: number
  /**
   * The trades with ids from `from` to `to`, both inclusive, ascending; those that the exchange still has. A range of any
   * length is read page by page.
   */
  readonly range: (from: number, to: number) => Effect.Effect<ReadonlyArray<SequencedTrade>, ExchangeError>
}

/** The flow of a market whose ids prove nothing. */
interface OverlapFlow extends LiveFlow {
  readonly continuity: "overlap"
}

/** The flow of one market. */
export type MarketFlow = SequenceFlow | OverlapFlow

/** Port: the live trades of a market. Requests of callers have priority over its own. */
export class TradeFlow extends Context.Service<
  TradeFlow,
  {
    /** Holds the connection to the exchange until the scope ends. */
    readonly open: (exchange: string, market: MarketName) => Effect.Effect<MarketFlow, ExchangeError, Scope.Scope>
  }
>()("@chaintape/server/cex/TradeFlow") {}
