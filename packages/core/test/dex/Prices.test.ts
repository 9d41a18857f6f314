import { Decimal, Pool, PoolMath, Swap } from "@chaintape/core"
import { assert, describe, it } from "@effect/vitest"
import * as BigDecimal from "effect/BigDecimal"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

const ticks = Schema.Int.check(
  Schema.isBetween({ minimum: PoolMath.tickRange.lowest, maximum: PoolMath.tickRange.highest - 1 })
)
const decimal = (text: string) => Decimal.Decimal.make(text)
const rootAt = (tick: number): bigint => Option.getOrThrow(PoolMath.sqrtPriceAtTick(tick))
const asDecimal = (value: bigint) => decimal(String(value))

describe("a tick", () => {
  it("has the prices at both ends that the contracts state", () => {
    assert.strictEqual(rootAt(PoolMath.tickRange.lowest), 4_295_128_739n)
    assert.strictEqual(rootAt(PoolMath.tickRange.highest), 1461446703485210103287273052203988822378723970342n)
    assert.strictEqual(rootAt(0), 1n << 96n)
  })

  it.prop("has a higher price than the tick below", [ticks], ([tick]) => {
    assert.isTrue(rootAt(tick + 1) > rootAt(tick))
  })

  it.prop("has 1.0001 times the price of the tick two below its square, to a billionth", [ticks], ([tick]) => {
    const [low, high] = [rootAt(tick), rootAt(tick + 1)]
    // (high / low)^2 is 1.0001 within the precision of the lowest price, 32 binary digits.
    const tenThousandths = (high * high * 10n ** 16n) / (low * low)
    const wrong = tenThousandths - 10_001n * 10n ** 12n
    assert.isTrue(wrong < 10n ** 8n && wrong > -(10n ** 8n), String(wrong))
  })

  it.prop("is the tick of every price from its own to below the next", [ticks], ([tick]) => {
    assert.deepStrictEqual(PoolMath.tickAtSqrtPrice(rootAt(tick)), Option.some(tick))
    assert.deepStrictEqual(PoolMath.tickAtSqrtPrice(rootAt(tick + 1) - 1n), Option.some(tick))
  })

  it("is the one that a pool of the devnet states beside its square root price", () => {
    assert.deepStrictEqual(PoolMath.tickAtSqrtPrice(3963278522524946459491091645n), Option.some(-59_909))
  })

  it("is none where no pool can be", () => {
    for (const tick of [PoolMath.tickRange.lowest - 1, PoolMath.tickRange.highest + 1, 0.5, Number.NaN]) {
      assert.deepStrictEqual(PoolMath.sqrtPriceAtTick(tick), Option.none())
    }
    assert.deepStrictEqual(PoolMath.tickAtSqrtPrice(rootAt(PoolMath.tickRange.lowest) - 1n), Option.none())
    assert.deepStrictEqual(PoolMath.tickAtSqrtPrice(rootAt(PoolMath.tickRange.highest)), Option.none())
  })
})

const roots = Schema.BigInt.check(
  Schema.isBetweenBigInt({ minimum: 4_295_128_739n, maximum: 1461446703485210103287273052203988822378723970341n })
)
const sizes = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 40 }))

describe("the price of a square root price", () => {
  it.prop("is exact: times 2^192 it is the square", [roots, sizes, sizes], ([root, d0, d1]) => {
    const of = { decimals0: decimal(String(d0)), decimals1: decimal(String(d1)) }
    const price = Decimal.toBigDecimal(PoolMath.priceOfSqrtPrice(asDecimal(root), of))
    const shifted = BigDecimal.multiply(price, BigDecimal.make(1n << 192n, d0 - d1))
    assert.isTrue(BigDecimal.equals(shifted, BigDecimal.make(root * root, 0)))
  })

  it.prop("grows with it", [roots, roots], ([a, b]) => {
    const of = { decimals0: decimal("6"), decimals1: decimal("18") }
    const order = Decimal.Order(
      PoolMath.priceOfSqrtPrice(asDecimal(a), of),
      PoolMath.priceOfSqrtPrice(asDecimal(b), of)
    )
    assert.strictEqual(order, a < b ? -1 : a > b ? 1 : 0)
  })

  it("is one where the square root is one and both tokens have as many decimals", () => {
    const of = { decimals0: decimal("18"), decimals1: decimal("18") }
    assert.strictEqual(PoolMath.priceOfSqrtPrice(asDecimal(1n << 96n), of), "1")
  })
})

const token = (symbol: string, decimals: string) => ({
  id: `0x${(symbol === "USDC" ? "a" : "b").repeat(40)}`,
  name: symbol,
  symbol,
  decimals,
  supply: "0",
  totalValueLocked: "0",
  totalValueLockedUSD: "0",
  volume: "0",
  volumeUSD: "0",
  untrackedVolumeUSD: "0",
  txCount: "0",
  derivedETH: "0",
  feesUSD: "0",
  poolCount: "1"
})

const names = Pool.ast._tag === "Objects" ? Pool.ast.propertySignatures.map(({ name }) => name) : []

/** A pool with only its tokens and its price. */
const pool = (sqrtPrice: string): Pool =>
  Schema.decodeUnknownSync(Schema.toCodecJson(Pool))({
    ...Object.fromEntries(names.map((name) => [name, "0"])),
    id: `0x${"c".repeat(40)}`,
    sqrtPrice,
    token0: token("USDC", "6"),
    token1: token("WETH", "18")
  })

describe("the price of a pool", () => {
  it("equals the pool's own field to its 34 digits", () => {
    const price = Option.getOrThrow(PoolMath.poolPrice(pool("1441126137373005970475086940390282")))
    const token1Price = "0.0003308604243438636436483072290016286"
    // The accounting rounds after each of its steps.
    assert.strictEqual(
      Decimal.format(price, { significantDigits: 32 }),
      Decimal.format(decimal(token1Price), { significantDigits: 32 })
    )
  })

  it("is none before the pool is initialized", () => {
    assert.deepStrictEqual(PoolMath.poolPrice(pool("0")), Option.none())
  })
})

const swap = (amount0: string, amount1: string): Swap => {
  const { token0, token1 } = pool("0")
  return Schema.decodeUnknownSync(Schema.toCodecJson(Swap))({
    id: "0x00#1",
    amount0,
    amount1,
    amountUSD: "0",
    logIndex: "1",
    origin: "0x",
    timestamp: "1",
    pool: { token0, token1 },
    transactionId: "0x00",
    sender: "0x",
    recipient: "0x",
    sqrtPriceX96: "1"
  })
}

const symbols = (swap: Swap) =>
  Option.map(PoolMath.swapSides(swap), ({ bought, sold }) => [
    sold.amount,
    sold.token.symbol,
    bought.amount,
    bought.token.symbol
  ])

describe("the sides of a swap", () => {
  it("sell the token whose amount is positive, and buy the other", () => {
    assert.deepStrictEqual(symbols(swap("3000.5", "-1")), Option.some(["3000.5", "USDC", "1", "WETH"]))
    assert.deepStrictEqual(symbols(swap("-3000.5", "1.0")), Option.some(["1.0", "WETH", "3000.5", "USDC"]))
  })

  it("exist if the sale was too small to buy anything", () => {
    assert.deepStrictEqual(
      symbols(swap("0", "0.000000000000000001")),
      Option.some(["0.000000000000000001", "WETH", "0", "USDC"])
    )
  })

  it("are none if nothing was sold", () => {
    assert.deepStrictEqual(symbols(swap("0", "0")), Option.none())
  })
})
