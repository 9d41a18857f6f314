/** Values of `@chaintape/core/promise` that a user's library exports. */
import { BlocksStream, CexStream, createClient, DexStream } from "@chaintape/core/promise"

export const chaintape = createClient({ baseUrl: "http://stub.test" })
export const { blocks, cex, dex, ping } = chaintape
export const { trades, withResponse } = cex
export const pools = () => dex.pools({ exchange: "uniswap-v3", blockchain: "ethereum" })
export const answeredPools = () => dex.withResponse.pools({ exchange: "uniswap-v3", blockchain: "ethereum" })

const pool = { exchange: "uniswap-v3", blockchain: "ethereum", pool: "0x0000000000000000000000000000000000000001" }
export const tradePages = (since: Date) =>
  CexStream.tradePages(chaintape, { exchange: "kraken", market: "BTC/USD", since })
export const swaps = DexStream.poolTrades(chaintape, { ...pool, kind: "swap" })
export const liveSwaps = DexStream.liveSwaps(chaintape, pool)
export const liveSwapPages = DexStream.liveSwapPages(chaintape, pool)
export const allBlocks = BlocksStream.blockPages(chaintape, { blockchain: "ethereum" })
export const liveBlocks = BlocksStream.liveBlocks(chaintape, { blockchain: "ethereum" })
