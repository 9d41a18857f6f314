/**
 * All trades of a market as a stream: those since a time, and then new ones as they happen, without a gap in between.
 *
 * @since 0.1.0
 */
import type * as Stream from "effect/Stream"
import type { Trade } from "../cex/Trade.ts"
import type { ReadTrades, TradePage, TradesRequest } from "../internal/trades/tradePage.ts"
import { tradeReading } from "../internal/trades/tradeReading.ts"
import type { InvalidParameter } from "../problem/Problem.ts"
import type { InvalidCursor, TradesTooDense } from "../problem/StreamError.ts"

export type { ReadTrades, TradeGap, TradePage, TradesRequest } from "../internal/trades/tradePage.ts"

/**
 * The trades of a market with their coverage, page by page. Guarantees:
 *
 * - The stream emits every trade once, whatever the page size, and however often it is interrupted and resumed by a
 *   cursor.
 * - The order is the exchange's: by time, then by the exchange's sequence. A trade that the service shows up to
 *   `settle` after newer ones is emitted when it is found, after trades with later times.
 * - `coverage` says where trades may be missing: a page whose coverage is not `complete` may lack trades, and those that
 *   appear later than `settle` are not emitted. Whether a trade is older than a minute, and therefore settled, is decided
 *   by the local clock, which may be at most 50 s fast.
 * - Memory is bounded: the stream holds the ids of one millisecond, and near the present those of up to twice `settle`,
 *   or of three minutes if its pages are too small or too slow for the market.
 *
 * A live stream that breaks, is silent, or reports missing trades affects none of this: the client polls pages until
 * another stream is open, and resumes where trades may be missing. It applies backpressure: pages are read on demand, one
 * at a time.
 *
 * It fails with the errors of `read` (after the client's retries), with `InvalidCursor`, or with `TradesTooDense`. The
 * cursor of the last page resumes it.
 *
 * @example
 * ```ts
 * import { Client, Market } from "@chaintape/core"
 * import * as CexOperations from "@chaintape/core/operations/cex"
 * import { TradeStream } from "@chaintape/core/streams"
 * import * as DateTime from "effect/DateTime"
 * import * as Effect from "effect/Effect"
 * import * as Stream from "effect/Stream"
 *
 * const program = Effect.gen(function* () {
 *   const { call } = yield* Client
 *   const since = DateTime.makeUnsafe("2026-01-02T00:00:00Z")
 *   const pages = TradeStream.tradePages((request) => call(CexOperations.trades, request), {
 *     exchange: "kraken",
 *     market: Market.make("BTC/USD"),
 *     since
 *   })
 *   return yield* Stream.runFold(pages, () => 0, (count, page) => count + page.trades.length)
 * })
 * ```
 *
 * @since 0.1.0
 * @category streams
 */
export const tradePages = <E, R>(
  read: ReadTrades<E, R>,
  request: TradesRequest
): Stream.Stream<TradePage, E | InvalidParameter | InvalidCursor | TradesTooDense, R> =>
  tradeReading(read, request, (page) => [page])

/**
 * The trades of {@link tradePages}, one by one.
 *
 * @example
 * ```ts
 * import { Client, Market } from "@chaintape/core"
 * import * as Operations from "@chaintape/core/operations/cex"
 * import { TradeStream } from "@chaintape/core/streams"
 * import * as DateTime from "effect/DateTime"
 * import * as Effect from "effect/Effect"
 * import * as Stream from "effect/Stream"
 *
 * const program = Effect.gen(function* () {
 *   const { call } = yield* Client
 *   const since = DateTime.makeUnsafe("2026-01-02T00:00:00Z")
 *   const all = TradeStream.trades((request) => call(Operations.trades, request), {
 *     exchange: "kraken",
 *     market: Market.make("BTC/USD"),
 *     since,
 *     live: true
 *   })
 *   yield* Stream.runForEach(all, (trade) => Effect.log(trade.price))
 * })
 * ```
 *
 * @since 0.1.0
 * @category streams
 */
export const trades = <E, R>(
  read: ReadTrades<E, R>,
  request: TradesRequest
): Stream.Stream<Trade, E | InvalidParameter | InvalidCursor | TradesTooDense, R> =>
  tradeReading(read, request, (page) => page.trades)
