// #region promise-price
import { createClient } from "@chaintape/core/promise"

const { cex } = createClient({
  baseUrl: process.env.CHAINTAPE_BASE_URL ?? "http://127.0.0.1:3000",
  apiKey: process.env.CHAINTAPE_API_KEY
})
const trade = await cex.lastTrade({ exchange: "sandbox", market: "BTC/USD" })
console.log(`${trade.side} ${trade.size} ${trade.market} at ${trade.price}, ${trade.timestamp.toISOString()}`)
// #endregion
