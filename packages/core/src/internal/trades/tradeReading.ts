/** Reads trades: page by page, and live if there is a live stream of them. */
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { trades } from "../../api/CexOperations.ts"
import type { Coverage } from "../../client/Answer.ts"
import type { InvalidParameter } from "../../problem/Problem.ts"
import { type InvalidCursor, TradesTooDense } from "../../stream/StreamError.ts"
import type { ServerEvent } from "../live/eventParser.ts"
import { makeEventSource } from "../live/eventSource.ts"
import { liveTrades } from "../live/operations.ts"
import { decodeTradeEvents } from "../live/tradeEvents.ts"
import { namingPageSize } from "../pagination/pageSize.ts"
import { checkRequest, tradeOptions } from "../pagination/streamRequest.ts"
import { elapsedMillis } from "../retry/elapsed.ts"
import { getTradeCursor, readTradeCursor } from "./tradeCursor.ts"
import type { CheckedTradesRequest, ReadTrades, TradeGap, TradePage, TradesRequest } from "./tradePage.ts"
import {
  lookingBack,
  type ReadingRules,
  type ReportedGap,
  startAt,
  step,
  stepLive,
  type TradePosition
} from "./tradePosition.ts"

/** After this long without a trade, a live stream is compared with a poll. */
const quietMs = 10_000

const toRules = ({ live, pageSize, settle, until }: CheckedTradesRequest): ReadingRules => ({
  live: live ?? false,
  pageSize: pageSize ?? 5000,
  settle: Duration.toMillis(settle ?? Duration.seconds(10)),
  until: until === undefined ? Number.POSITIVE_INFINITY : DateTime.toEpochMillis(until)
})

interface Read {
  readonly pages: ReadonlyArray<TradePage>
  readonly next: Option.Option<TradePosition>
}

const toGap = ({ from, missing, to }: ReportedGap, state: TradeGap["state"]): TradeGap => ({
  state,
  from: DateTime.makeUnsafe(from),
  to: DateTime.makeUnsafe(to),
  missing: Option.fromUndefinedOr(missing)
})

/** Whether a response from `at` on that reaches `to` proves that a gap is filled. */
const isFilled = ({ from, to }: ReportedGap, at: number, reached: number, coverage: Option.Option<Coverage>): boolean =>
  at <= from && to <= reached && Option.exists(coverage, ({ state }) => state === "complete")

