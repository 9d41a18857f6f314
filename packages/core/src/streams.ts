/**
 * Streams of whole lists and of live events over any function that reads one page: `CexStream`, `DexStream` and
 * `BlocksStream` of the clients are these over their services.
 *
 * @since 0.1.0
 */
export * as BlocksStream from "./stream/BlocksStream.ts"
export * as DexStream from "./stream/DexStream.ts"
export * as DexTradeStream from "./stream/DexTradeStream.ts"
export type { ListPage } from "./page/ListPage.ts"
export * as LiveBlocks from "./stream/LiveBlocks.ts"
export type { LivePage, Reorg } from "./page/LivePage.ts"
export * as LiveSwaps from "./stream/LiveSwaps.ts"
export * as TradeStream from "./stream/TradeStream.ts"
