import { Schema } from "effect"
import { DecimalText } from "../query/DecimalText.ts"
import { Address, beginsWithHash, traded } from "../query/SubgraphRecord.ts"

export const FactoryRecord = Schema.Struct({
  id: Address,
  pairCount: DecimalText,
  txCount: DecimalText,
  totalVolumeUSD: DecimalText,
  untrackedVolumeUSD: DecimalText,
  totalVolumeETH: DecimalText,
  totalLiquidityUSD: DecimalText,
  totalLiquidityETH: DecimalText
})

/** The price of the native coin in USD. */
export const BundleRecord = Schema.Struct({ id: Schema.String, ethPrice: DecimalText })

export const TokenRecord = Schema.Struct({
  id: Address,
  name: Schema.String,
  symbol: Schema.String,
  decimals: DecimalText,
  totalSupply: DecimalText,
  totalLiquidity: DecimalText,
  tradeVolume: DecimalText,
  tradeVolumeUSD: DecimalText,
  untrackedVolumeUSD: DecimalText,
  txCount: DecimalText,
  derivedETH: DecimalText
})

export const PairRecord = Schema.Struct({
  id: Address,
  createdAtBlockNumber: DecimalText,
  createdAtTimestamp: DecimalText,
  totalSupply: DecimalText,
  liquidityProviderCount: DecimalText,
  token0Price: DecimalText,
  token1Price: DecimalText,
  reserve0: DecimalText,
  reserve1: DecimalText,
  reserveETH: DecimalText,
  reserveUSD: DecimalText,
  txCount: DecimalText,
  volumeUSD: DecimalText,
  volumeToken0: DecimalText,
  volumeToken1: DecimalText,
  untrackedVolumeUSD: DecimalText,
  token0: TokenRecord,
  token1: TokenRecord
})

const { amount0: _0, amount1: _1, ...common } = traded

export const SwapRecord = Schema.Struct({
  ...common,
  amount0In: DecimalText,
  amount0Out: DecimalText,
  amount1In: DecimalText,
  amount1Out: DecimalText,
  sender: Address,
  recipient: Address
}).check(beginsWithHash)

/** The names of a type's own fields. */
export const factoryFields = Object.keys(FactoryRecord.fields)
export const tokenFields = Object.keys(TokenRecord.fields)
export const pairFields = Object.keys(PairRecord.fields).filter((field) => field !== "token0" && field !== "token1")
