export type Side = "buy" | "sell"

/**
 * One execution. Prices are ticks and sizes lots of the product; times are microseconds since 1970. `side` is the
 * maker's, as in the protocol.
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
