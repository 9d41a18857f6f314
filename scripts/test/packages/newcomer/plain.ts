/** A plain program for Node, Bun, Deno and browsers. */
import { createClient } from "@chaintape/core/promise"
import { address, key } from "./settings.js"

const { cex } = createClient({ baseUrl: address, apiKey: key })
const trade = await cex.lastTrade({ exchange: "stub", market: "BTC/USD" })
console.log(`${trade.price} at ${trade.timestamp.toISOString()}`)
