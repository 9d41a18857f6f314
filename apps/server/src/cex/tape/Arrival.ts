import type { FlowBatch } from "../TradeFlow.ts"
import type { TapeEvent } from "./Tape.ts"

/** Trades on their way to the tape. */
export interface TradesArrival {
  readonly kind: "trades"
  /** `backfill`: trades that were asked for, which close gaps. */
  readonly from: FlowBatch["kind"] | "backfill"
  readonly trades: FlowBatch["trades"]
  /** Unix milliseconds. */
  readonly receivedAt: number
  /** Of which connection, counted from 1; 0 for a backfill. */
  readonly connection: number
  /** Whether trades that came just before were given up. */
  readonly afterLoss: boolean
}

/** What a recording writes to the tape. */
export type Arrival = TradesArrival | { readonly kind: "event"; readonly event: TapeEvent }

export const isTrades = (arrival: Arrival): arrival is TradesArrival => arrival.kind === "trades"

export const sizeOf = (arrival: Arrival): number => (arrival.kind === "trades" ? arrival.trades.length : 0)
