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
  id: PoolAddress,
  createdAtBlockNumber: Decimal,
  createdAtTimestamp: SecondsText,
  feeGrowthGlobal0X128: DecimalOrUnknown,
  feeGrowthGlobal1X128: DecimalOrUnknown,
  feeTier: Decimal,
  feesUSD: Decimal,
  liquidity: Decimal,
  liquidityProviderCount: Decimal,
  observationIndex: DecimalOrUnknown,
  sqrtPrice: DecimalOrUnknown,
  tick: DecimalOrUnknown,
  token0Price: Decimal,
  token1Price: Decimal,
  totalValueLockedToken0: Decimal,
  totalValueLockedToken1: Decimal,
  totalValueLockedETH: Decimal,
  totalValueLockedUSD: Decimal,
  totalValueLockedUSDUntracked: Decimal,
  txCount: Decimal,
  volumeUSD: Decimal,
  volumeToken0: Decimal,
  volumeToken1: Decimal,
  untrackedVolumeUSD: Decimal,
  token0: PoolToken,
  token1: PoolToken
}).annotate({ identifier: "Pool" })

/**
 * @since 0.1.0
 * @category models
 */
export type Pool = typeof Pool.Type
