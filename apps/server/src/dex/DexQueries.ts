import type * as DexOperations from "@chaintape/core/operations/dex"
import type { Option } from "effect"

export interface CandleQuery {
  /** Length of a candle. */
  readonly seconds: number
  /** Bounds of the starts of the candles: Unix seconds, inclusive. Without `from`: the latest candles. */
  readonly from: Option.Option<number>
  readonly to: Option.Option<number>
  readonly limit: number
}

export interface Page {
  readonly limit: number
  readonly skip: number
}

export interface Order<Field extends string> {
  readonly field: Field
  readonly direction: "asc" | "desc"
}

export type TokenOrderField = Exclude<(typeof DexOperations.tokens.query.orderBy.fields)[number], "logo">
export type PoolOrderField = (typeof DexOperations.pools.query.orderBy.fields)[number]
export type TradeOrderField = (typeof DexOperations.poolTrades.query.orderBy.fields)[number]

export interface TokenQuery extends Page {
  /** Default: by totalValueLockedUSD descending, then id. */
  readonly order: Option.Option<Order<TokenOrderField>>
  /** Whole values, case-insensitive. */
  readonly symbol: Option.Option<string>
  readonly name: Option.Option<string>
  readonly id: Option.Option<string>
}

export interface PoolQuery extends Page {
  /** Default: by totalValueLockedUSD descending, then id. */
  readonly order: Option.Option<Order<PoolOrderField>>
  readonly id: Option.Option<string>
}

export interface TradeQuery extends Page {
  /**
   * Default, also for a field that the kind does not have: newest first (block, then log index). Ties by id ascending.
   */
  readonly order: Option.Option<Order<TradeOrderField>>
  /** Unix seconds, inclusive. */
  readonly from: Option.Option<number>
  readonly to: Option.Option<number>
}

/** The trades of one pool, or of all pools that contain a token on one side. */
export type TradeScope = { readonly pool: string } | { readonly token: string; readonly side: 0 | 1 }
