/** Reads trades from a position on: requests pages, and receives live trades if there is a live stream of them. */
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Coverage } from "../../operation/Answer.ts"
import { TradesTooDense } from "../../problem/StreamError.ts"
import type { Gap } from "../live/eventData.ts"
import type { ServerEvent } from "../live/eventParser.ts"
import { makeEventSource, quietMs, type ReconnectingEventSource } from "../live/eventSource.ts"
import { liveTrades } from "../live/operations.ts"
import { decodeTradeEvents } from "../live/tradeEvents.ts"
import { withPageSizeProblem } from "../pagination/pageSize.ts"
import { elapsedMillis } from "../transport/elapsed.ts"
import { getTradeCursor, readTradeCursor } from "./tradeCursor.ts"
import { selectFilled, toGap, toGapCoverage, toLiveCoverage } from "./tradeGaps.ts"
import type { CheckedTradesRequest, ReadTrades, TradePage } from "./tradePage.ts"
import { resetToCertain, type ReadingRules, startAt, step, stepLive, type TradePosition } from "./tradePosition.ts"

type ResumedTrades = Effect.Success<ReturnType<typeof readTradeCursor>>

type TradeSource = ReconnectingEventSource<typeof liveTrades>

interface Read {
  readonly pages: ReadonlyArray<TradePage>
  /** None at the end. */
  readonly next: Option.Option<TradePosition>
}

const toRules = ({ live, pageSize, settle, until }: CheckedTradesRequest): ReadingRules => ({
  live: live ?? false,
  pageSize: pageSize ?? 5000,
  settle: Duration.toMillis(settle ?? Duration.seconds(10)),
  until: until === undefined ? Number.POSITIVE_INFINITY : DateTime.toEpochMillis(until)
})

/** Whether the end of the request is a live stream, if the service has one. */
const hasLiveEnd = ({ live, until }: CheckedTradesRequest): boolean => live === true && until === undefined

const toPage = (
  request: CheckedTradesRequest,
  position: TradePosition,
  { coverage, gaps = [], trades }: Pick<TradePage, "trades" | "coverage"> & Partial<Pick<TradePage, "gaps">>
): TradePage => ({
  trades,
  coverage,
  gaps,
  get cursor() {
    return getTradeCursor(request, position)
  }
})

const makePageReads = <E, R>(
  read: ReadTrades<E, R>,
  request: CheckedTradesRequest,
  source: TradeSource,
  resumed: ResumedTrades | undefined
) => {
  const { exchange, market } = request
  const rules = toRules(request)
  let recall = resumed?.recall
  let lastCoverage: Option.Option<Coverage> = Option.none()

  const readPage = Effect.fnUntraced(function* (requested: TradePosition) {
    const since = DateTime.makeUnsafe(requested.at)
    const now = yield* Clock.currentTimeMillis
    const reading = withPageSizeProblem(read({ exchange, market, since, limit: requested.limit }))
    const { coverage, value } = yield* hasLiveEnd(request) ? source.observe(reading) : reading
    const position = recall === undefined ? requested : yield* recall(requested, value.trades)
    recall = undefined
    const { fresh, isDone, isStuck, next } = step(position, value.trades, now, rules)
    if (isStuck) return yield* new TradesTooDense({ exchange, market, timestamp: since, limit: position.limit })
    lastCoverage = coverage
    const filled = selectFilled(position, value.trades, coverage)
    const after = { ...next, gaps: next.gaps.filter((gap) => !filled.includes(gap)) }
    const page = toPage(request, after, { trades: fresh, coverage, gaps: filled.map((gap) => toGap(gap, "filled")) })
    return { pages: [page], next: isDone ? Option.none() : Option.some(after) } satisfies Read
  })

  return { readPage, getLastCoverage: () => lastCoverage }
}

