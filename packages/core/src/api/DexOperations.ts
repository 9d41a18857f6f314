/**
 * The operations on decentralized exchanges.
 *
 * @since 0.1.0
 *
 * @example
 * ```ts
 * import { Client } from "@chaintape/core"
 * import * as DexOperations from "@chaintape/core/operations/dex"
 * import { Effect } from "effect"
 *
 * const { blockchains, candles, deployments, pool, pools, poolTrades, ticks, tokens, tokenTrades } = DexOperations
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
 *     yield* Effect.log(before.liquidity, daily.candles, initialized.length, ofPool.swaps, ofToken.swapsAs0)
 *   }
 *   return { totals, richest }
 * })
 * ```
 */
import * as Schema from "effect/Schema"
import { Blockchain } from "../blocks/Blockchain.ts"
import { BlockchainNotFound, BlockNotFound } from "../blocks/BlocksProblem.ts"
import { ExchangeNotFound, OperationNotSupported } from "../cex/CexProblem.ts"
import type { CallMode, Method } from "../client/CallMode.ts"
import { Deployment } from "../dex/Deployment.ts"
import { PoolNotFound, TokenNotFound } from "../dex/DexProblem.ts"
import { Pool } from "../dex/Pool.ts"
import { PoolCandles } from "../dex/PoolCandle.ts"
import { PoolTick } from "../dex/PoolTick.ts"
import { PoolTrades, TokenTrades } from "../dex/PoolTrade.ts"
import { Token } from "../dex/Token.ts"
import { decodeInPlace } from "../internal/decode/jsonDecoder.ts"
import { proof } from "../operation/Answer.ts"
import * as Operation from "../operation/Operation.ts"
import * as Parameter from "../operation/Parameter.ts"
import { apiKeyProblems, upstreamProblems } from "../problem/Problem.ts"
import * as DexParameter from "./DexParameter.ts"

const group = "dex"
const ofExchange = {
  /** The id of the exchange, such as `uniswap-v3`. */
  exchange: DexParameter.dex
}
const deployment = {
  /** The id of the exchange, such as `uniswap-v3`. */
  exchange: DexParameter.dex,
  /** The id of the blockchain, such as `ethereum`. */
  blockchain: Parameter.blockchain
}
const ofToken = {
  ...deployment,
  /** The address of the token. */
  token: DexParameter.token
}
const ofPool = {
  ...deployment,
  /** The address of the pool. */
  pool: DexParameter.pool
}
const problems = [...apiKeyProblems, ...upstreamProblems, ExchangeNotFound, BlockchainNotFound, BlockNotFound] as const
const asOf = {
  /** The state after all events of this block, a number or a bigint; the newest one if not given. */
  block: Parameter.block("The state after all events of this block; the newest one if not given")
}
const page = {
  /** Elements at most: 1 to 1,000; 100 if not given. */
  limit: Parameter.limit(1_000, 100),
  /** Elements to leave out at the beginning: 0 or more; 0 if not given. */
  skip: Parameter.skip
}

