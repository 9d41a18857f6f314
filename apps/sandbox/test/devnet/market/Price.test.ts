import { assert, describe, it } from "@effect/vitest"
import { cast, getDeployment } from "../../../src/devnet/contracts/Deployment.ts"
import { emptyState } from "../../../src/devnet/market/MarketState.ts"
import { fairSqrtPrice, fairTick, tickValue, toBound, toRaw } from "../../../src/devnet/market/Price.ts"
import { getPrices } from "../../../src/devnet/trading/Bots.ts"

const { pools, stablePool, tokens } = getDeployment(cast)
const prices = getPrices(emptyState)

describe("Price", () => {
  it("gives the fair tick and the fair square root for the same price", () => {
    for (const pool of pools) {
      const root = Number(fairSqrtPrice(pool, prices)) / 2 ** 96
      assert.approximately(Math.log(root ** 2) / Math.log(1.0001), fairTick(pool, prices), 1e-3)
    }
  })

  it("counts a token in its smallest unit", () => {
    assert.strictEqual(toRaw(tokens.USDC, prices, 12.5), 12_500_000n)
    assert.strictEqual(toRaw(tokens.WBTC, prices, 60_000), 100_000_000n)
    assert.strictEqual(toRaw(tokens.WETH, prices, 3000), 10n ** 18n)
  })

  it("keeps the bounds of a position on the pool's grid and within what Uniswap allows", () => {
    for (const pool of pools) {
      for (const tick of [-1e7, -887_272, -61, 0, 59, 887_272, 1e7]) {
        const bound = toBound(pool, tick)
        assert.strictEqual(Math.abs(bound % pool.tickSpacing), 0)
        assert.isAtMost(Math.abs(bound), 887_272)
      }
    }
  })

  it("values a tick by the tokens that it holds", () => {
    // A pool of x USD on each side of a range so wide that the price never leaves it moves one tick for x / 20,000 USD.
    const sqrtPrice = fairSqrtPrice(stablePool, prices)
    const usd = 1e6
    const amount1 = Number(toRaw(stablePool.token1, prices, usd))
    const liquidity = BigInt(Math.floor(amount1 / (Number(sqrtPrice) / 2 ** 96)))
    assert.approximately(tickValue(stablePool, prices, { liquidity, sqrtPrice }), usd / 20_000, 0.01)
  })
})
