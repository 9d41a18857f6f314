/**
 * All trades of a market as async iterables, with the guarantees of `TradeStream` of `@chaintape/core/streams`. Functions
 * of a client and not its methods, so that programs without streams do not bundle them.
 *
 * @since 0.1.0
 */
import * as Operations from "../api/CexOperations.ts"
import type { Trade } from "../cex/Trade.ts"
import { iterate } from "../internal/promise/iterate.ts"
import * as TradeStream from "../stream/TradeStream.ts"
import type { CallOptions, PlainRequest } from "./call/Call.ts"
import type { Plain } from "./call/Plain.ts"
import type { Chaintape } from "./Chaintape.ts"

/**
 * The trades that one response added, or that arrived at once, with what is proven about them and a cursor.
 *
 * @example
 * ```ts
 * import type { CexStream } from "@chaintape/core/promise"
 *
 * const count = (page: CexStream.TradePage): number => page.trades.length
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export interface TradePage extends Plain<TradeStream.TradePage> {}

type Request = PlainRequest<TradeStream.TradesRequest>

/**
 * Each trade of a market since a time, oldest first, and then, with `live`, new ones as they happen. Leaving the loop ends
 * the stream; another loop starts it again.
 *
 * @example
 * ```ts
 * import { CexStream, createClient } from "@chaintape/core/promise"
 *
 * const chaintape = createClient({ baseUrl: "http://127.0.0.1:3000" })
 *
 * export const volume = async (since: Date): Promise<number> => {
 *   let volume = 0
 *   const trades = CexStream.trades(chaintape, { exchange: "kraken", market: "BTC/USD", since })
 *   for await (const { size } of trades) volume += Number(size)
 *   return volume
 * }
 * ```
 *
 * @since 0.1.0
 * @category streams
 */
export const trades = (chaintape: Chaintape, request: Request, options?: CallOptions): AsyncIterable<Plain<Trade>> =>
  iterate(chaintape, Operations.trades, request, options, TradeStream.trades)

/**
 * The same trades page by page, with coverage and a cursor from which the stream can be resumed.
 *
 * @example
 * ```ts
 * import { CexStream, createClient } from "@chaintape/core/promise"
 *
 * const chaintape = createClient({ baseUrl: "http://127.0.0.1:3000" })
 *
 * export const pages = (cursor: string | undefined) =>
 *   CexStream.tradePages(chaintape, { exchange: "kraken", market: "BTC/USD", since: "2026-01-02", cursor })
 * ```
 *
 * @since 0.1.0
 * @category streams
 */
export const tradePages = (chaintape: Chaintape, request: Request, options?: CallOptions): AsyncIterable<TradePage> =>
  iterate(chaintape, Operations.trades, request, options, TradeStream.tradePages)
