/**
 * All trades of a market as a stream. A separate module, so that programs without streams do not bundle it.
 *
 * @since 0.1.0
 */
import type { CallOptions, ClientError, InvalidCursor, Trade, TradesTooDense } from "@chaintape/core"
import type { Operation } from "@chaintape/core/operations"
import type * as Operations from "@chaintape/core/operations/cex"
import { TradeStream } from "@chaintape/core/streams"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Cex } from "./Cex.ts"

/**
 * The trades that one response added, or that arrived at once, with what is proven about them and a cursor.
 *
 * @example
 * ```ts
 * import type { CexStream } from "@chaintape/cex"
 *
 * const count = (page: CexStream.TradePage): number => page.trades.length
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export interface TradePage extends TradeStream.TradePage {}

/**
 * The errors of a stream of trades: those of reading a page, `InvalidCursor`, and `TradesTooDense`.
 *
 * @example
 * ```ts
 * import type { CexStream } from "@chaintape/cex"
 *
 * const isWorthAnotherTry = (error: CexStream.TradeStreamError): boolean => error.isRetryable
 * ```
 *
 * @since 0.1.0
 * @category errors
 */
export type TradeStreamError =
  | Operation.Problem<typeof Operations.trades>
  | ClientError
  | InvalidCursor
  | TradesTooDense

const withClient = <A, E>(
  make: (read: Cex["Service"]["withResponse"]) => Stream.Stream<A, E>
): Stream.Stream<A, E, Cex> => Stream.unwrap(Effect.map(Cex, ({ withResponse }) => make(withResponse)))

/**
 * The trades of a market from `since` on, oldest first, each once: up to the newest one, up to `until`, or, with
 * `live`, without end as they happen, with no gap in between. `options` apply to each request. `TradeStream.tradePages` of
 * `@chaintape/core/streams` states the guarantees for late trades, gaps and lost connections.
 *
 * @example
 * ```ts
 * import { Cex, CexStream } from "@chaintape/cex"
 * import { Market } from "@chaintape/core"
 * import { Console, DateTime, Effect, Stream } from "effect"
 *
 * const program = Effect.gen(function* () {
 *   const since = DateTime.subtract(yield* DateTime.now, { hours: 1 })
 *   const trades = CexStream.trades({ exchange: "kraken", market: Market.make("BTC/USD"), since, live: true })
 *   yield* Stream.runForEach(trades, ({ price, size }) => Console.log(`${size} at ${price}`))
 * })
 *
 * const runnable = Effect.provide(program, Cex.layerConfig())
 * ```
 *
 * @since 0.1.0
 * @category streams
 */
export const trades = (
  request: TradeStream.TradesRequest,
  options?: CallOptions
): Stream.Stream<Trade, TradeStreamError, Cex> =>
  withClient((read) => TradeStream.trades((page) => read.trades(page, options), request))

/**
 * The same trades page by page, with what each response proves (`coverage`) and a `cursor` that resumes after the page.
 *
 * @example
 * ```ts
 * import { Cex, CexStream } from "@chaintape/cex"
 * import { Market } from "@chaintape/core"
 * import { DateTime, Effect, Stream } from "effect"
 *
 * const readOn = (cursor: string | undefined, save: (page: CexStream.TradePage) => Effect.Effect<void>) =>
 *   CexStream.tradePages({
 *     exchange: "kraken",
 *     market: Market.make("BTC/USD"),
 *     since: DateTime.makeUnsafe("2026-01-02T00:00:00Z"),
 *     cursor
 *   }).pipe(Stream.runForEach(save), Effect.provide(Cex.layerConfig()))
 * ```
 *
 * @since 0.1.0
 * @category streams
 */
export const tradePages = (
  request: TradeStream.TradesRequest,
  options?: CallOptions
): Stream.Stream<TradePage, TradeStreamError, Cex> =>
  withClient((read) => TradeStream.tradePages((page) => read.trades(page, options), request))
