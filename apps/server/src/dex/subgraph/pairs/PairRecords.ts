import { Schema } from "effect"
import { DecimalText } from "../query/DecimalText.ts"
import { Address, beginsWithHash, decimals, traded } from "../query/SubgraphRecord.ts"

export const FactoryRecord = Schema.Struct({
  id: Address,
  ...decimals([
    "pairCount",
    "txCount",
    "totalVolumeUSD",
    "untrackedVolumeUSD",
    "totalVolumeETH",
    "totalLiquidityUSD",
    "totalLiquidityETH"
  ])
})

/** The price of the native coin in USD. */
export const BundleRecord = Schema.Struct({ id: Schema.String, ethPrice: DecimalText })

/** The decimals of a token by our names for them. */
export const tokenDecimals = {
  decimals: "decimals",
  supply: "totalSupply",
  totalValueLocked: "totalLiquidity",
  volume: "tradeVolume",
  volumeUSD: "tradeVolumeUSD",
  untrackedVolumeUSD: "untrackedVolumeUSD",
  txCount: "txCount",
  derivedETH: "derivedETH"
} as const

export const TokenRecord = Schema.Struct({
  id: Address,
  name: Schema.String,
  symbol: Schema.String,
  ...decimals(Object.values(tokenDecimals))
})

/** The decimals of a pair by our names for them. */
export const pairDecimals = {
  createdAtBlockNumber: "createdAtBlockNumber",
  createdAtTimestamp: "createdAtTimestamp",
  liquidityProviderCount: "liquidityProviderCount",
  token0Price: "token0Price",
  token1Price: "token1Price",
  totalValueLockedToken0: "reserve0",
  totalValueLockedToken1: "reserve1",
  totalValueLockedETH: "reserveETH",
  totalValueLockedUSD: "reserveUSD",
  txCount: "txCount",
  volumeUSD: "volumeUSD",
  volumeToken0: "volumeToken0",
  volumeToken1: "volumeToken1",
  untrackedVolumeUSD: "untrackedVolumeUSD"
} as const

export const PairRecord = Schema.Struct({
  id: Address,
  ...decimals([...Object.values(pairDecimals), "totalSupply"]),
  token0: TokenRecord,
  token1: TokenRecord
})

const { amount0: _0, amount1: _1, ...common } = traded

export const SwapRecord = Schema.Struct({
  ...common,
  ...decimals(["amount0In", "amount0Out", "amount1In", "amount1Out"]),
  sender: Address,
  recipient: Address
}).check(beginsWithHash)

/** The names of a type's own fields. */
export const factoryFields = Object.keys(FactoryRecord.fields)
export const tokenFields = Object.keys(TokenRecord.fields)
export const pairFields = Object.keys(PairRecord.fields).filter((field) => field !== "token0" && field !== "token1")
