/**
 * Tokens of a decentralized exchange.
 *
 * @since 0.1.0
 *
 * @example
 * ```ts
 * import { Decimal, type PoolToken, type Token } from "@chaintape/core"
 *
 * const priceUSD = ({ totalValueLocked, totalValueLockedUSD }: PoolToken): number =>
 *   Decimal.toNumber(totalValueLockedUSD) / Decimal.toNumber(totalValueLocked)
 *
 * const logoOf = ({ logo = "" }: Token): string | undefined => (logo === "" ? undefined : logo)
 * ```
 */
import * as Schema from "effect/Schema"
import { Decimal } from "../number/Decimal.ts"
import { TokenAddress } from "./Address.ts"

const fields = {
  id: TokenAddress,
  name: Schema.String,
  symbol: Schema.String,
  decimals: Decimal,
  supply: Decimal,
  totalValueLocked: Decimal,
  totalValueLockedUSD: Decimal,
  volume: Decimal,
  volumeUSD: Decimal,
  untrackedVolumeUSD: Decimal,
  txCount: Decimal,
  derivedETH: Decimal,
  feesUSD: Decimal,
  poolCount: Decimal
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
 * A token in the list of tokens. `logo` is present if requested; empty if none is known.
 *
 * @since 0.1.0
 * @category models
 */
export const Token = Schema.Struct({
  ...fields,
  totalValueLockedUSDUntracked: Decimal,
  logo: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "Token" })

/**
 * @since 0.1.0
 * @category models
 */
export type Token = typeof Token.Type
