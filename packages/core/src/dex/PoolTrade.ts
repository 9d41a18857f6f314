/**
 * Mints, burns and swaps.
 *
 * @since 0.1.0
 *
 * @example
 * ```ts
 * import type { Burn, Mint, PoolTrades, Swap, TokenTrades } from "@chaintape/core"
 *
 * const senders = (trades: ReadonlyArray<Mint | Swap>): ReadonlyArray<string> => trades.map(({ sender }) => sender)
 * const owners = (trades: ReadonlyArray<Burn | Mint>): ReadonlyArray<string> => trades.map(({ owner }) => owner)
 *
 * // A kind that was not asked for is absent.
 * const ofPool = ({ burns = [], mints = [], swaps = [] }: PoolTrades) => ({
 *   senders: senders([...mints, ...swaps]),
 *   owners: owners([...burns, ...mints])
 * })
 * const swapsOf = ({ swapsAs0 = [], swapsAs1 = [] }: TokenTrades): ReadonlyArray<Swap> => [...swapsAs0, ...swapsAs1]
 * ```
 */
import * as Schema from "effect/Schema"
import { Decimal } from "../number/Decimal.ts"
import { SecondsText } from "../time/Timestamp.ts"
import { PoolAddress, TokenAddress } from "./Address.ts"

const TradeToken = Schema.Struct({
  /** The name that its contract states. */
  name: Schema.String,
  /** The address of its contract, in lower case. */
  id: TokenAddress,
  /** The symbol that its contract states. */
  symbol: Schema.String
}).annotate({ identifier: "TradeToken" })

const fields = {
  /** The hash of the transaction, `#`, and the index of the log. */
  id: Schema.String,
  /** Token 0, in whole tokens; of a swap negative if it left the pool. */
  amount0: Decimal,
  /** Token 1, in whole tokens; of a swap negative if it left the pool. */
  amount1: Decimal,
  /** The value in USD; of a swap 0 if the price of neither token is reliable. */
  amountUSD: Decimal,
  /** The index of the log in its block. */
  logIndex: Decimal,
  /** The account that sent the transaction. */
  origin: Schema.String,
  /** When its block was made, to the second; in UTC. */
  timestamp: SecondsText,
  /** The tokens of the pool. */
  pool: Schema.Struct({ token0: TradeToken, token1: TradeToken }),
  /** The hash of the transaction. */
  transactionId: Schema.String
}

const position = {
  /** The liquidity that was added or removed, in the unit of the contract. */
  amount: Decimal,
  /** The account that owns the position, often a contract that manages positions. */
  owner: Schema.String
}

/**
 * Liquidity removed from a pool. Amounts are in whole tokens.
 *
 * @since 0.1.0
 * @category models
 */
export const Burn = Schema.Struct({ ...fields, ...position }).annotate({ identifier: "Burn" })

/**
 * @since 0.1.0
 * @category models
 */
export type Burn = typeof Burn.Type

/**
 * Liquidity added to a pool. Amounts are in whole tokens.
 *
 * @since 0.1.0
 * @category models
 */
export const Mint = Schema.Struct({
  ...fields,
  ...position,
  /** The account that called the pool. */
  sender: Schema.String
}).annotate({ identifier: "Mint" })

/**
 * @since 0.1.0
 * @category models
 */
export type Mint = typeof Mint.Type

/**
 * An exchange of one token for the other. Amounts are in whole tokens: positive if paid into the pool, negative if paid
 * out. `sqrtPriceX96` is "" in a pool without concentrated liquidity, such as a pair of Uniswap V2.
 *
 * @since 0.1.0
 * @category models
 */
export const Swap = Schema.Struct({
  ...fields,
  /** The account that called the pool. */
  sender: Schema.String,
  /** The account that received the token that was bought. */
  recipient: Schema.String,
  /** The square root of the price after the swap, times 2^96; "" without concentrated liquidity. */
  sqrtPriceX96: Schema.Union([Decimal, Schema.Literal("")])
}).annotate({ identifier: "Swap" })

/**
 * @since 0.1.0
 * @category models
 */
export type Swap = typeof Swap.Type

const optional = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.Array(schema))

/**
 * The trades of a token, separated by its side of the pool. Kinds that were switched off are absent.
 *
 * @since 0.1.0
 * @category models
 */
export const TokenTrades = Schema.Struct({
  /** The address of the token, in lower case. */
  token: TokenAddress,
  /** Burns in pools in which it is token 0. */
  burnsAs0: optional(Burn),
  /** Burns in pools in which it is token 1. */
  burnsAs1: optional(Burn),
  /** Mints in pools in which it is token 0. */
  mintsAs0: optional(Mint),
  /** Mints in pools in which it is token 1. */
  mintsAs1: optional(Mint),
  /** Swaps in pools in which it is token 0. */
  swapsAs0: optional(Swap),
  /** Swaps in pools in which it is token 1. */
  swapsAs1: optional(Swap)
}).annotate({ identifier: "TokenTrades" })

/**
 * @since 0.1.0
 * @category models
 */
export type TokenTrades = typeof TokenTrades.Type

/**
 * The trades of a pool. Kinds that were switched off are absent.
 *
 * @since 0.1.0
 * @category models
 */
export const PoolTrades = Schema.Struct({
  /** The address of the pool, in lower case. */
  pool: PoolAddress,
  /** Absent with `burn: false`. */
  burns: optional(Burn),
  /** Absent with `mint: false`. */
  mints: optional(Mint),
  /** Absent with `swap: false`. */
  swaps: optional(Swap)
}).annotate({ identifier: "PoolTrades" })

/**
 * @since 0.1.0
 * @category models
 */
export type PoolTrades = typeof PoolTrades.Type
