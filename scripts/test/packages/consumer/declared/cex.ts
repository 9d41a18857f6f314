/** Values of `@chaintape/cex` that a user's library exports. */
import { Cex, CexStream, trades } from "@chaintape/cex"
import * as Effect from "effect/Effect"

export const layer = Cex.layerConfig()
export const service = Effect.map(Cex, (cex) => cex)
export const methods = Effect.map(Cex, (cex) => ({ ...cex, ...cex.withResponse }))
export const read = trades
export const kraken = Effect.flatMap(Cex, (cex) => cex.exchange({ exchange: "kraken" }))

type Request = Parameters<typeof CexStream.trades>[0]
export const allTrades = (request: Request) => CexStream.trades(request)
export const tradePages = (request: Request) => CexStream.tradePages(request)
