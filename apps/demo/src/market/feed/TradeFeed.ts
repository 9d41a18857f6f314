import { Cex } from "@chaintape/cex"
import type { Answer, Coverage, Market, Trade, Trades } from "@chaintape/core"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { countRequests } from "../../service/Budget.ts"
import type { Bars } from "./MinuteBars.ts"
import { append, toMinutes } from "./MinuteBars.ts"

/**
 * The trades of one market: `settled` minutes, which do not change any more, and after them the trades that are read
 * again until the service proves that none of them is missing.
 */
export interface Feed {
  readonly settled: Bars
  /** The newest of the settled trades. */
  readonly tape: ReadonlyArray<Trade>
  /** Trades at or after this time are read again. */
  readonly since: DateTime.Utc | undefined
  readonly unsettled: ReadonlyArray<Trade>
  readonly oldest: DateTime.Utc | undefined
  /** Ids of the oldest trades, which share one millisecond. */
  readonly oldestIds: ReadonlySet<string>
  readonly coverage: Coverage | undefined
  /** Whether the exchange has no older trades. */
  readonly isWhole: boolean
}

export const emptyFeed: Feed = {
  settled: [],
  tape: [],
  since: undefined,
  unsettled: [],
  oldest: undefined,
  oldestIds: new Set(),
  coverage: undefined,
  isWhole: false
}

const tapeLength = 120
/** A request for fewer than a thousand rows costs one. */
const page = 999
/** The maximum number of trades read again; beyond it they are considered settled. */
const mostUnsettled = 4000
const mostMinutes = 20_000
/** After a pause longer than this the feed starts over. */
const longestPause = 10 * 60_000

interface Listing {
  readonly exchange: string
  readonly market: Market
}

const read = (listing: Listing, request: { readonly limit: number; readonly since?: DateTime.Utc }) =>
  Effect.flatMap(Cex, (cex) => countRequests(cex.withResponse.trades({ ...listing, ...request })))

const millis = DateTime.toEpochMillis

const isSettled = (answer: Answer<Trades>, count: number) =>
  count > mostUnsettled || Option.getOrUndefined(answer.coverage)?.state !== "incomplete"

const firstIds = (trades: ReadonlyArray<Trade>, oldest: number | undefined) =>
  new Set(trades.filter(({ timestamp }) => millis(timestamp) === oldest).map(({ id }) => id))

/** Replaces the unsettled trades. */
const taken = (feed: Feed, trades: ReadonlyArray<Trade>, answer: Answer<Trades>): Feed => {
  const known = new Set(feed.tape.map(({ id }) => id))
  const fresh = trades.filter(({ id }) => !known.has(id))
  const coverage = Option.getOrUndefined(answer.coverage)
  const oldest = feed.oldest ?? trades[0]?.timestamp
  const begun = {
    ...feed,
    coverage,
    oldest,
    oldestIds: feed.oldest === undefined && oldest !== undefined ? firstIds(trades, millis(oldest)) : feed.oldestIds
  }
  if (!isSettled(answer, fresh.length)) return { ...begun, since: feed.since ?? trades[0]?.timestamp, unsettled: fresh }
  return {
    ...begun,
    settled: append(feed.settled, toMinutes(fresh)).slice(-mostMinutes),
    tape: [...feed.tape, ...fresh].slice(-tapeLength),
    since: trades.at(-1)?.timestamp ?? feed.since,
    unsettled: []
  }
}

/** Reads the new trades. */
export const advance = Effect.fnUntraced(function* (listing: Listing, feed: Feed) {
  const now = yield* Clock.currentTimeMillis
  if (feed.since === undefined || now - millis(feed.since) > longestPause) {
    const answer = yield* read(listing, { limit: page })
    return taken(emptyFeed, answer.value.trades, answer)
  }
  const limit = feed.unsettled.length > page / 2 ? mostUnsettled + page : page
  const answer = yield* read(listing, { limit, since: feed.since })
  return taken(feed, answer.value.trades, answer)
})

const oldestSpan = 6 * 24 * 3_600_000
const oldPage = 5000

/** How far back the next page begins, estimated from the density of the known trades. */
const getSpan = (feed: Feed): number => {
  const [first] = feed.settled
  const last = feed.settled.at(-1)
  const count = feed.settled.reduce((sum, bar) => sum + bar.count, 0)
  const span = first === undefined || last === undefined ? 0 : (last.start - first.start + 60) * 1000
  return Math.min(oldestSpan, Math.max(5 * 60_000, count === 0 ? 0 : (span / count) * oldPage * 0.7))
}

/** The trades from `since` up to the oldest known one, read page by page. Undefined if there are too many. */
const between = Effect.fnUntraced(function* (listing: Listing, since: DateTime.Utc, until: number) {
  const found: Array<Trade> = []
  let from = since
  for (let pages = 0; pages < 3; pages++) {
    const { value } = yield* read(listing, { limit: oldPage, since: from })
    const known = new Set(found.slice(-page).map(({ id }) => id))
    found.push(...value.trades.filter(({ id, timestamp }) => millis(timestamp) <= until && !known.has(id)))
    const last = value.trades.at(-1)
    if (last === undefined || millis(last.timestamp) >= until || value.trades.length < oldPage) return found
    from = last.timestamp
  }
  return undefined
})

/** Reads the trades before the oldest known one. */
export const withOlder = Effect.fnUntraced(function* (listing: Listing, feed: Feed) {
  if (feed.oldest === undefined || feed.isWhole) return feed
  const until = millis(feed.oldest)
  const wanted = getSpan(feed)
  const trades =
    (yield* between(listing, DateTime.subtract(feed.oldest, { milliseconds: wanted }), until)) ??
    (yield* between(listing, DateTime.subtract(feed.oldest, { milliseconds: wanted / 8 }), until)) ??
    []
  const older = trades.filter(({ id }) => !feed.oldestIds.has(id))
  const [first] = older
  if (first === undefined) return { ...feed, isWhole: true }
  return {
    ...feed,
    settled: append(toMinutes(older), feed.settled),
    oldest: first.timestamp,
    oldestIds: firstIds(older, millis(first.timestamp))
  }
})

/** All minutes that are known. */
export const minutesIn = (feed: Feed): Bars => append(feed.settled, toMinutes(feed.unsettled))

/** The newest trades, newest first. */
export const newestIn = (feed: Feed, count: number): ReadonlyArray<Trade> =>
  [...feed.tape.slice(-count), ...feed.unsettled.slice(-count)].slice(-count).toReversed()
