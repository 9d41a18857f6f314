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

const DecimalOrUnknown = Schema.Union([Decimal, Schema.Literal("")])

/**
 * One pool.
 *
 * @since 0.1.0
 * @category models
 */
export const Pool = Schema.Struct({
  id: PoolAddress.annotate({ description: "Contract address" }),
  createdAtBlockNumber: Decimal.annotate({ description: "Block of its creation" }),
  createdAtTimestamp: SecondsText.annotate({ description: "Time of its creation (Unix seconds on the wire)" }),
  feeGrowthGlobal0X128: DecimalOrUnknown.annotate({
    description:
      "Fee growth of token 0 for each unit of liquidity, times 2^128; empty where the source does not state it"
  }),
  feeGrowthGlobal1X128: DecimalOrUnknown.annotate({
    description:
      "Fee growth of token 1 for each unit of liquidity, times 2^128; empty where the source does not state it"
  }),
  feeTier: Decimal.annotate({ description: "Fee in millionths" }),
  feesUSD: Decimal.annotate({ description: "Fees in USD" }),
  liquidity: Decimal.annotate({ description: "Liquidity in range" }),
  liquidityProviderCount: Decimal.annotate({ description: "Always 0: nothing defines it" }),
  observationIndex: Decimal.annotate({ description: "Index of the newest observation" }),
  sqrtPrice: Decimal.annotate({ description: "Square root of the price, times 2^96" }),
  tick: DecimalOrUnknown.annotate({
    description: "Current tick; empty until the pool is initialized"
  }),
  token0Price: Decimal.annotate({ description: "Token 0 for one token 1" }),
  token1Price: Decimal.annotate({ description: "Token 1 for one token 0" }),
  totalValueLockedToken0: Decimal.annotate({ description: "Token 0 across all ticks" }),
  totalValueLockedToken1: Decimal.annotate({ description: "Token 1 across all ticks" }),
  totalValueLockedETH: Decimal.annotate({ description: "Value locked in the native coin" }),
  totalValueLockedUSD: Decimal.annotate({ description: "Value locked in USD" }),
  totalValueLockedUSDUntracked: Decimal.annotate({ description: "Value locked in USD, untracked" }),
  txCount: Decimal.annotate({ description: "Events of all time" }),
  volumeUSD: Decimal.annotate({ description: "USD swapped, all time" }),
  volumeToken0: Decimal.annotate({ description: "Token 0 swapped, all time" }),
  volumeToken1: Decimal.annotate({ description: "Token 1 swapped, all time" }),
  untrackedVolumeUSD: Decimal.annotate({ description: "USD swapped, all time, less reliable values included" }),
  token0: PoolToken,
  token1: PoolToken
}).annotate({ identifier: "Pool" })

/**
 * @since 0.1.0
 * @category models
 */
export type Pool = typeof Pool.Type
