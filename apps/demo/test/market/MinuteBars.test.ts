import type { Trade } from "@chaintape/core"
import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import { append, lengthened, minutesOf } from "../../src/market/MinuteBars.ts"

const upTo = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))

const Rows = Schema.Array(Schema.Struct({ at: upTo(40 * 60_000), price: upTo(1000), size: upTo(1000) })).check(
  Schema.isMaxLength(60)
)

/** Trades oldest first; sizes and prices are whole, so that sums are exact in any order. */
const tradesOf = (rows: typeof Rows.Type): ReadonlyArray<Trade> =>
  rows
    .toSorted((one, other) => one.at - other.at)
    .map(({ at, price, size }, index) => ({
      id: String(index),
      timestamp: DateTime.makeUnsafe(at),
      price,
      size,
      cost: price * size,
      side: "buy"
    }))

/** What the words say, without any of the code under test. */
const expected = (all: ReadonlyArray<Trade>, length: number) =>
  [...new Set(all.map(({ timestamp }) => Math.floor(DateTime.toEpochMillis(timestamp) / 1000 / length) * length))].map(
    (start) => {
      const within = all.filter(({ timestamp }) => {
        const seconds = DateTime.toEpochMillis(timestamp) / 1000
        return seconds >= start && seconds < start + length
      })
      return {
        start,
        open: within[0]?.price,
        high: Math.max(...within.map(({ price }) => price)),
        low: Math.min(...within.map(({ price }) => price)),
        close: within.at(-1)?.price,
        volume: within.reduce((sum, { size }) => sum + size, 0),
        count: within.length
      }
    }
  )

describe("bars", () => {
  it.prop("are what the trades of their span say, for every length", [Rows], ([rows]) => {
    const all = tradesOf(rows)
    for (const length of [60, 300, 900, 3600])
      assert.deepEqual<unknown>(lengthened(minutesOf(all), length), expected(all, length))
  })

  it.prop("are the same wherever the trades are split", [Rows, upTo(60), upTo(60)], ([rows, one, other]) => {
    const all = tradesOf(rows)
    const [first, second] = [Math.min(one, other), Math.max(one, other)]
    const parts = [all.slice(0, first), all.slice(first, second), all.slice(second)].map(minutesOf)
    const [a = [], b = [], c = []] = parts
    assert.deepEqual(append(append(a, b), c), minutesOf(all))
    assert.deepEqual(append(a, append(b, c)), minutesOf(all))
  })
})
