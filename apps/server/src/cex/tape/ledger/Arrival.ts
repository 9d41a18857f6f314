import type { FlowBatch } from "../../TradeFlow.ts"
import type { TapeEvent } from "../Tape.ts"

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
