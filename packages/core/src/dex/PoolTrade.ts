/**
 * Mints, burns and swaps.
 *
 * @since 0.1.0
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
  id: Schema.String.annotate({ description: "Transaction hash, #, index of the log in its block" }),
  amount0: Decimal.annotate({ description: "Amount of token 0; in swaps negative when it left the pool" }),
  amount1: Decimal.annotate({ description: "Amount of token 1; in swaps negative when it left the pool" }),
  amountUSD: Decimal.annotate({ description: "Amount in derived USD" }),
  logIndex: Decimal.annotate({ description: "Index of the log in its block" }),
  origin: Schema.String.annotate({ description: "Account that sent the transaction" }),
  timestamp: SecondsText.annotate({ description: "Time of the block (Unix seconds on the wire)" }),
  pool: Schema.Struct({ token0: TradeToken, token1: TradeToken }),
  transactionId: Schema.String.annotate({ description: "Transaction hash" })
}

const amount = Decimal.annotate({ description: "Amount of liquidity" })
const owner = Schema.String.annotate({ description: "Owner of the position" })
const sender = Schema.String.annotate({ description: "Sender" })

/**
 * @since 0.1.0
 * @category models
 */
export const Burn = Schema.Struct({ ...fields, amount, owner }).annotate({ identifier: "Burn" })

/**
 * @since 0.1.0
 * @category models
 */
export type Burn = typeof Burn.Type

/**
 * @since 0.1.0
 * @category models
 */
export const Mint = Schema.Struct({ ...fields, amount, owner, sender }).annotate({ identifier: "Mint" })

/**
 * @since 0.1.0
 * @category models
 */
export type Mint = typeof Mint.Type

/**
 * @since 0.1.0
 * @category models
 */
export const Swap = Schema.Struct({
  ...fields,
  sender,
  recipient: Schema.String.annotate({ description: "Recipient" }),
  sqrtPriceX96: Decimal.annotate({ description: "Square root of the price after the swap, times 2^96" })
}).annotate({ identifier: "Swap" })

/**
 * @since 0.1.0
 * @category models
 */
export type Swap = typeof Swap.Type

const optional = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.Array(schema))

/**
 * The trades of a token, apart by the side of the pool that it is on. What was switched off is absent.
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
 * The trades of a pool. What was switched off is absent.
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
