// The newest trade of a market, straight from one exchange.
import { kraken } from "ccxt"

const exchange = new kraken()
const trades = await exchange.fetchTrades("BTC/USD", undefined, 1)
console.log(trades.at(-1))
