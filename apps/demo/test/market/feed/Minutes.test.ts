import { Decimal, type Trade } from "@chaintape/core"
import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import { addTrades } from "../../../src/market/feed/Minutes.ts"

/** Unix seconds, a multiple of a minute. */
const start = 1_800_000_000

const trade = (second: number, price: number): Trade => ({
  id: `${second}`,
  timestamp: DateTime.makeUnsafe((start + second) * 1000),
  price: Decimal.make(price),
  size: Decimal.make(2),
  cost: Decimal.make(2 * price),
  side: "buy"
})

const page = (...trades: ReadonlyArray<Trade>) => ({ trades, coverage: Option.none(), gaps: [], cursor: "" })

describe("the candles of a minute", () => {
  it("include the range and volume of a late trade, which changes neither open nor close", () => {
    const first = addTrades([], start, [page(trade(20, 5), trade(40, 7))])
    const late = { start, open: 5, high: 9, low: 5, close: 7, volume: 6, isProven: false }
    assert.deepStrictEqual(addTrades(first, start + 40, [page(trade(30, 9))]), [late])
    assert.deepStrictEqual(addTrades(first, start + 40, [page(trade(30, 9), trade(50, 6))]), [
      { ...late, close: 6, volume: 8 }
    ])
  })
})
