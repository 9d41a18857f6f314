/**
 * All trades of a market, as async iterables.
 *
 * @since 0.1.0
 */
import * as Operations from "../api/CexOperations.ts"
import type { Trade } from "../cex/Trade.ts"
import * as TradeStream from "../stream/TradeStream.ts"
import type { CallOptions, PlainStreamRequest } from "./Call.ts"
import type { Plain } from "./Plain.ts"
import type { PromiseCalls } from "./PromiseCalls.ts"

type Request = PlainStreamRequest<TradeStream.TradesRequest>

/**
 * Streams of trades, with the guarantees of `tradePages` in `@chaintape/core/stream/TradeStream`.
 *
 * @example
 * ```ts
 * import type { CexStreams } from "@chaintape/core/promise"
 *
 * const volume = async (stream: CexStreams, since: Date): Promise<number> => {
 *   let volume = 0
 *   for await (const { size } of stream.trades({ exchange: "kraken", market: "BTC/USD", since })) volume += Number(size)
 *   return volume
 * }
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export interface CexStreams {
  /** Each trade since a time, and then, with `live`, new ones as they happen. */
  readonly trades: (request: Request, options?: CallOptions) => AsyncIterable<Plain<Trade>>
  /** The same trades page by page, with coverage and a cursor from which the stream can be resumed. */
  readonly tradePages: (request: Request, options?: CallOptions) => AsyncIterable<Plain<TradeStream.TradePage>>
}

/**
 * The streams of centralized exchanges with a client's calls.
 *
 * @since 0.1.0
 * @category constructors
 *
 * @example
 * ```ts
 * import { type CexStreams, makeCexStreams } from "@chaintape/core/promise/CexStreams"
 * import type { PromiseCalls } from "@chaintape/core/promise/PromiseCalls"
 *
 * const over = ({ stream }: PromiseCalls): CexStreams => makeCexStreams(stream)
 * ```
 */
export const makeCexStreams = (stream: PromiseCalls["stream"]): CexStreams => ({
  trades: (request, options) =>
    stream<typeof Operations.trades, TradeStream.TradesRequest, Trade, unknown>(
      Operations.trades,
      request,
      options,
      TradeStream.trades
    ),
  tradePages: (request, options) =>
    stream<typeof Operations.trades, TradeStream.TradesRequest, TradeStream.TradePage, unknown>(
      Operations.trades,
      request,
      options,
      TradeStream.tradePages
    )
})
