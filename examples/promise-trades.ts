// Every trade since a time as an async iterable, and the pools as of one block.
import { CexStream, createClient } from "@chaintape/core/promise"

const chaintape = createClient({
  baseUrl: process.env.CHAINTAPE_BASE_URL ?? "http://127.0.0.1:3000",
  apiKey: process.env.CHAINTAPE_API_KEY
})

// #region promise-trades
const since = new Date(Date.now() - 3_600_000)
let count = 0
let volume = 0

for await (const trade of CexStream.trades(chaintape, { exchange: "sandbox", market: "BTC/USD", since, live: true })) {
  count++
  volume += Number(trade.size)
  // Leaving the loop ends the stream; a live stream does not end by itself.
  if (count === 500) break
}
console.log(`${count} trades since ${since.toISOString()}, ${volume.toFixed(4)} BTC in all`)
// #endregion

const { asOf, value: pools } = await chaintape.dex.withResponse.pools({
  exchange: "uniswap-v3",
  blockchain: "devnet",
  limit: 2
})
console.log(
  `as of block ${asOf?.number}: ${pools.map(({ token0, token1 }) => `${token0.symbol}/${token1.symbol}`).join(" ")}`
)
