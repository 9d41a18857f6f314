/**
 * Effect client of the Chaintape operations on decentralized exchanges.
 *
 * @since 0.1.0
 */
export { Dex } from "./Dex.ts"
export { blockchains, candles, deployments, pool, pools, poolTrades, ticks, tokens, tokenTrades } from "./DexCalls.ts"
export * as DexStream from "./DexStream.ts"
