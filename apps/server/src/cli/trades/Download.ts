import { Effect, Option } from "effect"
import type { Failure } from "../terminal/Failure.ts"
import { toFailure } from "../terminal/Failure.ts"
import { toIso } from "../terminal/Moment.ts"
import { Progress } from "../terminal/Progress.ts"
import { groupDigits } from "../terminal/ProgressLine.ts"
import { toLines } from "./FileFormat.ts"
import type { Output, Reached } from "./Output.ts"
import { withPage } from "./Proof.ts"
import type { Proof, Span } from "./Proof.ts"
import type { TradePage } from "./TradePages.ts"
import { TradePages } from "./TradePages.ts"
import { largestPage } from "./TradesRequest.ts"
import type { TradesRequest } from "./TradesRequest.ts"
import type { TradeText } from "./TradeText.ts"

export interface Downloaded {
  readonly rows: number
  readonly proof: Proof
  /** The times read; none if the market has no trade. */
  readonly span: Option.Option<Span>
  /** Whether the trades end before the range does. */
  readonly endsEarly: boolean
}

/** Pages are consecutive in time, so a page that goes back in time would leave gaps. */
const inOrder = Effect.fnUntraced(function* (trades: ReadonlyArray<TradeText>, since: number) {
  let before = since
  for (const { id, timestamp } of trades) {
    if (timestamp < before) {
      return yield* toFailure(
        `The answer is out of order: the trade "${id}" of ${toIso(timestamp)} comes after ${toIso(before)}.`
      )
    }
    before = timestamp
  }
})

const toSpan = ({ from, to, trades }: TradePage, since: number, until: number): Span => ({
  from: Math.max(
    Option.getOrElse(from, () => trades[0]?.timestamp ?? since),
    since
  ),
  to: Math.min(
    Option.getOrElse(to, () => trades.at(-1)?.timestamp ?? until),
    until
  )
})

const getLast = (reached: Reached, fresh: ReadonlyArray<TradeText>): Reached["last"] => {
  const timestamp = fresh.at(-1)?.timestamp
  if (timestamp === undefined) return reached.last
  const before = reached.last?.timestamp === timestamp ? reached.last.ids : []
  return { timestamp, ids: [...before, ...fresh.filter((trade) => trade.timestamp === timestamp).map(({ id }) => id)] }
}

const crowded = (timestamp: number, page: number): Failure =>
  toFailure(
    `${groupDigits(page)} trades and more are of the same millisecond, ${toIso(timestamp)}: what follows them cannot be ` +
      `read by time, so nothing is proven.${page < largestPage ? ` Try --page ${largestPage}.` : ""}`
  )

/** The new rows of a page: the last millisecond is read again, and its known trades are dropped by id. */
const addPage = (reached: Reached, page: TradePage, since: number, until: number) => {
  const { last } = reached
  const known = new Set(last?.ids)
  const isKnown = ({ id, timestamp }: TradeText) => timestamp === last?.timestamp && known.has(id)
  const fresh = page.trades.filter((trade) => trade.timestamp <= until && !isKnown(trade))
  const touches = last === null || page.trades.some(isKnown)
  return {
    fresh,
    next: {
      rows: reached.rows + fresh.length,
      last: getLast(reached, fresh),
      proof: withPage(reached.proof, { state: page.state, span: toSpan(page, since, until), touches })
    } satisfies Reached
  }
}

/** Every trade from `since` to `until`, page by page. */
const between = Effect.fn("Download.between")(function* (request: TradesRequest, output: Output) {
  const pages = yield* TradePages
  const progress = yield* Progress
  const { exchange, format, market, page: limit } = request
  const { since: first, until } = output.range
  let reached = output.reached
  yield* progress.begin({
    since: first,
    until,
    position: reached.last?.timestamp ?? first,
    rows: reached.rows,
    unit: "rows"
  })
  while (true) {
    const since = reached.last?.timestamp ?? first
    const page = yield* pages.read({ exchange, market, since: Option.some(since), limit })
    yield* inOrder(page.trades, since)
    const newest = page.trades.at(-1)?.timestamp ?? since
    const isFull = page.trades.length >= limit
    if (isFull && newest === since && newest <= until) return yield* crowded(newest, limit)
    const { fresh, next } = addPage(reached, page, since, until)
    yield* output.append(toLines(format, fresh), next)
    if (reached.rows === 0) yield* progress.found(fresh[0]?.timestamp ?? first)
    reached = next
    yield* progress.advance(Math.min(newest, until), reached.rows)
    const { proof, rows } = reached
    if (newest > until) return { rows, proof, span: Option.some({ from: first, to: until }), endsEarly: false }
    if (fresh.length > 0) continue
    return { rows, proof, span: Option.some({ from: first, to: rows === 0 ? until : newest }), endsEarly: true }
  }
})

const latest = Effect.fn("Download.latest")(function* (request: TradesRequest, count: number, output: Output) {
  const pages = yield* TradePages
  const { exchange, format, market } = request
  const page = yield* pages.read({ exchange, market, since: Option.none(), limit: count })
  const [oldest] = page.trades
  const newest = page.trades.at(-1)
  if (oldest === undefined || newest === undefined) {
    return { rows: 0, proof: output.reached.proof, span: Option.none(), endsEarly: false }
  }
  const span = { from: oldest.timestamp, to: newest.timestamp }
  const { next } = addPage(output.reached, page, span.from, span.to)
  yield* output.append(toLines(format, page.trades), next)
  return { rows: next.rows, proof: next.proof, span: Option.some(span), endsEarly: false }
})

/** Reads the requested trades into the output. */
export const download = (
  request: TradesRequest,
  output: Output
): Effect.Effect<Downloaded, Failure, TradePages | Progress> =>
  request.range._tag === "Latest" ? latest(request, request.range.count, output) : between(request, output)
