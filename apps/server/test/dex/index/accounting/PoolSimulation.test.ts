import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { computeFeeGrowth } from "../../../../src/dex/index/accounting/PoolSimulation.ts"
import { PoolTicks, sqrtRatioAt } from "../../../../src/dex/index/accounting/PoolTicks.ts"
import { uniswapV3 } from "../../../../src/dex/index/protocol/UniswapV3.ts"

const up = (dividend: bigint, divisor: bigint) => (dividend + divisor - 1n) / divisor
const million = 1_000_000n
const { toShare } = uniswapV3.protocolFee

/** The amount between two prices: token 0 or token 1, rounded for or against the pool. */
const delta = (isToken0: boolean, a: bigint, b: bigint, liquidity: bigint, isUp: boolean) => {
  const [low, high] = a < b ? [a, b] : [b, a]
  if (isToken0) {
    const product = (liquidity << 96n) * (high - low)
    return isUp ? up(up(product, high), low) : product / high / low
  }
  return isUp ? up(liquidity * (high - low), 1n << 96n) : (liquidity * (high - low)) >> 96n
}

/** The price after an input. */
const priceAfterInput = (price: bigint, liquidity: bigint, amount: bigint, isDown: boolean) =>
  isDown ? up((liquidity << 96n) * price, (liquidity << 96n) + amount * price) : price + (amount << 96n) / liquidity

interface World {
  readonly tick: number
  readonly liquidity: bigint
  readonly nets: ReadonlyMap<number, bigint>
}

const spacing = 10
const span = 256 * spacing

/** The next bound, found by walking from tick to tick. */
const boundOf = ({ nets }: World, tick: number, isDown: boolean): number => {
  for (let at = isDown ? tick : tick + 1; ; at += isDown ? -1 : 1) {
    if (at % spacing !== 0) continue
    const inWord = ((at % span) + span) % span
    if (nets.has(at) || inWord === (isDown ? 0 : span - spacing)) return at
  }
}

/** A swap with a given input, computed forward, as by the contract. */
const swapInput = (world: World, fee: bigint, amount: bigint, isDown: boolean, feeProtocol: bigint) => {
  let { liquidity, tick } = world
  let price = sqrtRatioAt(tick) + 12_345n
  const start = price
  let left = amount
  let paidOut = 0n
  let growth = 0n
  const grow = (paid: bigint) => {
    const kept = feeProtocol === 0n ? paid : paid - paid / feeProtocol
    growth += (kept << 128n) / liquidity
  }
  while (left > 0n) {
    const bound = boundOf(world, tick, isDown)
    const target = sqrtRatioAt(bound)
    const free = (left * (million - fee)) / million
    const whole = delta(isDown, price, target, liquidity, true)
    const next = free >= whole ? target : priceAfterInput(price, liquidity, free, isDown)
    const taken = delta(isDown, price, next, liquidity, true)
    const paid = next === target ? up(taken * fee, million - fee) : left - taken
    paidOut += delta(!isDown, price, next, liquidity, false)
    grow(paid)
    left -= taken + paid
    if (next === target) {
      const net = world.nets.get(bound) ?? 0n
      liquidity += isDown ? -net : net
      tick = isDown ? bound - 1 : bound
    } else if (next !== price) {
      while (sqrtRatioAt(tick) > next) tick--
      while (sqrtRatioAt(tick + 1) <= next) tick++
    }
    price = next
  }
  const [amount0, amount1] = isDown ? [amount, -paidOut] : [-paidOut, amount]
  return { start, growth, stated: { amount0, amount1, sqrtPriceX96: price, liquidity, tick } }
}

/** The input that reaches the nth bound exactly, with fees. */
const inputTo = (world: World, fee: bigint, isDown: boolean, bounds: number) => {
  let { liquidity, tick } = world
  let price = sqrtRatioAt(tick) + 12_345n
  let sum = 0n
  for (let step = 0; step < bounds; step++) {
    const bound = boundOf(world, tick, isDown)
    const taken = delta(isDown, price, sqrtRatioAt(bound), liquidity, true)
    sum += taken + up(taken * fee, million - fee)
    const net = world.nets.get(bound) ?? 0n
    liquidity += isDown ? -net : net
    tick = isDown ? bound - 1 : bound
    price = sqrtRatioAt(bound)
  }
  return sum
}

