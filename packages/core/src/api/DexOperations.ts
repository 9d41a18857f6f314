/**
 * The operations on decentralized exchanges.
 *
 * @since 0.1.0
 *
 * @example
 * ```ts
 * import { Client } from "@chaintape/core"
 * import * as DexOperations from "@chaintape/core/api/DexOperations"
 * import { Effect } from "effect"
 *
 * const { blockchains, candles, deployments, pool, pools, poolTrades, ticks, tokens, tokenTrades } = DexOperations
 * const { poolOrderFields, tokenOrderFields, tradeOrderFields } = DexOperations
 * const fields = { poolOrderFields, tokenOrderFields, tradeOrderFields }
 *
 * const program = Effect.gen(function* () {
 *   const { call } = yield* Client
 *   const { value: chains } = yield* call(blockchains, { exchange: "uniswap-v3" })
 *   const deployment = { exchange: "uniswap-v3", blockchain: chains[0]?.id ?? "ethereum" }
 *   const { value: totals } = yield* call(deployments, deployment)
 *   const { value: richest } = yield* call(tokens, { ...deployment, limit: 10 })
 *   const { value: largest } = yield* call(pools, { ...deployment, limit: 1 })
 *   for (const { id, token0 } of largest) {
 *     const { value: before } = yield* call(pool, { ...deployment, pool: id, block: 20_000_000 })
 *     const { value: ofPool } = yield* call(poolTrades, { ...deployment, pool: id, mint: false, burn: false })
 *     const { value: daily } = yield* call(candles, { ...deployment, pool: id, timeframe: "1d" })
 *     const { value: initialized } = yield* call(ticks, { ...deployment, pool: id })
 *     const { value: ofToken } = yield* call(tokenTrades, { ...deployment, token: token0.id, orderBy: "amountUSD" })
 *     yield* Effect.log(before.liquidity, daily.aggregates, initialized.length, ofPool.swaps, ofToken.swapsAs0)
 *   }
 *   return { totals, richest, fields }
 * })
 * ```
 */
import * as Schema from "effect/Schema"
import { Blockchain } from "../blocks/Blockchain.ts"
import { BlockchainNotFound, BlockNotFound } from "../blocks/BlocksProblem.ts"
import { ExchangeNotFound, OperationNotSupported } from "../cex/CexProblem.ts"
import { proof } from "../client/Answer.ts"
import { Deployment } from "../dex/Deployment.ts"
import { PoolNotFound, TokenNotFound } from "../dex/DexProblem.ts"
import { Pool } from "../dex/Pool.ts"
import { PoolCandles } from "../dex/PoolCandle.ts"
import { PoolTick } from "../dex/PoolTick.ts"
import { PoolTrades, TokenTrades } from "../dex/PoolTrade.ts"
import { Token } from "../dex/Token.ts"
import { decodeInPlace } from "../internal/decode/jsonDecoder.ts"
import { keyedProblems, upstreamProblems } from "../problem/Problem.ts"
import * as DexParameter from "./DexParameter.ts"
import * as Operation from "./Operation.ts"
import * as Parameter from "./Parameter.ts"

const group = "dex"
const deployment = { exchange: DexParameter.dex, blockchain: Parameter.blockchain }
const problems = [...keyedProblems, ...upstreamProblems, ExchangeNotFound, BlockchainNotFound, BlockNotFound] as const
const block = Parameter.block("The state after all events of this block; the newest one if not given")
const page = { limit: Parameter.limit(1_000, 100), skip: Parameter.skip }

/**
 * The fields by which a list of tokens can be sorted.
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
 * The fields by which a list of pools can be sorted; `token0` and `token1` sort by their address.
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

const tradeRelations = [Parameter.directionNeedsOrder, Parameter.windowIsOrdered, DexParameter.orderIsOfRequestedTrades]

/**
 * Lists the blockchains on which a decentralized exchange is available.
 *
 * @since 0.1.0
 * @category operations
 */
export const blockchains = /* @__PURE__ */ (() =>
  Operation.make({
    name: "blockchains",
    group,
    path: "/v2/dex/:exchange",
    params: { exchange: DexParameter.dex },
    success: Schema.Array(Blockchain),
    proof,
    problems: [...keyedProblems, ExchangeNotFound]
  }))()

/**
 * Reads the totals of every deployment of an exchange on a blockchain, now or as of a block.
 *
 * @since 0.1.0
 * @category operations
 */
export const deployments = /* @__PURE__ */ (() =>
  Operation.make({
    name: "deployments",
    group,
    path: "/v2/dex/:exchange/:blockchain",
    params: deployment,
    query: { block },
    success: Schema.Array(Deployment),
    proof,
    problems
  }))()

/**
 * Reads tokens, the largest locked value first or sorted by `orderBy`, now or as of a block.
 *
 * @since 0.1.0
 * @category operations
 */
