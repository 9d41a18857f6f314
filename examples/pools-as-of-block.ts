// The locked value of the largest pools, and its change within the last twenty blocks.
// #region pools-as-of-block
import { Decimal } from "@chaintape/core"
import { Dex } from "@chaintape/dex"
import { BigDecimal, Console, Effect, Option } from "effect"

const place = { exchange: "uniswap-v3", blockchain: "devnet" }

const program = Effect.gen(function* () {
  const dex = yield* Dex
  const { asOf, value: pools } = yield* dex.withResponse.pools({ ...place, limit: 3 })
  if (Option.isNone(asOf)) return yield* Console.log("the source does not say which block this is")
  const block = Number(asOf.value.number) - 20
  for (const { id, token0, token1, totalValueLockedToken0 } of pools) {
    const before = yield* dex.pool({ ...place, pool: id, block })
    const change = BigDecimal.subtract(
      Decimal.toBigDecimal(totalValueLockedToken0),
      Decimal.toBigDecimal(before.totalValueLockedToken0)
    )
    yield* Console.log(
      `${token0.symbol}/${token1.symbol}: ${totalValueLockedToken0} ${token0.symbol}, ` +
        `a change of ${BigDecimal.format(change)} since block ${block}`
    )
  }
})

await Effect.runPromise(Effect.provide(program, Dex.layerConfig()))
// #endregion
