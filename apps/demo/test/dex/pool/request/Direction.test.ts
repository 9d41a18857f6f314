import { Decimal, type Pool } from "@chaintape/core"
import { assert, describe, it } from "@effect/vitest"
import type { Direction } from "../../../../src/dex/pool/request/Direction.ts"
import { flip, toDirection, toPrice } from "../../../../src/dex/pool/request/Direction.ts"

const token = (symbol: string, decimals = 18) => ({ symbol, decimals: Decimal.make(decimals) })

/** The parts of a pool that its direction depends on. */
const pool = (
  symbol0: string,
  symbol1: string,
  token1Price: string,
  tick: number | "" = 0,
  [decimals0, decimals1]: readonly [number, number] = [18, 18]
) =>
  ({
    token0: token(symbol0, decimals0),
    token1: token(symbol1, decimals1),
    token1Price: Decimal.make(token1Price),
    tick: tick === "" ? tick : Decimal.make(tick)
  }) as unknown as Pool

const toText = ({ base, quote }: Direction) => `${base.symbol} in ${quote.symbol}`

describe("the direction of a pool", () => {
  it("states prices in a stablecoin, or in the native coin", () => {
    assert.strictEqual(toText(toDirection(pool("USDC", "WETH", "0.0003"))), "WETH in USDC")
    assert.strictEqual(toText(toDirection(pool("WETH", "USDT", "3000"))), "WETH in USDT")
    assert.strictEqual(toText(toDirection(pool("MOSS", "WETH", "0.0000001"))), "MOSS in WETH")
    assert.strictEqual(toText(toDirection(pool("WETH", "UNI", "378"))), "UNI in WETH")
  })

  it("is the one with a price above 1 if neither token is preferred, also before the first swap", () => {
    assert.strictEqual(toText(toDirection(pool("DAI", "USDC", "1.01"))), "DAI in USDC")
    assert.strictEqual(toText(toDirection(pool("DAI", "USDC", "0.99"))), "USDC in DAI")
    assert.strictEqual(toText(toDirection(pool("A", "B", "0", 10))), "A in B")
    assert.strictEqual(toText(toDirection(pool("A", "B", "0", -10))), "B in A")
    assert.strictEqual(toText(toDirection(pool("A", "B", "0", ""))), "A in B")
  })

  it("can be reversed", () => {
    const one = pool("A", "B", "4", 13_863)
    const direction = toDirection(one)
    assert.strictEqual(toText(flip(direction)), "B in A")
    assert.deepStrictEqual(flip(flip(direction)), direction)
    assert.closeTo(toPrice(one, direction, 13_863) * toPrice(one, flip(direction), 13_863), 1, 1e-12)
  })

  it("has a price in whole tokens, whatever their decimals", () => {
    const one = pool("USDC", "WETH", "0.000333", 196_256, [6, 18])
    assert.closeTo(toPrice(one, toDirection(one), 196_256), 3000, 1)
    const other = pool("WETH", "USDC", "3000", -196_256, [18, 6])
    assert.closeTo(toPrice(other, toDirection(other), -196_256), 3000, 1)
  })
})
