/** Decodes the events of a live stream of trades. */
import * as DateTime from "effect/DateTime"
import { type Trade, TradeInText } from "../../cex/Trade.ts"
import { quoteDecimals } from "../decode/exactNumbers.ts"
import { toDecoder } from "./decoding.ts"
import { decodeGap, type Gap } from "./eventData.ts"
import type { ServerEvent } from "./eventParser.ts"

const decodeTrade = toDecoder(TradeInText)

interface DecodedTrades {
  /** The trades before a gap, or before a malformed event. */
  readonly trades: ReadonlyArray<Trade>
  readonly gap: Gap | undefined
  /** Whether an event is malformed. */
  readonly isWrong: boolean
}

interface Reader {
  /** Trades before this time are already read. */
  readonly certain: number
  /** The gaps that were reported: a new connection reports them again, as far as they are not filled. */
  readonly gaps: ReadonlyArray<{ readonly from: number; readonly to: number }>
}

/** Events with other names are ignored. */
export const decodeTradeEvents = (events: ReadonlyArray<ServerEvent>, { certain, gaps }: Reader): DecodedTrades => {
  const trades: Array<Trade> = []
  for (const { data, name } of events) {
    if (name === "trade") {
      const trade = decodeTrade(quoteDecimals(data))
      if (trade === undefined) return { trades, gap: undefined, isWrong: true }
      if (DateTime.toEpochMillis(trade.timestamp) >= certain) trades.push(trade)
    } else if (name === "gap") {
      const gap = decodeGap(data)
      if (gap === undefined) return { trades, gap: undefined, isWrong: true }
      const isReported = gaps.some(({ from, to }) =>
        [gap.fromTime, gap.toTime].every((time) => from <= time && time <= to)
      )
      if (gap.toTime >= certain && !isReported) return { trades, gap, isWrong: false }
    }
  }
  return { trades, gap: undefined, isWrong: false }
}
