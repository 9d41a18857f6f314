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
  name: Schema.String,
  id: TokenAddress,
  symbol: Schema.String
}).annotate({ identifier: "TradeToken" })

const fields = {
  id: Schema.String,
  amount0: Decimal,
  amount1: Decimal,
  amountUSD: Decimal,
  logIndex: Decimal,
  origin: Schema.String,
  timestamp: SecondsText,
  pool: Schema.Struct({ token0: TradeToken, token1: TradeToken }),
  transactionId: Schema.String
}

const position = { amount: Decimal, owner: Schema.String }

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
export const Mint = Schema.Struct({ ...fields, ...position, sender: Schema.String }).annotate({ identifier: "Mint" })

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
  sender: Schema.String,
  recipient: Schema.String,
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
  token: TokenAddress,
  burnsAs0: optional(Burn),
  burnsAs1: optional(Burn),
  mintsAs0: optional(Mint),
  mintsAs1: optional(Mint),
  swapsAs0: optional(Swap),
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
  pool: PoolAddress,
  burns: optional(Burn),
  mints: optional(Mint),
  swaps: optional(Swap)
}).annotate({ identifier: "PoolTrades" })

/**
 * @since 0.1.0
 * @category models
 */
export type PoolTrades = typeof PoolTrades.Type
