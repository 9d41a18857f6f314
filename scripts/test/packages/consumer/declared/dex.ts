/** Values of `@chaintape/dex` that a user's library exports. */
import { Dex, DexStream, pools } from "@chaintape/dex"
import * as Effect from "effect/Effect"

const deployment = { exchange: "uniswap-v3", blockchain: "ethereum" }

export const layer = Dex.layerConfig()
export const service = Effect.map(Dex, (dex) => dex)
export const methods = Effect.map(Dex, (dex) => ({ ...dex, ...dex.withResponse }))
export const read = pools
export const answer = Effect.flatMap(Dex, (dex) => dex.withResponse.pools(deployment))
export const allTokens = DexStream.tokens(deployment)
export const poolPages = DexStream.poolPages(deployment)

type Pool = Parameters<typeof DexStream.liveSwaps>[0]
export const swaps = (pool: Pool) => DexStream.poolTrades({ ...pool, kind: "swap" })
export const liveSwaps = (pool: Pool) => DexStream.liveSwaps(pool)
export const liveSwapPages = (pool: Pool) => DexStream.liveSwapPages(pool)
