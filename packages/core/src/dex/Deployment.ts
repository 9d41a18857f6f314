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
  id: Schema.String,
  poolCount: Decimal,
  txCount: Decimal,
  totalVolumeUSD: Decimal,
  untrackedVolumeUSD: Decimal,
  totalVolumeETH: Decimal,
  totalValueLockedUSD: Decimal,
  totalValueLockedETH: Decimal,
  totalFeesUSD: Decimal,
  totalFeesETH: Decimal,
  owner: Schema.String
}).annotate({ identifier: "Deployment" })

/**
 * @since 0.1.0
 * @category models
 */
export type Deployment = typeof Deployment.Type
