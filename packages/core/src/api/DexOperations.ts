/**
 * The operations on decentralized exchanges.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { Blockchain } from "../blocks/Blockchain.ts"
import { BlockchainNotFound, BlockNotFound } from "../blocks/BlocksProblem.ts"
import { ExchangeNotFound } from "../cex/CexProblem.ts"
import { Deployment } from "../dex/Deployment.ts"
import { PoolNotFound, TokenNotFound } from "../dex/DexProblem.ts"
import { Pool } from "../dex/Pool.ts"
import { PoolTrades, TokenTrades } from "../dex/PoolTrade.ts"
import { Token } from "../dex/Token.ts"
import { keyedProblems, upstreamProblems } from "../problem/Problem.ts"
import * as Operation from "./Operation.ts"
import * as Parameter from "./Parameter.ts"

const group = "dex"
const place = { exchange: Parameter.dex, blockchain: Parameter.blockchain }
const problems = [...keyedProblems, ...upstreamProblems, ExchangeNotFound, BlockchainNotFound, BlockNotFound] as const
const block = Parameter.block("The state after all events of this block; the newest one if not given")
const page = { limit: Parameter.limit(1_000, 100), skip: Parameter.skip }

/**
 * The fields of a token by which a list can be sorted.
 *
 * @since 0.1.0
 * @category constants
 */
export const tokenOrderFields = [
  "id",
  "name",
  "symbol",
  "decimals",
  "supply",
  "totalValueLocked",
  "totalValueLockedUSD",
  "volume",
  "volumeUSD",
  "untrackedVolumeUSD",
  "txCount",
  "derivedETH",
  "feesUSD",
  "totalValueLockedUSDUntracked",
  "poolCount",
  "logo"
] as const satisfies ReadonlyArray<keyof Token>

/**
 * The fields of a pool by which a list can be sorted; `token0` and `token1` sort by their address.
 *
 * @since 0.1.0
 * @category constants
 */
export const poolOrderFields = [
  "id",
  "createdAtBlockNumber",
  "createdAtTimestamp",
  "feeGrowthGlobal0X128",
  "feeGrowthGlobal1X128",
  "feeTier",
  "feesUSD",
  "liquidity",
  "liquidityProviderCount",
  "observationIndex",
  "sqrtPrice",
  "tick",
  "token0Price",
  "token1Price",
  "totalValueLockedToken0",
  "totalValueLockedToken1",
  "totalValueLockedETH",
  "totalValueLockedUSD",
  "totalValueLockedUSDUntracked",
  "txCount",
  "volumeUSD",
  "volumeToken0",
  "volumeToken1",
  "untrackedVolumeUSD",
  "token0",
  "token1"
] as const satisfies ReadonlyArray<keyof Pool>

/**
 * The fields of trades by which they can be sorted; `pool` sorts by its address.
 *
 * @since 0.1.0
 * @category constants
 */
export const tradeOrderFields = [
  "id",
  "amount0",
  "amount1",
  "amountUSD",
  "logIndex",
  "origin",
  "timestamp",
  "pool",
  "transactionId",
  "amount",
  "owner",
  "sender",
  "recipient",
  "sqrtPriceX96"
] as const

const trades = {
  ...page,
  orderBy: Parameter.orderBy(tradeOrderFields),
  orderDirection: Parameter.orderDirection,
  swap: Parameter.flag("Whether swaps are answered", true),
  mint: Parameter.flag("Whether mints are answered", true),
  burn: Parameter.flag("Whether burns are answered", true),
  from: Parameter.time("Only trades of this time or later"),
  to: Parameter.time("Only trades of this time or earlier"),
  block
}

const tradeRelations = [Parameter.directionNeedsOrder, Parameter.windowIsOrdered, Parameter.orderIsOfRequestedTrades]

/**
 * @since 0.1.0
 * @category operations
 */