/** Reads from a position on: requests a page, or receives live trades. */
const makeReading = Effect.fnUntraced(function* <E, R>(read: ReadTrades<E, R>, request: CheckedTradesRequest) {
  const { exchange, market, pollEvery = Duration.seconds(1) } = request
  const rules = toRules(request)
  const isFollowing = rules.live && request.until === undefined
  const source = yield* makeEventSource(liveTrades)
  const resumed = request.cursor === undefined ? undefined : yield* readTradeCursor(request, request.cursor)
  let recall = resumed?.recall
  let lastCoverage: Option.Option<Coverage> = Option.none()
  let heardAt = 0

  const pageAt = (
    position: TradePosition,
    trades: TradePage["trades"],
    coverage: TradePage["coverage"],
    gaps: TradePage["gaps"] = []
  ) => ({
    trades,
    coverage,
    gaps,
    get cursor() {
      return getTradeCursor(request, position)
    }
  })

  const ask = Effect.fnUntraced(function* (asked: TradePosition) {
    const since = DateTime.makeUnsafe(asked.at)
    const now = yield* Clock.currentTimeMillis
    const page = namingPageSize(read({ exchange, market, since, limit: asked.limit }))
    const { coverage, value } = yield* isFollowing ? source.observe(page) : page
    const position = recall === undefined ? asked : yield* recall(asked, value.trades)
    recall = undefined
    const { fresh, isDone, isStuck, next } = step(position, value.trades, now, rules)
    if (isStuck) return yield* new TradesTooDense({ exchange, market, timestamp: since, limit: position.limit })
    lastCoverage = coverage
    const last = value.trades.at(-1)
    const reached = last === undefined ? position.at : DateTime.toEpochMillis(last.timestamp)
    const filled = position.gaps.filter((gap) => isFilled(gap, position.at, reached, coverage))
    const after = { ...next, gaps: next.gaps.filter((gap) => !filled.includes(gap)) }
    const filledGaps = filled.map((gap) => toGap(gap, "filled"))
    const pages = [pageAt(after, fresh, coverage, filledGaps)]
    return { pages, next: isDone ? Option.none() : Option.some(after) } satisfies Read
  })

  /** What a silent stream may have missed: if there is anything, the stream is not reliable. */
  const compare = Effect.fnUntraced(function* (position: TradePosition) {
    heardAt = yield* elapsedMillis
    const asked = yield* ask(lookingBack(position))
    if (asked.pages.some(({ trades }) => trades.length > 0)) yield* source.fail
    return asked
  })

  const take = Effect.fnUntraced(function* (position: TradePosition, events: ReadonlyArray<ServerEvent>) {
    const { gap, isWrong, trades } = decodeTradeEvents(events, position)
    const { fresh, next } = stepLive(position, trades, rules.settle)
    const pages: Array<TradePage> = []
    if (fresh.length > 0) {
      source.reset()
      const range = { from: position.newest, to: next.newest }
      pages.push(
        pageAt(
          next,
          fresh,
          Option.map(lastCoverage, ({ state }) => toCoverage(state, range, position.gaps))
        )
      )
    }
    if (gap !== undefined) {
      // Times may decrease along the exchange's sequence.
      const [from, to] = [Math.min(gap.fromTime, gap.toTime), Math.max(gap.fromTime, gap.toTime)]
      const reported = { from, to, missing: gap.missing ?? undefined }
      const after = lookingBack({ ...next, gaps: [...next.gaps, reported] })
      pages.push(pageAt(after, [], Option.some(getRange("incomplete", reported)), [toGap(reported, gap.state)]))
      // Backfilled trades appear late: pages find them, and a live stream does not send them.
      yield* source.pause(rules.settle)
      return { pages, next: Option.some(after) }
    }
    if (isWrong) yield* source.fail
    return { pages, next: Option.some(next) }
  })

  const readLive = Effect.fnUntraced(function* (position: TradePosition) {
    const arrived = yield* source.next
    if (Option.isNone(arrived)) return { pages: [], next: Option.some(lookingBack(position)) } satisfies Read
    const now = yield* elapsedMillis
    if (arrived.value.length > 0) heardAt = now
    else if (now - heardAt >= quietMs) return yield* compare(position)
    return yield* take(position, arrived.value)
  })

  const next = Effect.fnUntraced(function* (position: TradePosition) {
    if (source.isOpen()) return yield* readLive(position)
    if (!position.isAtEnd) return yield* ask(position)
    if (isFollowing) {
      if (yield* source.open({ exchange, market, since: DateTime.makeUnsafe(position.certain) })) {
        heardAt = yield* elapsedMillis
        return yield* readLive(position)
      }
    }
    yield* Effect.sleep(pollEvery)
    return yield* ask(position)
  })

  const from = request.since === undefined ? 0 : DateTime.toEpochMillis(request.since)
  return { start: resumed?.start(rules.pageSize) ?? startAt(from, rules.pageSize), next }
})

const getRange = (
  state: Coverage["state"],
  { from, to }: { readonly from: number; readonly to: number }
): Coverage => ({
  state,
  from: Option.some(DateTime.makeUnsafe(from)),
  to: Option.some(DateTime.makeUnsafe(to)),
  unproven: []
})

/** A live stream reports each gap: a range without a reported gap is complete, if the exchange's ids can prove that. */
const toCoverage = (
  asked: Coverage["state"],
  range: { readonly from: number; readonly to: number },
  gaps: ReadonlyArray<ReportedGap>
): Coverage => {
  const isBroken = gaps.some(({ from, to }) => from < range.to && range.from < to)
  return getRange(asked === "unverifiable" ? asked : isBroken ? "incomplete" : "complete", range)
}

/** Each read is one element, which `shape` selects from it. */
export const tradeReading = <A, E, R>(
  read: ReadTrades<E, R>,
  request: TradesRequest,
  shape: (page: TradePage) => ReadonlyArray<A>
): Stream.Stream<A, E | InvalidParameter | InvalidCursor | TradesTooDense, R> =>
  Stream.unwrap(
    checkRequest<CheckedTradesRequest>(trades, request, {
      options: tradeOptions,
      without: ["limit"],
      required: "cursor" in request && request.cursor !== undefined ? [] : ["since"]
    }).pipe(
      Effect.flatMap((checked) => makeReading(read, checked)),
      Effect.map(({ next, start }) =>
        Stream.paginate(start, (position: TradePosition) =>
          Effect.map(next(position), (read) => [read.pages.flatMap(shape), read.next] as const)
        )
      )
    )
  )
