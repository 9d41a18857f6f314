import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { Market } from "../../../src/exchange/market/Market.ts"
import { defaultProducts } from "../../../src/exchange/market/Product.ts"
import type { Product } from "../../../src/exchange/market/Product.ts"

const start = 1_700_000_000_000_000
const minute = 60_000_000
const open = (product: Product, seed = "seed") => new Market({ product, seed, from: start, tradesPerSecond: 20 })
const [bitcoin = defaultProducts[0], , shiba = bitcoin] = defaultProducts
if (bitcoin === undefined || shiba === undefined) throw new Error("The default products are gone.")

const Steps = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 5_000_000 }))).check(
  Schema.isMinLength(1),
  Schema.isMaxLength(20)
)

describe("Market", () => {
  it.prop(
    "makes the same trades in one step as in many",
    [Steps],
    ([steps]) => {
      const stepwise = open(bitcoin)
      const trades = []
      let time = start
      for (const step of steps) {
        time += step
        trades.push(...stepwise.advanceTo(time))
      }
      assert.deepStrictEqual(trades, [...open(bitcoin).advanceTo(time)])
    },
    { arbitrary: { runs: 30 } }
  )

  it("trades differently with another seed", () => {
    const one = open(bitcoin, "one").advanceTo(start + minute)
    const two = open(bitcoin, "two").advanceTo(start + minute)
    assert.notDeepEqual(one, two)
  })

  for (const product of defaultProducts) {
    it(`trades ${product.id} with consecutive ids, ordered times, integers, both sides and the requested rate`, () => {
      const trades = open(product).advanceTo(start + 30 * minute)
      for (const [index, trade] of trades.entries()) {
        assert.strictEqual(trade.tradeId, index + 1)
        assert.isAtLeast(trade.time, trades[index - 1]?.time ?? start)
        assert.isAtMost(trade.time, start + 30 * minute)
        assert.isTrue(Number.isSafeInteger(trade.price) && trade.price > 0)
        assert.isTrue(Number.isSafeInteger(trade.size) && trade.size > 0)
      }
      assert.approximately(trades.length / 1800, 20, 3)
      assert.approximately(trades.filter((trade) => trade.side === "buy").length / trades.length, 0.5, 0.1)
      assert.isAbove(new Set(trades.map((trade) => trade.price)).size, 10)
    })
  }

  it("makes bursts: several trades in one millisecond, and several in one microsecond", () => {
    const trades = open(bitcoin).advanceTo(start + 5 * minute)
    const counts = (unit: number) => {
      const found = new Map<number, number>()
      for (const trade of trades)
        found.set(Math.floor(trade.time / unit), (found.get(Math.floor(trade.time / unit)) ?? 0) + 1)
      return Math.max(...found.values())
    }
    assert.isAtLeast(counts(1000), 5)
    assert.isAtLeast(counts(1), 2)
  })

  it("continues from the last trade of an earlier run", () => {
    const last = open(shiba)
      .advanceTo(start + minute)
      .at(-1)
    if (last === undefined) return assert.fail("No trades in a minute.")
    const resumed = new Market({ product: shiba, seed: "later", from: last.time, tradesPerSecond: 20, resume: last })
    const [next] = resumed.advanceTo(last.time + minute)
    assert.strictEqual(next?.tradeId, last.tradeId + 1)
    assert.isAbove(next?.sequence ?? 0, last.sequence)
    assert.approximately(next?.price ?? 0, last.price, last.price / 100)
  })

  for (const product of defaultProducts) {
    it(`has the same volume of ${product.id} in a slower past as afterwards`, () => {
      const past = { time: start + 120 * minute, tradesPerSecond: 2 }
      const market = new Market({ product, seed: "seed", from: start, tradesPerSecond: 20, before: past })
      const volume = (until: number) => market.advanceTo(until).reduce((sum, { size }) => sum + size, 0)
      const before = volume(past.time)
      assert.approximately(volume(past.time + 120 * minute) / before, 1, 0.25)
    })
  }

  it("trades more slowly in the past", () => {
    const market = new Market({
      product: bitcoin,
      seed: "seed",
      from: start,
      tradesPerSecond: 20,
      before: { time: start + 30 * minute, tradesPerSecond: 2 }
    })
    assert.approximately(market.advanceTo(start + 30 * minute).length / 1800, 2, 0.6)
    assert.approximately(market.advanceTo(start + 60 * minute).length / 1800, 20, 3)
  })
})
