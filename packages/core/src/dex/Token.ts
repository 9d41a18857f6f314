/**
 * Tokens of a decentralized exchange.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { Decimal } from "../number/Decimal.ts"
import { TokenAddress } from "./Address.ts"

const fields = {
  id: TokenAddress.annotate({ description: "Contract address" }),
  name: Schema.String.annotate({ description: "Name" }),
  symbol: Schema.String.annotate({ description: "Symbol" }),
  decimals: Decimal.annotate({ description: "Decimals" }),
  supply: Decimal.annotate({
    description: "Total supply when the token's first pool was created, in its smallest unit"
  }),
  totalValueLocked: Decimal.annotate({ description: "Liquidity across all pools, in the token" }),
  totalValueLockedUSD: Decimal.annotate({ description: "Liquidity across all pools, in derived USD" }),
  volume: Decimal.annotate({ description: "Volume in the token" }),
  volumeUSD: Decimal.annotate({ description: "Volume in derived USD" }),
  untrackedVolumeUSD: Decimal.annotate({ description: "Volume in USD, pools with less reliable prices included" }),
  txCount: Decimal.annotate({ description: "Events across all pools that hold the token" }),
  derivedETH: Decimal.annotate({ description: "Price in the native coin" }),
  feesUSD: Decimal.annotate({ description: "Fees in USD" }),
  poolCount: Decimal.annotate({ description: "Pools that hold the token" })
}

/**
 * A token inside a pool.
 *
 * @since 0.1.0
 * @category models
 */
export const PoolToken = Schema.Struct(fields).annotate({ identifier: "PoolToken" })

/**
 * @since 0.1.0
 * @category models
 */
export type PoolToken = typeof PoolToken.Type

/**
 * A token in the list of tokens. `logo` is there when it was asked for; empty where none is known.
 *
 * @since 0.1.0
 * @category models
 */
export const Token = Schema.Struct({
  ...fields,
  totalValueLockedUSDUntracked: Decimal.annotate({ description: "Liquidity in USD, untracked" }),
  logo: Schema.optionalKey(Schema.String.annotate({ description: "Logo" }))
}).annotate({ identifier: "Token" })

/**
 * @since 0.1.0
 * @category models
 */
export type Token = typeof Token.Type
