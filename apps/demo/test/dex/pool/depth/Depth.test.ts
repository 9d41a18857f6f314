import { Decimal } from "@chaintape/core"
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { clipTo, toSegments, toWindow } from "../../../../src/dex/pool/depth/Depth.ts"

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

const Positions = Schema.Array(
  Schema.Struct({ lower: between(-900, 900), length: between(1, 500), liquidity: between(1, 1_000_000) })
).check(Schema.isMaxLength(12))

const toTicks = (positions: typeof Positions.Type) => {
  const net = new Map<number, number>()
  const add = (tick: number, change: number) => net.set(tick, (net.get(tick) ?? 0) + change)
  for (const { length, liquidity, lower } of positions) {
    add(lower, liquidity)
    add(lower + length, -liquidity)
  }
  return [...net]
    .toSorted(([one], [other]) => one - other)
    .map(([tick, change]) => ({
      tick: Decimal.make(tick),
      liquidityNet: Decimal.make(change),
      liquidityGross: Decimal.make(Math.abs(change))
    }))
}

describe("the depth of a pool", () => {
  it.prop(
    "is at each tick the sum of the positions around it",
    [Positions, between(-1000, 1500)],
    ([positions, at]) => {
      const expected = positions
        .filter(({ length, lower }) => lower <= at && at < lower + length)
        .reduce((sum, { liquidity }) => sum + liquidity, 0)
      const found = toSegments(toTicks(positions)).filter(({ from, to }) => from <= at && at < to)
      assert.isAtMost(found.length, 1)
      assert.strictEqual(found[0]?.liquidity ?? 0, expected)
    }
  )

  it.prop("is drawn within its window", [Positions, between(-1000, 1500)], ([positions, current]) => {
    const segments = toSegments(toTicks(positions))
    const window = toWindow(segments, current)
    for (const { from, to } of clipTo(segments, window)) {
      assert.isAtLeast(from, window.low)
      assert.isAtMost(to, window.high)
      assert.isBelow(from, to)
    }
  })

  it("is drawn in a window that fits most of the liquidity", () => {
    const narrow = toSegments(toTicks([{ lower: -10, length: 20, liquidity: 1_000_000 }]))
    assert.deepStrictEqual(toWindow(narrow, 0), { low: -25, high: 25 })
    const wide = toSegments(toTicks([{ lower: -900, length: 1800, liquidity: 1000 }]))
    assert.deepStrictEqual(toWindow(wide, 0), { low: -1600, high: 1600 })
  })

  it("is drawn without a small part that is far from the price", () => {
    const most = { lower: -10, length: 20, liquidity: 1_000_000 }
    const rest = { lower: -900, length: 1800, liquidity: 1000 }
    assert.deepStrictEqual(toWindow(toSegments(toTicks([most, rest])), 0), { low: -25, high: 25 })
  })

  it("has no segment between positions that do not touch", () => {
    const one = { lower: 0, length: 10, liquidity: 5 }
    const other = { lower: 20, length: 10, liquidity: 7 }
    assert.deepStrictEqual(toSegments(toTicks([one, other])), [
      { from: 0, to: 10, liquidity: 5 },
      { from: 20, to: 30, liquidity: 7 }
    ])
  })
})
