/**
 * Pools of a decentralized exchange.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { Decimal } from "../number/Decimal.ts"
import { SecondsText } from "../time/Timestamp.ts"
import { PoolAddress } from "./Address.ts"
import { PoolToken } from "./Token.ts"

/** Empty where the pool has no such value: before it is initialized, or without concentrated liquidity. */
const DecimalOrUnknown = Schema.Union([Decimal, Schema.Literal("")])

/**
 * One pool. A pool without concentrated liquidity, such as a pair of Uniswap V2, has "" in `tick`, `sqrtPrice`,
 * `observationIndex` and both fee growths; its `liquidity` is the supply of its LP token.
 *
 * @since 0.1.0
 * @category models
 *
 * @example
 * ```ts
 * import { Decimal, type Pool } from "@chaintape/core"
 *
 * // The fee of a swap as a share: 0.0005 for a fee tier of 500.
 * const feeOf = ({ feeTier }: Pool): number => Decimal.toNumber(feeTier) / 1_000_000
 * ```
 */
export const Pool = Schema.Struct({
  /** The address of its contract, in lower case. */
  id: PoolAddress,
  /** The number of the block of its creation. */
  createdAtBlockNumber: Decimal,
  /** When that block was made, to the second; in UTC. */
  createdAtTimestamp: SecondsText,
  /** Fees in token 0 for each unit of liquidity, of all time, times 2^128; "" where the source does not state them. */
  feeGrowthGlobal0X128: DecimalOrUnknown,
  /** Fees in token 1 for each unit of liquidity, of all time, times 2^128; "" where the source does not state them. */
  feeGrowthGlobal1X128: DecimalOrUnknown,
  /** The fee of a swap in millionths: 3000 is 0.3 %. */
  feeTier: Decimal,
  /** Fees of all time, in USD. */
  feesUSD: Decimal,
  /** The liquidity in range, in the unit of the contract; of a pair the supply of its LP token. */
  liquidity: Decimal,
  /** Always 0: nothing defines it. */
  liquidityProviderCount: Decimal,
  /** The index of the newest observation of its oracle; "" without concentrated liquidity. */
  observationIndex: DecimalOrUnknown,
  /** The square root of the price, times 2^96; "" without concentrated liquidity. */
  sqrtPrice: DecimalOrUnknown,
  /** The current tick; "" until the pool is initialized, and without concentrated liquidity. */
  tick: DecimalOrUnknown,
  /** Token 0 for one token 1, in whole tokens. */
  token0Price: Decimal,
  /** Token 1 for one token 0, in whole tokens. */
  token1Price: Decimal,
  /** Token 0 in the pool, in whole tokens. */
  totalValueLockedToken0: Decimal,
  /** Token 1 in the pool, in whole tokens. */
  totalValueLockedToken1: Decimal,
  /** Value locked, in the native coin of the blockchain. */
  totalValueLockedETH: Decimal,
  /** Value locked, in USD. */
  totalValueLockedUSD: Decimal,
  /** Value locked in USD, less reliable prices included; 0 from an index of the service. */
  totalValueLockedUSDUntracked: Decimal,
  /** Mints, burns, collects and swaps of all time. */
  txCount: Decimal,
  /** Swapped since the creation, in USD. */
  volumeUSD: Decimal,
  /** Token 0 that was swapped since the creation, in whole tokens. */
  volumeToken0: Decimal,
  /** Token 1 that was swapped since the creation, in whole tokens. */
  volumeToken1: Decimal,
  /** Swapped since the creation in USD, less reliable prices included. */
  untrackedVolumeUSD: Decimal,
  /** The token with the smaller address. */
  token0: PoolToken,
  /** The token with the larger address. */
  token1: PoolToken
}).annotate({ identifier: "Pool" })

/**
 * @since 0.1.0
 * @category models
 */
export type Pool = typeof Pool.Type
