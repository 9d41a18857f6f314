/**
 * Effect client of the Chaintape operations on centralized exchanges.
 *
 * @since 0.1.0
 */
export { Cex } from "./Cex.ts"
export { candles, exchange, exchanges, lastCandle, lastTrade, markets, trades } from "./CexCalls.ts"
export * as CexStream from "./CexStream.ts"
