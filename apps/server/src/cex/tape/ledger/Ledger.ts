import type { SourceTrade } from "../../ExchangeSource.ts"
import type { FlowBatch } from "../../TradeFlow.ts"
import type { TapeEvent, TapeTrade } from "../Tape.ts"
import type { Coverage } from "./Coverage.ts"

/** Trades on their way to the tape. */
export interface TradesArrival {
  readonly kind: "trades"
  /** `backfill`: trades that were requested to close gaps. */
  readonly from: FlowBatch["kind"] | "backfill"
  readonly trades: FlowBatch["trades"]
  /** Unix milliseconds. */
  readonly receivedAt: number
  /** The number of the connection, counted from 1; 0 for a backfill. */
  readonly connection: number
}

/** A write of a recording to the tape. */
export type Arrival = TradesArrival | { readonly kind: "event"; readonly event: TapeEvent }

export const isTrades = (arrival: Arrival): arrival is TradesArrival => arrival.kind === "trades"

export const getSize = (arrival: Arrival): number => (arrival.kind === "trades" ? arrival.trades.length : 0)

/** A trade that arrived again with different content. */
export interface Conflict {
  readonly trade: SourceTrade
  /** The content that stays. */
  readonly stored: string
  readonly sequence: number | undefined
}

/** The changes that arrivals make to a tape. */
export interface LedgerPlan {
  /** The trades that are not stored yet. */
  readonly trades: ReadonlyArray<TapeTrade>
  readonly coverage: Coverage
  readonly conflicts: ReadonlyArray<Conflict>
  /** Trades whose id is not a sequence of this market, or whose time contradicts their sequence. */
  readonly refused: ReadonlyArray<SourceTrade>
}

/** Assigns trades their position in the tape. A plan takes effect when it is committed. */
export interface Ledger {
  /** `isAfterLoss`: trades directly before the arrivals were dropped. */
  readonly plan: (coverage: Coverage, arrivals: ReadonlyArray<TradesArrival>, isAfterLoss: boolean) => LedgerPlan
  readonly commit: (plan: LedgerPlan) => void
  /** Starts over: with the newest trades of the tape, and those of them in its newest run. */
  readonly resume: (trades: ReadonlyArray<SourceTrade>, ofRun: ReadonlyArray<SourceTrade>) => void
}
