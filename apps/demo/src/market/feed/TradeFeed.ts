import { Cex, CexStream } from "@chaintape/cex"
import type { Coverage, Trade } from "@chaintape/core"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { ChartCandles } from "../../chart/ChartCandle.ts"
import type { Listing } from "../../proof/Claim.ts"
import { countRequests } from "../../service/Budget.ts"
import { addTrades } from "./Minutes.ts"

/** All trades of a market from a minute on: as candles, and the newest of them one by one. Times are Unix milliseconds. */
export interface TradeFeed {
  /** The beginning of the first minute. */
  readonly start: number
  readonly minutes: ChartCandles
  /** Newest first. */
  readonly trades: ReadonlyArray<Trade>
  /** The time of the newest trade. */
  readonly newest: number
  /** The coverage of `trades`; undefined until it is known. */
  readonly coverage: Coverage["state"] | undefined
  /** Trades may be missing up to this time. */
  readonly unprovenTo: number
  /** The last page of the stream. */
  readonly page: CexStream.TradePage | undefined
}

const minute = 60_000

/** Trades on the tape. */
export const tapeRows = 60

/** The tape has more while they may have a gap among them: 60 trades of a busy market are four seconds. */
const gapRows = 300

/** A request for fewer than a thousand trades costs one unit of the budget. */
const pageSize = 999

/** Trades of a busy market are drawn together. */
const drawEvery = "1 second"

/** After a longer pause, the feed starts over instead of reading all trades since. */
const maxPause = 10 * minute

/** A service may show a trade this much after newer ones. */
const settle = 10_000

const millis = ({ timestamp }: Trade) => DateTime.toEpochMillis(timestamp)

/** A feed that begins early enough to fill the tape. */
const begin = Effect.fnUntraced(function* (listing: Listing) {
  const cex = yield* Cex
  const { value } = yield* countRequests(cex.withResponse.trades({ ...listing, limit: tapeRows }))
  const times = value.trades.map(millis)
  // The clock of the browser may be behind by hours, of which every trade would be read.
  const newest = times.length === 0 ? yield* Clock.currentTimeMillis : Math.max(...times)
  const start = Math.floor(Math.min(newest - settle, ...times) / minute) * minute
  const feed: TradeFeed = {
    start,
    minutes: [],
    trades: [],
    newest: start,
    coverage: undefined,
    unprovenTo: 0,
    page: undefined
  }
  return feed
})

const addPages = (feed: TradeFeed, pages: ReadonlyArray<CexStream.TradePage>): TradeFeed => {
  const page = pages.at(-1) ?? feed.page
  const newestFirst = [...pages.flatMap((one) => one.trades).toReversed(), ...feed.trades]
  const known = pages.flatMap(({ coverage }) => Option.toArray(coverage))
  const gapEnds = known.flatMap(({ state, to }) =>
    state === "incomplete" ? Option.toArray(Option.map(to, DateTime.toEpochMillis)) : []
  )
  const unprovenTo = Math.max(feed.unprovenTo, ...gapEnds)
  const rowsWithGap = newestFirst.slice(0, gapRows)
  const trades = rowsWithGap.some((trade) => millis(trade) <= unprovenTo) ? rowsWithGap : newestFirst.slice(0, tapeRows)
  const oldest = trades.at(-1)
  const isUnproven = oldest !== undefined && unprovenTo >= millis(oldest)
  return {
    ...feed,
    minutes: addTrades(feed.minutes, feed.newest / 1000, pages),
    trades,
    newest: pages.reduce(
      (newest, one) => one.trades.reduce((time, trade) => Math.max(time, millis(trade)), newest),
      feed.newest
    ),
    coverage: isUnproven ? "incomplete" : (known.at(-1)?.state ?? feed.coverage),
    unprovenTo,
    page
  }
}

const resume = (listing: Listing, feed: TradeFeed) =>
  CexStream.tradePages({ ...listing, since: feed.start, live: true, pageSize, cursor: feed.page?.cursor }).pipe(
    Stream.groupedWithin(1000, drawEvery),
    Stream.scan(() => feed, addPages),
    Stream.drop(1)
  )

/** The trades of a market as they happen, after the last state of the feed. */
export const followTrades =
  (listing: Listing) =>
  (last: TradeFeed | undefined): Stream.Stream<TradeFeed, CexStream.TradeStreamError, Cex> =>
    Stream.unwrap(
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const again = Effect.map(begin(listing), (feed) => resume(listing, feed))
        if (last === undefined || now - last.newest >= maxPause) return yield* again
        // A cursor that does not name its position any more: the feed starts over.
        return resume(listing, last).pipe(Stream.catchTag("InvalidCursor", () => Stream.unwrap(again)))
      })
    )
