import type { Coverage } from "../tape/ledger/Coverage.ts"
import type { Interval, TapeTrade } from "../tape/Tape.ts"

/** The part of the tape after a sequence. */
export type TradeStep =
  | { readonly kind: "nothing" }
  /** Trades without a gap, both ends inclusive. */
  | { readonly kind: "run"; readonly from: number; readonly to: number }
  /** Sequences that the tape lacks; `next` begins after them. `isOlder` if the tape holds nothing before them. */
  | { readonly kind: "gap"; readonly next: Interval; readonly isOlder: boolean }

export const stepAfter = (coverage: Coverage, sequence: number): TradeStep => {
  const next = coverage.find(({ to }) => to > sequence)
  if (next === undefined) return { kind: "nothing" }
  if (next.from <= sequence + 1) return { kind: "run", from: sequence + 1, to: next.to }
  return { kind: "gap", next, isOlder: next === coverage[0] }
}

/** From trades in any order, the consecutive ones starting at `from`, up to `to`. */
export const findRun = (
  trades: ReadonlyArray<TapeTrade>,
  { from, to }: { readonly from: number; readonly to: number }
): ReadonlyArray<TapeTrade> => {
  const wanted = trades
    .filter(({ sequence }) => sequence >= from && sequence <= to)
    .sort((one, other) => one.sequence - other.sequence)
  const end = wanted.findIndex(({ sequence }, at) => sequence !== from + at)
  return end < 0 ? wanted : wanted.slice(0, end)
}
