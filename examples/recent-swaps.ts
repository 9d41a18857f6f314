// The swaps of the largest pool in the last five minutes.
// #region recent-swaps
import { Decimal } from "@chaintape/core"
import { Dex } from "@chaintape/dex"
import { Console, DateTime, Effect } from "effect"

const place = { exchange: "uniswap-v3", blockchain: "devnet" }

const program = Effect.gen(function* () {
  const dex = yield* Dex
  const [pool] = yield* dex.pools({ ...place, limit: 1 })
  if (pool === undefined) return yield* Console.log("there is no pool yet")
  const { id, token0, token1 } = pool
  const from = DateTime.subtract(yield* DateTime.now, { minutes: 5 })
  const { swaps = [] } = yield* dex.poolTrades({ ...place, pool: id, from, mint: false, burn: false, limit: 1000 })
  const worth = swaps.reduce((sum, { amountUSD }) => sum + Decimal.toNumber(amountUSD), 0)
  yield* Console.log(`${swaps.length} swaps of ${token0.symbol}/${token1.symbol}, worth ${worth.toFixed(2)} USD`)
  yield* Console.log(`${token0.symbol} is at ${Decimal.toNumber(pool.token1Price)} ${token1.symbol}`)
})

await Effect.runPromise(Effect.provide(program, Dex.layerConfig()))
// #endregion
