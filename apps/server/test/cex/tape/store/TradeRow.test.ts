import { assert, describe, it } from "@effect/vitest"
import { parseTradeRow } from "../../../../src/cex/tape/store/TradeRow.ts"

describe("the row of a trade", () => {
  it("has its fields in the order of the statement", () => {
    assert.deepStrictEqual(parseTradeRow("7", "1700000000000 7 2.5 0.1 0.25 f 1700000000100"), {
      id: "7",
      timestamp: 1_700_000_000_000,
      sequence: 7,
      price: "2.5",
      size: "0.1",
      cost: "0.25",
      side: "sell",
      receivedAt: 1_700_000_000_100
    })
  })

  it.each([
    ["7 2.5 0.1 0.25 t 1", 'The row of trade "7" has 6 fields instead of 7.'],
    ["1 7 2.5 0.1 0.25 true 1", 'The side of trade "7" is "true" instead of "t" or "f".'],
    ["2026-01-01 7 2.5 0.1 0.25 t 1", 'The timestamp of trade "7" is "2026-01-01", which is no integer.'],
    [" 7 2.5 0.1 0.25 t 1", 'The timestamp of trade "7" is "", which is no integer.'],
    ["1 9007199254740992 2.5 0.1 0.25 t 1", 'The sequence of trade "7" is "9007199254740992", which is no integer.'],
    ["1 7 2.5 0.1 0.25 t NaN", 'The receivedAt of trade "7" is "NaN", which is no integer.']
  ])("%j is refused", (row, message) => {
    assert.throws(() => parseTradeRow("7", row), message)
  })
})