export const tokens = /* @__PURE__ */ (() =>
  Operation.make({
    name: "tokens",
    group,
    path: "/v2/dex/:exchange/:blockchain/tokens",
    params: deployment,
    query: {
      ...page,
      orderBy: Parameter.orderBy(tokenOrderFields),
      orderDirection: Parameter.orderDirection,
      tokenSymbol: Parameter.filter("Only tokens with this symbol; letter case does not matter"),
      tokenId: DexParameter.tokenFilter,
      tokenName: Parameter.filter("Only tokens with this name; letter case does not matter"),
      logo: Parameter.flag("Whether each token carries its logo", false),
      block
    },
    relations: [Parameter.directionNeedsOrder, DexParameter.logoOrderNeedsLogo],
    success: Schema.Array(Token),
    decoder: decodeInPlace,
    proof,
    problems
  }))()

/**
 * Reads mints, burns and swaps of every pool of a token, newest first or sorted by `orderBy`.
 *
 * @since 0.1.0
 * @category operations
 */
export const tokenTrades = /* @__PURE__ */ (() =>
  Operation.make({
    name: "tokenTrades",
    group,
    path: "/v2/dex/:exchange/:blockchain/token/:token/trades",
    params: { ...deployment, token: DexParameter.token },
    query: {
      ...trades,
      base: Parameter.flag("Whether trades are answered in which the token is token 0", true),
      quote: Parameter.flag("Whether trades are answered in which the token is token 1", true)
    },
    relations: tradeRelations,
    success: TokenTrades,
    decoder: decodeInPlace,
    proof,
    problems: [...problems, TokenNotFound]
  }))()

/**
 * Reads pools, the largest locked value first or sorted by `orderBy`, now or as of a block.
 *
 * @since 0.1.0
 * @category operations
 */
export const pools = /* @__PURE__ */ (() =>
  Operation.make({
    name: "pools",
    group,
    path: "/v2/dex/:exchange/:blockchain/pools",
    params: deployment,
    query: {
      block,
      ...page,
      orderBy: Parameter.orderBy(poolOrderFields),
      orderDirection: Parameter.orderDirection,
      pool: DexParameter.poolFilter
    },
    relations: [Parameter.directionNeedsOrder],
    success: Schema.Array(Pool),
    decoder: decodeInPlace,
    proof,
    problems
  }))()

/**
 * Reads one pool, now or as of a block. Fails with `PoolNotFound` if it does not exist (as of the block).
 *
 * @since 0.1.0
 * @category operations
 */
export const pool = /* @__PURE__ */ (() =>
  Operation.make({
    name: "pool",
    group,
    path: "/v2/dex/:exchange/:blockchain/pool/:pool",
    params: { ...deployment, pool: DexParameter.pool },
    query: { block },
    success: Pool,
    proof,
    problems: [...problems, PoolNotFound]
  }))()

/**
 * Reads mints, burns and swaps of one pool, newest first or sorted by `orderBy`.
 *
 * @since 0.1.0
 * @category operations
 */
export const poolTrades = /* @__PURE__ */ (() =>
  Operation.make({
    name: "poolTrades",
    group,
    path: "/v2/dex/:exchange/:blockchain/pool/:pool/trades",
    params: { ...deployment, pool: DexParameter.pool },
    query: trades,
    relations: tradeRelations,
    success: PoolTrades,
    decoder: decodeInPlace,
    proof,
    problems: [...problems, PoolNotFound]
  }))()

/**
 * Reads the initialized ticks of one pool, by tick ascending, now or as of a block. Fails with `OperationNotSupported` if
 * they are not known. An addition beside the specified interface.
 *
 * @since 0.1.0
 * @category operations
 */
export const ticks = /* @__PURE__ */ (() =>
  Operation.make({
    name: "ticks",
    group,
    path: "/v2/dex/:exchange/:blockchain/pool/:pool/ticks",
    params: { ...deployment, pool: DexParameter.pool },
    query: { limit: Parameter.limit(1_000, 1_000), skip: Parameter.skip, block },
    success: Schema.Array(PoolTick),
    decoder: decodeInPlace,
    proof,
    problems: [...problems, PoolNotFound, OperationNotSupported]
  }))()

/**
 * Reads candles of one pool from its swaps, oldest first, now or as of a block: the latest `limit` (100 if not given), or
 * the first `limit` with `from`. `from` and `to` bound the starts of the candles. A candle without a swap is absent. Fails
 * with `OperationNotSupported` if they are not known. An addition beside the specified interface.
 *
 * @since 0.1.0
 * @category operations
 */
export const candles = /* @__PURE__ */ (() =>
  Operation.make({
    name: "candles",
    group,
    path: "/v2/dex/:exchange/:blockchain/pool/:pool/aggregates/:timeframe",
    params: { ...deployment, pool: DexParameter.pool, timeframe: Parameter.timeframe },
    query: {
      from: Parameter.time("Only candles that start at this time or later; the first of them instead of the latest"),
      to: Parameter.time("Only candles that start at this time or earlier"),
      limit: Parameter.limit(1_000, 100),
      block
    },
    relations: [Parameter.windowIsOrdered],
    success: PoolCandles,
    proof,
    problems: [...problems, PoolNotFound, OperationNotSupported]
  }))()
