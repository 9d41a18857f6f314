import type { SourceTrade } from "../ExchangeSource.ts"
import type { TradesArrival } from "./Arrival.ts"
import type { Coverage } from "./Coverage.ts"
import type { TapeTrade } from "./Tape.ts"

/** A trade that came again with another content. */
export interface Conflict {
  readonly trade: SourceTrade
  /** The content that is kept. */
  readonly kept: string
  readonly sequence: number | undefined
}

/** What arrivals make of a tape. */
export interface Plan {
  /** Those that are not stored yet. */
  readonly trades: ReadonlyArray<TapeTrade>
  readonly coverage: Coverage
  readonly conflicts: ReadonlyArray<Conflict>
  /** Trades whose id is no sequence of this market. */
  readonly refused: ReadonlyArray<SourceTrade>
}

/** Gives trades their place in the tape. Nothing that is planned counts before it is committed. */
export interface Ledger {
  readonly plan: (coverage: Coverage, arrivals: ReadonlyArray<TradesArrival>) => Plan
  readonly commit: (plan: Plan) => void
  /** Begins anew: with the newest trades of the tape, and those of them that are of its newest run. */
  readonly resume: (trades: ReadonlyArray<SourceTrade>, ofRun: ReadonlyArray<SourceTrade>) => void
}
