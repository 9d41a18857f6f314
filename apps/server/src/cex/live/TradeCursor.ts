import type { Position } from "../tape/ledger/Coverage.ts"
import { toSequence } from "../TradeSequence.ts"

/** A position among the trades of a market. */
export type TradePosition =
  /** Before the first trade at or after this time (Unix ms), which is not known yet. */
  | { readonly kind: "time"; readonly time: number }
  /** After a sequence. `time` (Unix ms) is its approximate time. */
  | { readonly kind: "sequence"; readonly sequence: number; readonly time: number; readonly cursor: string }

export const atTime = (time: number): TradePosition => ({ kind: "time", time })

/** After a trade of the tape. */
export const afterTrade = (sequence: number, time: number): TradePosition => ({
  kind: "sequence",
  sequence,
  time,
  cursor: `a${sequence}-${time}`
})

/** Before a trade of the tape, whose predecessor may be missing. */
export const beforeTrade = (sequence: number, time: number): TradePosition => ({
  kind: "sequence",
  sequence: sequence - 1,
  time,
  cursor: `b${sequence}-${time}`
})

export const toCursor = (position: TradePosition): string =>
  position.kind === "time" ? `s${position.time}` : position.cursor

interface DecodedCursor {
  readonly position: TradePosition
  /** The trade in the cursor, which distinguishes a cursor of this tape from one of another. */
  readonly anchor: Position | undefined
}

export const decodeCursor = (text: string): DecodedCursor | undefined => {
  const [, kind, first = "", second = ""] = /^([abs])(\d{1,16})(?:-(\d{1,16}))?$/.exec(text) ?? []
  const number = toSequence(first)
  if (number === undefined) return undefined
  if (kind === "s") return second === "" ? { position: atTime(number), anchor: undefined } : undefined
  const time = toSequence(second)
  if (time === undefined) return undefined
  return {
    position: kind === "a" ? afterTrade(number, time) : beforeTrade(number, time),
    anchor: { sequence: number, timestamp: time }
  }
}
