import { Context } from "effect"
import type { Effect, Stream } from "effect"
import type { ExchangeError, MarketPair, SourceTrade } from "./ExchangeSource.ts"

/**
 * Whether it can be proven that no trade is missing: `sequence` where the ids of a market are consecutive integers,
 * `overlap` where only a page that reaches back to a known trade tells that nothing was lost.
 */
export type Continuity = "sequence" | "overlap"

/** Trades as they arrived, in the order in which the exchange stated them. */
export interface FlowBatch {
  /**
   * `live`: follows the batch before it without a known loss. `page`: the newest trades at that moment, which overlap
   * with earlier batches unless trades were lost in between; the first batch of every connection is one.
   */
  readonly kind: "live" | "page"
  readonly trades: ReadonlyArray<SourceTrade>
  /** Unix milliseconds. */
  readonly receivedAt: number
}

/** The flow of one market. */
export interface MarketFlow {
  readonly continuity: Continuity
  /** Id of the market's first trade; for `sequence` only. */
  readonly firstId: number
  /** What the trades arrive by. */
  readonly transport: "websocket" | "polling"
  /**
   * Connects and emits until the connection is lost, which is a failure; it never ends by itself. Where more arrives
   * than is taken, it drops trades and then emits a `page`.
   */
  readonly live: Stream.Stream<FlowBatch, ExchangeError>
  /**
   * For `sequence` only: the trades with ids from `from` to `to`, both inclusive, ascending; those the exchange still
   * has. Any number of ids may be asked for at once, and is read page by page.
   */
  readonly range: (from: number, to: number) => Effect.Effect<ReadonlyArray<SourceTrade>, ExchangeError>
}

/** Port: the trades of a market as they happen. Reads of callers go before its own. */
export class TradeFlow extends Context.Service<
  TradeFlow,
  {
    readonly open: (exchange: string, market: MarketPair) => Effect.Effect<MarketFlow, ExchangeError>
  }
>()("@chaintape/server/cex/TradeFlow") {}
