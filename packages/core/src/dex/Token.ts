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
  /** The address of its contract, in lower case. */
  id: TokenAddress,
  /** The name that its contract states. */
  name: Schema.String,
  /** The symbol that its contract states. */
  symbol: Schema.String,
  /** The decimals of its amounts: one whole token is 10^decimals of the smallest unit. */
  decimals: Decimal,
  /** The total supply when its first pool was created, in its smallest unit. */
  supply: Decimal,
  /** Locked in all pools, in whole tokens. */
  totalValueLocked: Decimal,
  /** Locked in all pools, in USD. */
  totalValueLockedUSD: Decimal,
  /** Swapped in all pools, in whole tokens. */
  volume: Decimal,
  /** Swapped in all pools, in USD. */
  volumeUSD: Decimal,
  /** Swapped in all pools in USD, less reliable prices included. */
  untrackedVolumeUSD: Decimal,
  /** Mints, burns, collects and swaps of all pools with the token. */
  txCount: Decimal,
  /** The price of one whole token, in the native coin of the blockchain. */
  derivedETH: Decimal,
  /** Fees of its pools, in USD. */
  feesUSD: Decimal,
  /** The pools with the token. */
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
  /** Locked in all pools in USD, less reliable prices included; 0 from an index of the service. */
  totalValueLockedUSDUntracked: Decimal,
  /** The address of its logo, "" if none is known; absent unless `logo` was requested. */
  logo: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "Token" })

/**
 * @since 0.1.0
 * @category models
 */
export type Token = typeof Token.Type
