/**
 * The problems of the exchanges' group.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { problemClass } from "../internal/problemClass.ts"

/**
 * The service knows no exchange with this id.
 *
 * @since 0.1.0
 * @category problems
 */
export class ExchangeNotFound extends problemClass<ExchangeNotFound>()(
  "ExchangeNotFound",
  {
    code: "exchange-not-found",
    status: 404,
    title: "Exchange not found"
  },
  { exchange: Schema.String }
) {}

/**
 * The exchange does not list this market.
 *
 * @since 0.1.0
 * @category problems
 */
export class MarketNotFound extends problemClass<MarketNotFound>()(
  "MarketNotFound",
  {
    code: "market-not-found",
    status: 404,
    title: "Market not found"
  },
  { exchange: Schema.String, market: Schema.String }
) {}

/**
 * The exchange does not offer this operation.
 *
 * @since 0.1.0
 * @category problems
 */
export class OperationNotSupported extends problemClass<OperationNotSupported>()(
  "OperationNotSupported",
  {
    code: "operation-not-supported",
    status: 404,
    title: "Operation not supported"
  },
  { exchange: Schema.String, timeframe: Schema.optionalKey(Schema.String) }
) {}

/**
 * The market exists and has no trade yet.
 *
 * @since 0.1.0
 * @category problems
 */
export class NoData extends problemClass<NoData>()(
  "NoData",
  {
    code: "no-data",
    status: 404,
    title: "No data"
  },
  { exchange: Schema.String, market: Schema.String }
) {}