export const blockchains = Operation.make({
  name: "blockchains",
  group,
  path: "/v2/dex/:exchange",
  params: { exchange: Parameter.dex },
  success: Schema.Array(Blockchain),
  problems: [...keyedProblems, ExchangeNotFound],
  summary: "List the blockchains of a decentralized exchange",
  description: "The blockchains on which the exchange is deployed and can be read."
})

/**
 * @since 0.1.0
 * @category operations
 */
export const deployments = Operation.make({
  name: "deployments",
  group,
  path: "/v2/dex/:exchange/:blockchain",
  params: place,
  query: { block },
  success: Schema.Array(Deployment),
  problems,
  summary: "Read the totals of a decentralized exchange",
  description: "One element for each factory on the blockchain, now or as of a block."
})

/**
 * @since 0.1.0
 * @category operations
 */
export const tokens = Operation.make({
  name: "tokens",
  group,
  path: "/v2/dex/:exchange/:blockchain/tokens",
  params: place,
  query: {
    ...page,
    orderBy: Parameter.orderBy(tokenOrderFields),
    orderDirection: Parameter.orderDirection,
    tokenSymbol: Parameter.filter("Only tokens with this symbol; letter case does not matter"),
    tokenId: Parameter.tokenFilter,
    tokenName: Parameter.filter("Only tokens with this name; letter case does not matter"),
    logo: Parameter.flag("Whether each token carries its logo", false),
    block
  },
  relations: [Parameter.directionNeedsOrder, Parameter.logoOrderNeedsLogo],
  success: Schema.Array(Token),
  problems,
  summary: "List the tokens (alpha)",
  description:
    "Tokens by locked value, largest first, or sorted by `orderBy`; now or as of a block. This operation is " +
    "in its alpha stage."
})

/**
 * @since 0.1.0
 * @category operations
 */
export const tokenTrades = Operation.make({
  name: "tokenTrades",
  group,
  path: "/v2/dex/:exchange/:blockchain/token/:token/trades",
  params: { ...place, token: Parameter.token },
  query: {
    ...trades,
    base: Parameter.flag("Whether trades are answered in which the token is token 0", true),
    quote: Parameter.flag("Whether trades are answered in which the token is token 1", true)
  },
  relations: tradeRelations,
  success: TokenTrades,
  problems: [...problems, TokenNotFound],
  summary: "Read the trades of a token",
  description:
    "Mints, burns and swaps of every pool that holds the token, newest first, or sorted by `orderBy`. " +
    "`limit`, `skip` and `orderBy` hold for each array by itself."
})

/**
 * @since 0.1.0
 * @category operations
 */
export const pools = Operation.make({
  name: "pools",
  group,
  path: "/v2/dex/:exchange/:blockchain/pools",
  params: place,
  query: {
    block,
    ...page,
    orderBy: Parameter.orderBy(poolOrderFields),
    orderDirection: Parameter.orderDirection,
    pool: Parameter.poolFilter
  },
  relations: [Parameter.directionNeedsOrder],
  success: Schema.Array(Pool),
  problems,
  summary: "List the pools",
  description: "Pools by locked value, largest first, or sorted by `orderBy`; now or as of a block."
})

/**
 * @since 0.1.0
 * @category operations
 */
export const pool = Operation.make({
  name: "pool",
  group,
  path: "/v2/dex/:exchange/:blockchain/pool/:pool",
  params: { ...place, pool: Parameter.pool },
  query: { block },
  success: Pool,
  problems: [...problems, PoolNotFound],
  summary: "Read a pool",
  description: "One pool, now or as of a block."
})

/**
 * @since 0.1.0
 * @category operations
 */
export const poolTrades = Operation.make({
  name: "poolTrades",
  group,
  path: "/v2/dex/:exchange/:blockchain/pool/:pool/trades",
  params: { ...place, pool: Parameter.pool },
  query: trades,
  relations: tradeRelations,
  success: PoolTrades,
  problems: [...problems, PoolNotFound],
  summary: "Read the trades of a pool",
  description:
    "Mints, burns and swaps of the pool, newest first, or sorted by `orderBy`. `limit`, `skip` and `orderBy` " +
    "hold for each array by itself."
})
