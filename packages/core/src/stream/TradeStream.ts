/**
 * All trades of a market as a stream: those since a time, and then those that happen, with no seam in between.
 *
 * @since 0.1.0
 */
import type * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Stream from "effect/Stream"
import type * as Operations from "../api/CexOperations.ts"
import type * as Operation from "../api/Operation.ts"
import type { Market } from "../cex/Market.ts"
import type { Trade, Trades } from "../cex/Trade.ts"
import type { Answer, Coverage } from "../client/Answer.ts"
import { tradeReading } from "../internal/tradeReading.ts"
import type { InvalidCursor, TradesTooDense } from "./StreamError.ts"

/**
 * Which trades a stream holds.
 *
 * @example
 * ```ts
 * import { Market } from "@chaintape/core"
 * import type { TradesRequest } from "@chaintape/core/stream/TradeStream"
 * import * as DateTime from "effect/DateTime"
 *
 * const request: TradesRequest = {
 *   exchange: "kraken",
 *   market: Market.make("BTC/USD"),
 *   since: DateTime.makeUnsafe("2026-01-02T00:00:00Z"),
 *   live: true
 * }
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export interface TradesRequest {
  readonly exchange: string
  readonly market: Market
  /** Only trades of this millisecond or later. A cursor takes its place. */
  readonly since: DateTime.Utc
  /** Only trades of this millisecond or earlier: the stream ends once it holds them. */
  readonly until?: DateTime.Utc | undefined
  /**
   * Whether the stream goes on with trades as they happen; by default it ends with the newest one. They come over a live
   * stream of the service where it has one and no `until` is given, else the service is asked again and again.
   */
  readonly live?: boolean | undefined
  /** How long to wait at the end before asking for newer trades, where no live stream brings them; 1 second by default. */
  readonly pollEvery?: Duration.Duration | undefined
  /** By how much a trade may be older than others that were shown before it and still be found; 10 s by default. */
  readonly settle?: Duration.Duration | undefined
  /**
   * How many trades one request asks for, from 1 to 50,000; 5,000 by default. It changes no trade of the stream. A live
   * one that has come to the end asks for 999 at most, which costs one unit of the key's budget.
   */
  readonly pageSize?: number | undefined
  /** The cursor of a page of the same market: the stream goes on behind that page. */
  readonly cursor?: string | undefined
}

/**
 * The trades that one answer added, which may be none, or that arrived at once.
 *
 * @example
 * ```ts
 * import type { TradePage } from "@chaintape/core/stream/TradeStream"
 * import * as Option from "effect/Option"
 *
 * const isProven = (page: TradePage): boolean => Option.exists(page.coverage, ({ state }) => state === "complete")
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export interface TradePage {
  /** Oldest first. One that was shown late may be older than trades of pages before. */
  readonly trades: ReadonlyArray<Trade>
  /**
   * What the answer proves of the range that it was asked for, which overlaps with that of the page before. A page of a
   * live stream proves the range since the page before, and one without trades tells a range of which some are missing.
   */
  readonly coverage: Option.Option<Coverage>
  /** Text that continues the stream behind this page, in this process or another. */
  readonly cursor: string
}

/**
 * Reads one page: `cex.answer.trades`.
 *
 * @example
 * ```ts
 * import type { Client } from "@chaintape/core"
 * import { trades } from "@chaintape/core/api/CexOperations"
 * import type { ReadTrades } from "@chaintape/core/stream/TradeStream"
 *
 * type Request = Parameters<ReadTrades<never, never>>[0]
 * const reading = ({ call }: Client["Service"]) => (request: Request) => call(trades, request)
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export type ReadTrades<E, R> = (
  request: Operation.Request<typeof Operations.trades>
) => Effect.Effect<Answer<Trades>, E, R>

/**
 * Trades with what is known of them, page by page. What the stream promises:
 *
 * - Every trade is in it once, whatever the page size, however often it is cut and continued by a cursor.
 * - Its order is that of the exchange: by time, then by the exchange's sequence. A trade that the service shows up to
 *   `settle` after newer ones is added when it is found, so that its time lies before those of its neighbours.
 * - `coverage` says where the service cannot rule out that some are missing: a page whose coverage is not `complete`
 *   may lack trades, and those that appear later than `settle` are not added. For what is older than a minute the
 *   clock of this machine decides whether that still can happen, so it may be at most 50 s fast.
 * - It holds the ids of one millisecond, and near the present those of up to twice `settle`, or of three minutes where
 *   its pages are too small or too slow for the market.
 *
 * A live stream that breaks, brings nothing, or tells of missing trades changes none of this: pages are asked for until
 * another one is open, and it begins where they may lack something. What arrives is read as fast as it is wanted.
 *
 * It fails as the read does (after the client's retries), with `InvalidCursor`, or with `TradesTooDense`. The last
 * page's cursor continues behind it.
 *
 * @example
 * ```ts
 * import { Client, Market } from "@chaintape/core"
 * import { trades } from "@chaintape/core/api/CexOperations"
 * import { tradePages } from "@chaintape/core/stream/TradeStream"
 * import * as DateTime from "effect/DateTime"
 * import * as Effect from "effect/Effect"
 * import * as Stream from "effect/Stream"
 *
 * const program = Effect.gen(function* () {
 *   const { call } = yield* Client
 *   const since = DateTime.makeUnsafe("2026-01-02T00:00:00Z")
 *   const pages = tradePages((request) => call(trades, request), {
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
): Stream.Stream<TradePage, E | InvalidCursor | TradesTooDense, R> => tradeReading(read, request, (page) => [page])

/**
 * The trades of {@link tradePages} by themselves.
 *
 * @example
 * ```ts
 * import { Client, Market } from "@chaintape/core"
 * import * as Operations from "@chaintape/core/api/CexOperations"
 * import { trades } from "@chaintape/core/stream/TradeStream"
 * import * as DateTime from "effect/DateTime"
 * import * as Effect from "effect/Effect"
 * import * as Stream from "effect/Stream"
 *
 * const program = Effect.gen(function* () {
 *   const { call } = yield* Client
 *   const since = DateTime.makeUnsafe("2026-01-02T00:00:00Z")
 *   const all = trades((request) => call(Operations.trades, request), {
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
): Stream.Stream<Trade, E | InvalidCursor | TradesTooDense, R> => tradeReading(read, request, (page) => page.trades)
