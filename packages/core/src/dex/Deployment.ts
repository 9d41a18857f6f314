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
 */
export const Deployment = Schema.Struct({
  id: Schema.String.annotate({ description: "Address of the factory" }),
  poolCount: Decimal.annotate({ description: "Pools created" }),
  txCount: Decimal.annotate({ description: "Events of all time" }),
  totalVolumeUSD: Decimal.annotate({ description: "Volume of all time in derived USD" }),
  untrackedVolumeUSD: Decimal.annotate({ description: "All volume, less reliable USD values included" }),
  totalVolumeETH: Decimal.annotate({ description: "Volume of all time in the native coin" }),
  totalValueLockedUSD: Decimal.annotate({ description: "Value locked in USD" }),
  totalValueLockedETH: Decimal.annotate({ description: "Value locked in the native coin" }),
  totalFeesUSD: Decimal.annotate({ description: "Swap fees of all time in USD" }),
  totalFeesETH: Decimal.annotate({ description: "Swap fees of all time in the native coin" }),
  owner: Schema.String.annotate({ description: "Owner of the factory" })
}).annotate({ identifier: "Deployment" })

/**
 * @since 0.1.0
 * @category models
 */
export type Deployment = typeof Deployment.Type
