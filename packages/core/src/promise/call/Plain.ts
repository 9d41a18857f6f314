/**
 * Values as plain JavaScript.
 *
 * @since 0.1.0
 */
import type * as Brand from "effect/Brand"
import type * as DateTime from "effect/DateTime"
import type * as Option from "effect/Option"

/**
 * A value as the promise client returns it: every time is a `Date`, and an optional value is the value or `undefined`.
 * Everything else is as in the Effect client.
 *
 * @example
 * ```ts
 * import type { Trade } from "@chaintape/core"
 * import type { Plain } from "@chaintape/core/promise"
 *
 * const hour = (trade: Plain<Trade>): number => trade.timestamp.getUTCHours()
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export type Plain<T> = T extends string | number | bigint | boolean | null | undefined | Date
  ? T
  : T extends DateTime.Utc
    ? Date
    : T extends Option.Option<infer A>
      ? Plain<A> | undefined
      : T extends ReadonlyArray<infer A>
        ? ReadonlyArray<Plain<A>>
        : { readonly [K in keyof T]: Plain<T[K]> }

/**
 * A parameter as the promise client accepts it: a market or an address is a string in any letter case, a time a `Date`,
 * Unix milliseconds or an ISO 8601 text.
 *
 * @example
 * ```ts
 * import type { Market } from "@chaintape/core"
 * import type { PlainInput } from "@chaintape/core/promise"
 *
 * const market: PlainInput<Market> = "BTC/USD"
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export type PlainInput<T> = T extends DateTime.DateTime
  ? never
  : T extends string & Brand.Brand<infer _Name>
    ? string
    : T