const upTo = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))
const Case = Schema.Struct({
  tick: Schema.Int.check(Schema.isBetween({ minimum: -4000, maximum: 4000 })),
  positions: Schema.Array(Schema.Struct({ lower: upTo(700), width: upTo(500), liquidity: upTo(1_000_000) })).check(
    Schema.isMaxLength(6)
  ),
  scale: Schema.Literals([0, 6, 12, 24]),
  fee: Schema.Literals([100, 500, 3000, 10_000]),
  feeProtocol: Schema.Literals([0, 4, 10]),
  isDown: Schema.Boolean,
  bounds: upTo(4),
  beyond: Schema.Literals([-1, 0, 1, 2, 100, 1_000_000])
})

const worldOf = ({ positions, scale, tick }: typeof Case.Type) => {
  const nets = new Map<number, bigint>()
  const ticks = new PoolTicks()
  let liquidity = 0n
  const add = (lower: number, upper: number, amount: bigint) => {
    ticks.change(lower, upper, amount)
    nets.set(lower, (nets.get(lower) ?? 0n) + amount)
    nets.set(upper, (nets.get(upper) ?? 0n) - amount)
    if (lower <= tick && tick < upper) liquidity += amount
  }
  add(-800_000, 800_000, 10n ** BigInt(scale) * 1000n)
  for (const { liquidity: amount, lower, width } of positions) {
    const start = (lower - 350) * spacing
    const end = start + (1 + width) * spacing
    add(start, end, BigInt(1 + amount) * 10n ** BigInt(scale))
    // Where one position ends and another begins, the liquidity is unchanged, and yet a step ends.
    if (amount % 2 === 0) add(end, end + 20 * spacing, BigInt(1 + amount) * 10n ** BigInt(scale))
  }
  return { world: { tick, liquidity, nets }, ticks }
}

const runs = { arbitrary: { runs: Number(process.env["CHAINTAPE_PROPERTY_RUNS"] ?? 500) } }

describe("the fee growth of a swap", () => {
  it.prop(
    "follows from what its log states, also where it ends at a bound or with an amount that moves no price",
    [Case],
    ([given]) => {
      const { ticks, world } = worldOf(given)
      const fee = BigInt(given.fee)
      const feeProtocol = BigInt(given.feeProtocol)
      const amount = inputTo(world, fee, given.isDown, given.bounds) + BigInt(given.beyond)
      if (amount <= 0n) return
      const { growth, start, stated } = swapInput(world, fee, amount, given.isDown, feeProtocol)
      const pool = {
        sqrtPrice: start,
        tick: world.tick,
        liquidity: world.liquidity,
        fee,
        share0: toShare(given.isDown ? given.feeProtocol : 7),
        share1: toShare(given.isDown ? 7 : given.feeProtocol),
        tickSpacing: spacing,
        ticks
      }
      assert.strictEqual(computeFeeGrowth(pool, stated), BigInt.asUintN(256, growth))
      assert.isUndefined(computeFeeGrowth(pool, { ...stated, liquidity: stated.liquidity + 1n }))
      assert.isUndefined(computeFeeGrowth(pool, { ...stated, tick: stated.tick + 1 }))
    },
    runs
  )
})

describe("the ticks", () => {
  it("have the square roots of the contracts at both ends and in the middle", () => {
    assert.strictEqual(sqrtRatioAt(-887_272), 4_295_128_739n)
    assert.strictEqual(sqrtRatioAt(887_272), 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_342n)
    assert.strictEqual(sqrtRatioAt(0), 1n << 96n)
  })

  it.prop(
    "do not change when a position is added and removed",
    [Case, Schema.Array(upTo(700))],
    ([given, others]) => {
      const { ticks } = worldOf(given)
      const { ticks: disturbed } = worldOf(given)
      for (const [index, at] of others.entries()) disturbed.change((at - 350) * 10, (at + index) * 10, 5n)
      for (const [index, at] of others.entries()) disturbed.change((at - 350) * 10, (at + index) * 10, -5n)
      for (let tick = -4000; tick < 4000; tick += 37) {
        assert.deepStrictEqual({ ...disturbed.nextBelow(tick, 10) }, { ...ticks.nextBelow(tick, 10) })
        assert.deepStrictEqual({ ...disturbed.nextAbove(tick, 10) }, { ...ticks.nextAbove(tick, 10) })
      }
    },
    { arbitrary: { runs: 50 } }
  )
})
