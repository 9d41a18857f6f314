/**
 * The problems of the exchanges' group.
 *
 * @since 0.1.0
 *
 * @example
 * ```ts
 * import * as assert from "node:assert/strict"
 * import { ExchangeNotFound, MarketNotFound, NoData, OperationNotSupported } from "@chaintape/core"
 *
 * // Whether to ask again later makes sense.
 * const mayCome = (problem: ExchangeNotFound | MarketNotFound | OperationNotSupported | NoData): boolean => {
 *   if (problem instanceof ExchangeNotFound || problem instanceof OperationNotSupported) return false
 *   return problem instanceof MarketNotFound || problem instanceof NoData
 * }
 *
 * const detail = "BTC/USD has not traded yet: ask again when it has."
 * assert.equal(mayCome(new NoData({ exchange: "sandbox", market: "BTC/USD", detail })), true)
 * ```
 */
import * as Schema from "effect/Schema"
import { problemClass } from "../internal/contract/problemClass.ts"

/**
 * The service knows no exchange with this id.
 *
 * @since 0.1.0
 * @category problems
 */
export class ExchangeNotFound extends problemClass<ExchangeNotFound>()(
  "ExchangeNotFound",
  { status: 404 },
  {
    /** The id of the exchange. */
    exchange: Schema.String
  }
) {}

/**
 * The exchange does not list this market.
 *
 * @since 0.1.0
 * @category problems
 */
export class MarketNotFound extends problemClass<MarketNotFound>()(
  "MarketNotFound",
  { status: 404 },
  {
    /** The id of the exchange. */
    exchange: Schema.String,
    /** The market as `BASE/QUOTE`. */
    market: Schema.String
  }
) {}

/**
 * The exchange does not support this operation.
 *
 * @since 0.1.0
 * @category problems
 */
export class OperationNotSupported extends problemClass<OperationNotSupported>()(
  "OperationNotSupported",
  { status: 404 },
  {
    /** The id of the exchange. */
    exchange: Schema.String,
    /** The timeframe that is not supported; absent if the whole operation is not. */
    timeframe: Schema.optionalKey(Schema.String)
  }
) {}

/**
 * The market exists, but has no trade yet.
 *
 * @since 0.1.0
 * @category problems
 */
export class NoData extends problemClass<NoData>()(
  "NoData",
  { status: 404 },
  {
    /** The id of the exchange. */
    exchange: Schema.String,
    /** The market as `BASE/QUOTE`. */
    market: Schema.String
  }
) {}
