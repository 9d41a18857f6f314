export type Side = "buy" | "sell"

/**
 * One execution as the engine knows it. Prices are ticks and sizes lots of the product; times are microseconds since
 * 1970. `side` is the maker's, as on the exchange whose protocol is spoken.
 */
export interface Trade {
  readonly tradeId: number
  readonly sequence: number
  readonly time: number
  readonly side: Side
  readonly price: number
  readonly size: number
  readonly makerOrder: number
  readonly takerOrder: number
}
