/**
 * Centralized exchanges, as promises.
 *
 * @since 0.1.0
 *
 * @example
 * ```ts
 * import { type CexCalls, makeCexCalls } from "@chaintape/core/promise/CexCalls"
 * import type { PromiseCalls } from "@chaintape/core/promise/PromiseCalls"
 *
 * const over = (calls: PromiseCalls): CexCalls => makeCexCalls(calls)
 * ```
 */
import * as Operations from "../api/CexOperations.ts"
import type { AnswerCall, Call } from "./Call.ts"
import { type CexStreams, makeCexStreams } from "./CexStreams.ts"
import type { PromiseCalls } from "./PromiseCalls.ts"

/**
 * Reads centralized exchanges.
 *
 * @since 0.1.0
 * @category models
 */
export interface CexCalls {
  /** Every exchange by name and id. */
  readonly exchanges: Call<typeof Operations.exchanges>
  /** The properties of one exchange. */
  readonly exchange: Call<typeof Operations.exchange>
  /** Every market of an exchange, and whether it is recorded. An addition beside the specified interface. */
  readonly markets: Call<typeof Operations.markets>
  /** Trades, oldest first: the latest `limit` (200), or the first `limit` since a time. At most 50,000. */
  readonly trades: Call<typeof Operations.trades>
  /** The newest trade. */
  readonly lastTrade: Call<typeof Operations.lastTrade>
  /** The newest candle with a trade. */
  readonly lastCandle: Call<typeof Operations.lastCandle>
  /**
   * Candles, oldest first: the latest `limit` (200), or the first `limit` since a time. At most 10,000. An addition beside
   * the specified interface.
   */
  readonly candles: Call<typeof Operations.candles>
  /**
   * The same operations, which also return what the headers say about the value: coverage, source, whether the candle
   * is final.
   */
  readonly withResponse: {
    readonly exchanges: AnswerCall<typeof Operations.exchanges>
    readonly exchange: AnswerCall<typeof Operations.exchange>
    readonly markets: AnswerCall<typeof Operations.markets>
    readonly trades: AnswerCall<typeof Operations.trades>
    readonly lastTrade: AnswerCall<typeof Operations.lastTrade>
    readonly lastCandle: AnswerCall<typeof Operations.lastCandle>
    readonly candles: AnswerCall<typeof Operations.candles>
  }
  /** Whole lists, for `for await`: leaving the loop ends the stream. */
  readonly stream: CexStreams
}

/**
 * The calls on centralized exchanges with a client's calls.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeCexCalls = ({ answer, read, stream }: PromiseCalls): CexCalls => ({
  exchanges: (request = {}, options) => read(Operations.exchanges, request, options),
  exchange: (request, options) => read(Operations.exchange, request, options),
  markets: (request, options) => read(Operations.markets, request, options),
  trades: (request, options) => read(Operations.trades, request, options),
  lastTrade: (request, options) => read(Operations.lastTrade, request, options),
  lastCandle: (request, options) => read(Operations.lastCandle, request, options),
  candles: (request, options) => read(Operations.candles, request, options),
  withResponse: {
    exchanges: (request = {}, options) => answer(Operations.exchanges, request, options),
    exchange: (request, options) => answer(Operations.exchange, request, options),
    markets: (request, options) => answer(Operations.markets, request, options),
    trades: (request, options) => answer(Operations.trades, request, options),
    lastTrade: (request, options) => answer(Operations.lastTrade, request, options),
    lastCandle: (request, options) => answer(Operations.lastCandle, request, options),
    candles: (request, options) => answer(Operations.candles, request, options)
  },
  stream: makeCexStreams(stream)
})
