// The newest trade of a market, with promises, without Effect.
// #region promise-last-trade
import { createClient, MarketNotFound } from "@chaintape/core/promise"

const chaintape = createClient({
  baseUrl: process.env.CHAINTAPE_BASE_URL ?? "http://127.0.0.1:3000",
  apiKey: process.env.CHAINTAPE_API_KEY
})

const show = async (market: string) => {
  try {
    const trade = await chaintape.cex.lastTrade(
      { exchange: "sandbox", market },
      { signal: AbortSignal.timeout(10_000) }
    )
    console.log(`${trade.side} ${trade.size} ${trade.market} at ${trade.price}, ${trade.timestamp.toISOString()}`)
  } catch (error) {
    if (!(error instanceof MarketNotFound)) throw error
    console.log(`${error.exchange} does not list ${error.market}`)
  }
}

await show("BTC/USD")
await show("BTC/XYZ")
// #endregion
