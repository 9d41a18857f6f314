import { Cex } from "@chaintape/cex"
import type { Answer, Coverage, Market, Trade, Trades } from "@chaintape/core"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { countRequests } from "../../service/Budget.ts"

/**
 * The newest trades of one market: `tape`, which does not change any more, and after it the trades that are read again
 * until the service proves that none of them is missing.
 */
export interface Feed {
  readonly tape: ReadonlyArray<Trade>
  /** Trades at or after this time are read again. */
  readonly since: DateTime.Utc | undefined
  readonly unsettled: ReadonlyArray<Trade>
  readonly coverage: Coverage | undefined
}

export const emptyFeed: Feed = { tape: [], since: undefined, unsettled: [], coverage: undefined }

const tapeLength = 120
/** A request for fewer than a thousand rows costs one. */
const page = 999
/** The maximum number of trades read again; beyond it they are considered settled. */
const mostUnsettled = 4000
/** After a pause longer than this the feed starts over. */
const longestPause = 10 * 60_000

export interface Listing {
  readonly exchange: string
  readonly market: Market
}

const read = (listing: Listing, request: { readonly limit: number; readonly since?: DateTime.Utc }) =>
  Effect.flatMap(Cex, (cex) => countRequests(cex.withResponse.trades({ ...listing, ...request })))

const millis = DateTime.toEpochMillis

const isSettled = (answer: Answer<Trades>, count: number) =>
  count > mostUnsettled || Option.getOrUndefined(answer.coverage)?.state !== "incomplete"

/** Replaces the unsettled trades. */
const taken = (feed: Feed, trades: ReadonlyArray<Trade>, answer: Answer<Trades>): Feed => {
  const known = new Set(feed.tape.map(({ id }) => id))
  const fresh = trades.filter(({ id }) => !known.has(id))
  const coverage = Option.getOrUndefined(answer.coverage)
  if (!isSettled(answer, fresh.length))
    return { ...feed, coverage, since: feed.since ?? trades[0]?.timestamp, unsettled: fresh }
  return {
    coverage,
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

/** The newest trades, newest first. */
export const newestIn = (feed: Feed, count: number): ReadonlyArray<Trade> =>
  [...feed.tape.slice(-count), ...feed.unsettled.slice(-count)].slice(-count).toReversed()