/** The fields by which a list of tokens can be sorted. */
const tokenOrderFields = [
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

/** The fields by which a list of pools can be sorted; `token0` and `token1` sort by their address. */
const poolOrderFields = [
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

/** The fields of trades by which they can be sorted; `pool` sorts by its address. */
const tradeOrderFields = [
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
  /** The field to sort by. */
  orderBy: Parameter.orderBy(tradeOrderFields),
  /** The direction of `orderBy`; ascending if not given. */
  orderDirection: Parameter.orderDirection,
  /** Whether swaps are returned; true if not given. */
  swap: Parameter.flag("Whether swaps are answered", true),
  /** Whether mints are returned; true if not given. */
  mint: Parameter.flag("Whether mints are answered", true),
  /** Whether burns are returned; true if not given. */
  burn: Parameter.flag("Whether burns are answered", true),
  /** Only what is of this time or later: a `Date`, Unix milliseconds, an ISO 8601 text or a `DateTime`. */
  from: Parameter.time("Only trades of this time or later"),
  /** Only what is of this time or earlier, in the same forms. */
  to: Parameter.time("Only trades of this time or earlier"),
  ...asOf
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
    params: ofExchange,
    success: Schema.Array(Blockchain),
    proof,
    problems: [...apiKeyProblems, ExchangeNotFound]
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
    query: asOf,
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
      /** The field to sort by. */
      orderBy: Parameter.orderBy(tokenOrderFields),
      /** The direction of `orderBy`; ascending if not given. */
      orderDirection: Parameter.orderDirection,
      /** Only tokens with this symbol. */
      tokenSymbol: Parameter.filter("Only tokens with this symbol; letter case does not matter"),
      /** Only the token with this address, in any letter case. */
      tokenId: DexParameter.tokenFilter,
      /** Only tokens with this name. */
      tokenName: Parameter.filter("Only tokens with this name; letter case does not matter"),
      /** Whether logos are returned; false if not given. */
      logo: Parameter.flag("Whether each token carries its logo", false),
      ...asOf
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
    params: ofToken,
    query: {
      ...trades,
      /** Whether trades with the token as token 0 are returned; true if not given. */
      base: Parameter.flag("Whether trades are answered in which the token is token 0", true),
      /** Whether trades with the token as token 1 are returned; true if not given. */
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
      ...asOf,
      ...page,
      /** The field to sort by. */
      orderBy: Parameter.orderBy(poolOrderFields),
      /** The direction of `orderBy`; ascending if not given. */
      orderDirection: Parameter.orderDirection,
      /** Only the pool with this address, in any letter case. */
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
    params: ofPool,
    query: asOf,
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
    params: ofPool,
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
    params: ofPool,
    query: {
      /** Elements at most: 1 to 1,000; 1,000 if not given. */
      limit: Parameter.limit(1_000, 1_000),
      /** Elements to leave out at the beginning: 0 or more; 0 if not given. */
      skip: Parameter.skip,
      ...asOf
    },
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
    params: {
      ...ofPool,
      /** The length of a candle. */
      timeframe: Parameter.timeframe
    },
    query: {
      /** Only what is of this time or later: a `Date`, Unix milliseconds, an ISO 8601 text or a `DateTime`. */
      from: Parameter.time("Only candles that start at this time or later; the first of them instead of the latest"),
      /** Only what is of this time or earlier, in the same forms. */
      to: Parameter.time("Only candles that start at this time or earlier"),
      /** Elements at most: 1 to 1,000; 100 if not given. */
      limit: Parameter.limit(1_000, 100),
      ...asOf
    },
    relations: [Parameter.windowIsOrdered],
    success: PoolCandles,
    proof,
    problems: [...problems, PoolNotFound, OperationNotSupported]
  }))()

/**
 * Reads decentralized exchanges: the methods of `Dex`, and of the promise client. Every method fails with `ClientError`, with
 * the problems of every operation that requires a key (`InvalidApiKey`, `RateLimited` and so on) and with `ExchangeNotFound`; all but
 * `blockchains` also with `BlockchainNotFound`, `BlockNotFound`, `UpstreamFailed`, `UpstreamBusy` or `UpstreamTimeout`. With
 * `block`, a number or a bigint, they read the state after all events of that block, by default that of the newest one.
 *
 * @example
 * ```ts
 * import type { DexMethods } from "@chaintape/core/operations/dex"
 *
 * const pools = (dex: DexMethods<"effect">) => dex.pools({ exchange: "uniswap-v3", blockchain: "ethereum" })
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export interface DexMethods<Mode extends CallMode> {
  /** The blockchains on which an exchange is available. */
  readonly blockchains: Method<Mode, typeof blockchains>
  /** The totals of each factory. */
  readonly deployments: Method<Mode, typeof deployments>
  /**
   * Tokens, by locked value in USD unless `orderBy` says otherwise: `limit` of them, 1 to 1,000, by default 100, after the
   * first `skip`. Alpha: this operation may change.
   */
  readonly tokens: Method<Mode, typeof tokens>
  /**
   * Mints, burns and swaps of every pool that contains a token, newest first, `limit` of each array (1 to 1,000, by default
   * 100). Fails with `TokenNotFound`.
   */
  readonly tokenTrades: Method<Mode, typeof tokenTrades>
  /** Pools, by locked value in USD unless `orderBy` says otherwise: `limit` of them, 1 to 1,000, by default 100. */
  readonly pools: Method<Mode, typeof pools>
  /** One pool with its tokens. Fails with `PoolNotFound`. */
  readonly pool: Method<Mode, typeof pool>
  /**
   * Mints, burns and swaps of one pool, newest first, `limit` of each array (1 to 1,000, by default 100). Fails with
   * `PoolNotFound`.
   */
  readonly poolTrades: Method<Mode, typeof poolTrades>
  /**
   * Candles of one pool from its swaps, oldest first: the latest `limit` (1 to 1,000, by default 100), or with `from` the
   * first `limit` from there on. Fails with `PoolNotFound` or `OperationNotSupported`. An addition beside the specified
   * interface.
   */
  readonly candles: Method<Mode, typeof candles>
  /**
   * The initialized ticks of one pool, by tick: `limit` of them, 1 to 1,000, by default 1,000. Fails with `PoolNotFound` or
   * `OperationNotSupported`. An addition beside the specified interface.
   */
  readonly ticks: Method<Mode, typeof ticks>
}
