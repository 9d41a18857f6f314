/**
 * Deployments of a decentralized exchange: one factory on one blockchain.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { Decimal } from "../number/Decimal.ts"

/**
 * The totals of a deployment.
 *
 * @since 0.1.0
 * @category models
 *
 * @example
 * ```ts
 * import { Decimal, type Deployment } from "@chaintape/core"
 *
 * const lockedPerPool = ({ poolCount, totalValueLockedUSD }: Deployment): number =>
 *   Decimal.toNumber(totalValueLockedUSD) / Decimal.toNumber(poolCount)
 * ```
 */
export const Deployment = Schema.Struct({
  /** The address of the factory, in lower case. */
  id: Schema.String,
  /** The pools that it has created. */
  poolCount: Decimal,
  /** Mints, burns, collects and swaps of all time. */
  txCount: Decimal,
  /** Volume of all time, in USD. */
  totalVolumeUSD: Decimal,
  /** Volume of all time in USD, less reliable prices included. */
  untrackedVolumeUSD: Decimal,
  /** Volume of all time, in the native coin of the blockchain. */
  totalVolumeETH: Decimal,
  /** Value locked, in USD. */
  totalValueLockedUSD: Decimal,
  /** Value locked, in the native coin of the blockchain. */
  totalValueLockedETH: Decimal,
  /** Fees of all time, in USD. */
  totalFeesUSD: Decimal,
  /** Fees of all time, in the native coin of the blockchain. */
  totalFeesETH: Decimal,
  /** The address of the owner of the factory. */
  owner: Schema.String
}).annotate({ identifier: "Deployment" })

/**
 * @since 0.1.0
 * @category models
 */
export type Deployment = typeof Deployment.Type
