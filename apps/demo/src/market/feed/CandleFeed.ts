import { Cex } from "@chaintape/cex"
import { type Answer, type Candles, Decimal, type Market, type Timeframe, timeframeSeconds } from "@chaintape/core"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Bars } from "../../chart/Bars.ts"
import { countRequests } from "../../service/Budget.ts"

/** The candles of a market in one timeframe. */
export interface CandleFeed {
  readonly bars: Bars
  /** Whether the service has no older ones. */
  readonly isWhole: boolean
  /** When all candles of the newest page were read, in Unix milliseconds: a gap behind the newest may be closed since. */
  readonly pageReadAt: number
}

export const emptyCandles: CandleFeed = { bars: [], isWhole: false, pageReadAt: 0 }

const page = 500
/** Older bars are not read beyond this number. */
const mostBars = 20_000
const pageEveryMs = 15_000

export interface CandlesOf {
  readonly exchange: string
  readonly market: Market
  readonly timeframe: Timeframe
}

interface Span {
  readonly limit: number
  readonly since?: DateTime.Utc
  readonly until?: DateTime.Utc
}

const seconds = (time: DateTime.Utc) => DateTime.toEpochMillis(time) / 1000

const toBars = ({ coverage, value }: Answer<Candles>): Bars => {
  const unproven = Option.getOrUndefined(coverage)?.unproven.map(
    ({ from, to }) => [seconds(from), seconds(to)] as const
  )
  return value.candles.map(({ close, high, low, open, openTime, volume }) => {
    const start = seconds(openTime)
    return {
      start,
      open: Decimal.toNumber(open),
      high: Decimal.toNumber(high),
      low: Decimal.toNumber(low),
      close: Decimal.toNumber(close),
      volume: Decimal.toNumber(volume),
      isProven: unproven?.every(([from, to]) => start < from || start > to) ?? false
    }
  })
}

const read = (of: CandlesOf, span: Span) =>
  Effect.flatMap(Cex, (cex) => Effect.map(countRequests(cex.withResponse.candles({ ...of, ...span })), toBars))

/** Replaces the bars from the first of `fresh` on. */
const replaced = (bars: Bars, fresh: Bars): Bars => {
  const [first] = fresh
  return first === undefined ? bars : [...bars.filter(({ start }) => start < first.start), ...fresh]
}

/** Reads the newest candle and those after it, and at times the newest page. */
export const advance = Effect.fnUntraced(function* (of: CandlesOf, feed: CandleFeed) {
  const now = yield* Clock.currentTimeMillis
  const last = feed.bars.at(-2)
  const length = timeframeSeconds[of.timeframe]
  const isPageDue = now - feed.pageReadAt >= pageEveryMs
  if (last === undefined || isPageDue || now / 1000 - last.start > page * length) {
    const fresh = yield* read(of, { limit: page })
    const [first] = fresh
    const newest = feed.bars.at(-1)
    // After a long pause, candles between the known ones and this page are missing.
    const isJoined = first !== undefined && newest !== undefined && first.start <= newest.start
    return {
      ...feed,
      bars: isJoined ? replaced(feed.bars, fresh) : fresh,
      isWhole: isJoined && feed.isWhole,
      pageReadAt: now
    }
  }
  const fresh = yield* read(of, { limit: page, since: DateTime.makeUnsafe(last.start * 1000) })
  return { ...feed, bars: replaced(feed.bars, fresh).slice(-mostBars) }
})

/** Reads the candles before the oldest known one. */
export const withOlder = Effect.fnUntraced(function* (of: CandlesOf, feed: CandleFeed) {
  const [first] = feed.bars
  if (first === undefined || feed.isWhole) return feed
  const older = yield* read(of, { limit: page, until: DateTime.makeUnsafe(first.start * 1000 - 1) })
  const isWhole = older.length === 0 || older.length + feed.bars.length >= mostBars
  return { ...feed, bars: [...older.filter(({ start }) => start < first.start), ...feed.bars], isWhole }
})