/** The page that reports a gap. The trades that fill it appear late: pages find them, and a live stream does not send them. */
const toGapPage = (request: CheckedTradesRequest, position: TradePosition, gap: Gap) => {
  // Times may decrease along the exchange's sequence.
  const [from, to] = [Math.min(gap.fromTime, gap.toTime), Math.max(gap.fromTime, gap.toTime)]
  const reported = { from, to, missing: gap.missing ?? undefined }
  const next = resetToCertain({ ...position, gaps: [...position.gaps, reported] })
  const coverage = Option.some(toGapCoverage(reported))
  return { page: toPage(request, next, { trades: [], coverage, gaps: [toGap(reported, gap.state)] }), next }
}

const makeLiveReads = <E, R>(
  request: CheckedTradesRequest,
  source: TradeSource,
  { getLastCoverage, readPage }: ReturnType<typeof makePageReads<E, R>>
) => {
  const { exchange, market } = request
  const { settle } = toRules(request)
  let lastEventAt = 0

  /** Polls for trades that a silent stream may have missed. If there are any, the stream is not reliable. */
  const compare = Effect.fnUntraced(function* (position: TradePosition) {
    lastEventAt = yield* elapsedMillis
    const polled = yield* readPage(resetToCertain(position))
    if (polled.pages.some(({ trades }) => trades.length > 0)) yield* source.fail
    return polled
  })

  const applyEvents = Effect.fnUntraced(function* (position: TradePosition, events: ReadonlyArray<ServerEvent>) {
    const { gap, isWrong, trades } = decodeTradeEvents(events, position)
    const { fresh, next } = stepLive(position, trades, settle)
    const pages: Array<TradePage> = []
    if (fresh.length > 0) {
      source.reset()
      const range = { from: position.newest, to: next.newest }
      const coverage = Option.map(getLastCoverage(), ({ state }) => toLiveCoverage(state, range, position.gaps))
      pages.push(toPage(request, next, { trades: fresh, coverage }))
    }
    if (gap !== undefined) {
      const reported = toGapPage(request, next, gap)
      yield* source.pause(settle)
      return { pages: [...pages, reported.page], next: Option.some(reported.next) } satisfies Read
    }
    if (isWrong) yield* source.fail
    return { pages, next: Option.some(next) } satisfies Read
  })

  const readEvents = Effect.fnUntraced(function* (position: TradePosition) {
    const arrived = yield* source.next
    if (Option.isNone(arrived)) return { pages: [], next: Option.some(resetToCertain(position)) } satisfies Read
    const now = yield* elapsedMillis
    if (arrived.value.length > 0) lastEventAt = now
    else if (now - lastEventAt >= quietMs) return yield* compare(position)
    return yield* applyEvents(position, arrived.value)
  })

  const open = Effect.fnUntraced(function* ({ certain }: TradePosition) {
    const isOpen = yield* source.open({ exchange, market, since: DateTime.makeUnsafe(certain) })
    if (isOpen) lastEventAt = yield* elapsedMillis
    return isOpen
  })

  return { readEvents, open }
}

/** Where the request starts, and how to read on from a position. */
export const makeTradeReader = Effect.fnUntraced(function* <E, R>(
  read: ReadTrades<E, R>,
  request: CheckedTradesRequest
) {
  const { cursor, pollEvery = Duration.seconds(1), since } = request
  const { pageSize } = toRules(request)
  const source = yield* makeEventSource(liveTrades)
  const resumed = cursor === undefined ? undefined : yield* readTradeCursor(request, cursor)
  const pageReads = makePageReads(read, request, source, resumed)
  const { open, readEvents } = makeLiveReads(request, source, pageReads)
  const { readPage } = pageReads

  const next = Effect.fnUntraced(function* (position: TradePosition) {
    if (source.isOpen()) return yield* readEvents(position)
    if (!position.isAtEnd) return yield* readPage(position)
    if (hasLiveEnd(request) && (yield* open(position))) return yield* readEvents(position)
    yield* Effect.sleep(pollEvery)
    return yield* readPage(position)
  })

  const from = since === undefined ? 0 : DateTime.toEpochMillis(since)
  return { start: resumed?.start(pageSize) ?? startAt(from, pageSize), next }
})
