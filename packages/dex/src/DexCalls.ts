/**
 * The operations on decentralized exchanges as functions, so that a bundle contains only those that its program calls.
 *
 * @since 0.1.0
 */
import { call } from "@chaintape/core/operations"
import * as Operations from "@chaintape/core/operations/dex"

/**
 * Lists the blockchains on which a decentralized exchange is available.
 *
 * @since 0.1.0
 * @category calls
 *
 * @example
 * ```ts
 * import { blockchains } from "@chaintape/dex"
 * import { Client } from "@chaintape/core"
 * import { Effect } from "effect"
 *
 * const ids = Effect.map(blockchains({ exchange: "uniswap-v3" }), (all) => all.map(({ id }) => id))
 * const runnable = Effect.provide(ids, Client.layer({ baseUrl: "http://127.0.0.1:3000" }))
 * ```
 */
export const blockchains: Operations.DexMethods<"call">["blockchains"] = /* @__PURE__ */ call(Operations.blockchains)

/**
 * Reads the totals of every deployment of an exchange on a blockchain, now or as of a block.
 *
 * @since 0.1.0
 * @category calls
 *
 * @example
 * ```ts
 * import { deployments } from "@chaintape/dex"
 *
 * const before = deployments({ exchange: "uniswap-v3", blockchain: "ethereum", block: 20_000_000 })
 * ```
 */
export const deployments: Operations.DexMethods<"call">["deployments"] = /* @__PURE__ */ call(Operations.deployments)

/**
 * Reads tokens, the largest locked value first or sorted by `orderBy`, now or as of a block. Alpha: this operation may
 * change.
 *
 * @since 0.1.0
 * @category calls
 *
 * @example
 * ```ts
 * import { tokens } from "@chaintape/dex"
 *
 * const richest = tokens({ exchange: "uniswap-v3", blockchain: "ethereum", limit: 10 })
 * ```
 */
export const tokens: Operations.DexMethods<"call">["tokens"] = /* @__PURE__ */ call(Operations.tokens)

/**
 * Reads mints, burns and swaps of every pool of a token, newest first or sorted by `orderBy`.
 *
 * @since 0.1.0
 * @category calls
 *
 * @example
 * ```ts
 * import { TokenAddress } from "@chaintape/core"
 * import { tokenTrades } from "@chaintape/dex"
 *
 * const token = TokenAddress.make("0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2")
 * const swaps = tokenTrades({ exchange: "uniswap-v3", blockchain: "ethereum", token, mint: false, burn: false })
 * ```
 */
export const tokenTrades: Operations.DexMethods<"call">["tokenTrades"] = /* @__PURE__ */ call(Operations.tokenTrades)

/**
 * Reads pools, the largest locked value first or sorted by `orderBy`, now or as of a block.
 *
 * @since 0.1.0
 * @category calls
 *
 * @example
 * ```ts
 * import { pools } from "@chaintape/dex"
 * import { Effect } from "effect"
 *
 * const largest = pools({ exchange: "uniswap-v3", blockchain: "ethereum", limit: 10 })
 * const ids = Effect.map(largest, (all) => all.map(({ id }) => id))
 * ```
 */
export const pools: Operations.DexMethods<"call">["pools"] = /* @__PURE__ */ call(Operations.pools)

/**
 * Reads one pool, now or as of a block. Fails with `PoolNotFound` if it does not exist (as of the block).
 *
 * @since 0.1.0
 * @category calls
 *
 * @example
 * ```ts
 * import { PoolAddress } from "@chaintape/core"
 * import { pool } from "@chaintape/dex"
 *
 * const address = PoolAddress.make("0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640")
 * const before = pool({ exchange: "uniswap-v3", blockchain: "ethereum", pool: address, block: 20_000_000 })
 * ```
 */
export const pool: Operations.DexMethods<"call">["pool"] = /* @__PURE__ */ call(Operations.pool)

/**
 * Reads mints, burns and swaps of one pool, newest first or sorted by `orderBy`.
 *
 * @since 0.1.0
 * @category calls
 *
 * @example
 * ```ts
 * import { PoolAddress } from "@chaintape/core"
 * import { poolTrades } from "@chaintape/dex"
 *
 * const pool = PoolAddress.make("0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640")
 * const swaps = poolTrades({ exchange: "uniswap-v3", blockchain: "ethereum", pool, mint: false, burn: false })
 * ```
 */
export const poolTrades: Operations.DexMethods<"call">["poolTrades"] = /* @__PURE__ */ call(Operations.poolTrades)

/**
 * Reads candles of one pool from its swaps, oldest first, now or as of a block: the latest `limit` (100 if not given), or
 * the first `limit` with `from`. An addition beside the specified interface.
 *
 * @since 0.1.0
 * @category calls
 *
 * @example
 * ```ts
 * import { PoolAddress } from "@chaintape/core"
 * import { candles } from "@chaintape/dex"
 *
 * const pool = PoolAddress.make("0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640")
 * const daily = candles({ exchange: "uniswap-v3", blockchain: "ethereum", pool, timeframe: "1d", block: 20_000_000 })
 * ```
 */
export const candles: Operations.DexMethods<"call">["candles"] = /* @__PURE__ */ call(Operations.candles)

/**
 * Reads the initialized ticks of one pool, by tick ascending, now or as of a block. An addition beside the specified
 * interface.
 *
 * @since 0.1.0
 * @category calls
 *
 * @example
 * ```ts
 * import { PoolAddress } from "@chaintape/core"
 * import { ticks } from "@chaintape/dex"
 *
 * const pool = PoolAddress.make("0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640")
 * const initialized = ticks({ exchange: "uniswap-v3", blockchain: "ethereum", pool, block: 20_000_000 })
 * ```
 */
export const ticks: Operations.DexMethods<"call">["ticks"] = /* @__PURE__ */ call(Operations.ticks)
