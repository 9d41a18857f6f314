import type * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Operations from "../../api/CexOperations.ts"
import type { Market } from "../../cex/Market.ts"
import type { Trade, Trades } from "../../cex/Trade.ts"
import type { Answer, Coverage } from "../../operation/Answer.ts"
import type * as Operation from "../../operation/Operation.ts"
import type { TimeInput } from "../../time/Timestamp.ts"

/**
 * The trades of a stream.
 *
 * @example
 * ```ts
 * import { Market } from "@chaintape/core"
 * import type { TradeStream } from "@chaintape/core/streams"
 * import * as DateTime from "effect/DateTime"
 *
 * const request: TradeStream.TradesRequest = {
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
  /** The id of the exchange, such as `kraken`. */
  readonly exchange: string
  /** The market as `BASE/QUOTE`, such as `BTC/USD`. */
  readonly market: Market
  /**
   * Only trades of this millisecond or later: a `Date`, Unix milliseconds, an ISO 8601 text or a `DateTime`. A cursor
   * overrides it.
   */
  readonly since: TimeInput
  /** Only trades of this millisecond or earlier: the stream ends after them. Without end by default. */
  readonly until?: TimeInput | undefined
  /**
   * Whether the stream continues with trades as they happen; by default it ends with the newest one. Live trades arrive
   * over a live stream of the service if it has one and no `until` is given, otherwise the service is polled.
   */
  readonly live?: boolean | undefined
  /** The polling interval at the end, if there is no live stream; 1 second by default. */
  readonly pollEvery?: Duration.Input | undefined
  /** How much older than trades shown before it a late trade may be and still be emitted; 10 s by default. */
  readonly settle?: Duration.Input | undefined
  /**
   * Trades per request, from 1 to 50,000; 5,000 by default. It does not affect the emitted trades. A live stream at the
   * end requests at most 999, which costs one unit of the key's budget. The first request after a cursor is larger: it also
   * reads again what may have changed.
   */
  readonly pageSize?: number | undefined
  /** The cursor of a page of the same market: the stream resumes after that page. */
  readonly cursor?: string | undefined
}

/** The same with its times converted. */
export interface CheckedTradesRequest extends Omit<TradesRequest, "since" | "until"> {
  /** Undefined where a cursor takes its place. */
  readonly since?: DateTime.Utc
  readonly until?: DateTime.Utc
}

/**
 * A range in which trades are missing.
 *
 * @example
 * ```ts
 * import type { TradeStream } from "@chaintape/core/streams"
 * import * as Option from "effect/Option"
 *
 * const describe = ({ missing, state }: TradeStream.TradeGap): string =>
 *   `${Option.getOrElse(missing, () => "some")} trades: ${state}`
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export interface TradeGap {
  /**
   * `open`: the service tries to backfill the trades. `unfillable`: the exchange no longer has them. `filled`: the stream
   * has emitted them.
   */
  readonly state: "open" | "unfillable" | "filled"
  /** The time of the last trade before the gap, in UTC. */
  readonly from: DateTime.Utc
  /** The time of the first trade after the gap, in UTC. */
  readonly to: DateTime.Utc
  /** The number of missing trades; none if the ids of the exchange do not count them. */
  readonly missing: Option.Option<number>
}

/**
 * The trades that one response added, possibly none, or that arrived at once.
 *
 * @example
 * ```ts
 * import type { TradeStream } from "@chaintape/core/streams"
 * import * as Option from "effect/Option"
 *
 * const isProven = (page: TradeStream.TradePage): boolean => Option.exists(page.coverage, ({ state }) => state === "complete")
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export interface TradePage {
  /** Oldest first. A late trade may be older than trades of earlier pages. */
  readonly trades: ReadonlyArray<Trade>
  /**
   * The coverage of the requested range, as the response proves it. The range overlaps with that of the previous page. A page of a live
   * stream covers the range since the previous page, and one without trades reports a range with missing trades.
   */
  readonly coverage: Option.Option<Coverage>
  /**
   * The gaps that the live stream reports, each once, and then those that are filled. A gap that is filled later than
   * `settle` is not reported: the stream does not emit its trades.
   */
  readonly gaps: ReadonlyArray<TradeGap>
  /** Text of at most 200 characters that resumes the stream after this page, in this process or another. */
  readonly cursor: string
}

/**
 * Reads one page: `cex.withResponse.trades`.
 *
 * @example
 * ```ts
 * import type { Client } from "@chaintape/core"
 * import * as CexOperations from "@chaintape/core/operations/cex"
 * import type { TradeStream } from "@chaintape/core/streams"
 *
 * type Request = Parameters<TradeStream.ReadTrades<never, never>>[0]
 * const reading = ({ call }: Client["Service"]) => (request: Request) => call(CexOperations.trades, request)
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export type ReadTrades<E, R> = (
  request: Operation.Request<typeof Operations.trades>
) => Effect.Effect<Answer<Trades>, E, R>
