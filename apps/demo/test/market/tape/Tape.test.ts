import { Decimal } from "@chaintape/core"
import type { Trade } from "@chaintape/core"
import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import type { SeenGap } from "../../../src/market/feed/Gaps.ts"
import { gapBetween } from "../../../src/market/tape/Tape.tsx"

const one = Decimal.make("1")
const tradeOf = (id: number): Trade => ({
  id: String(id),
  timestamp: DateTime.makeUnsafe(id * 1000),
  price: one,
  size: one,
  cost: one,
  side: "buy"
})

const gap: SeenGap = {
  from: 1000,
  to: 1060,
  fromTime: 999_000,
  toTime: 1_061_000,
  missing: 61,
  state: "unfillable",
  reason: ""
}

describe("the gap below a row of the tape", () => {
  it("is one between its trade and that of the next row", () => {
    assert.strictEqual(gapBetween([gap], tradeOf(1061), tradeOf(999)), gap)
    assert.isUndefined(gapBetween([gap], tradeOf(1062), tradeOf(1061)))
  })

  it("is one directly before the trade of the last row, and no older one", () => {
    assert.strictEqual(gapBetween([gap], tradeOf(1061), undefined), gap)
    assert.isUndefined(gapBetween([gap], tradeOf(90_001), undefined))
  })

  it("is found by its times where ids prove nothing: its sequences are not ids", () => {
    const overlap = { ...gap, missing: undefined }
    const at = (id: string, second: number) => ({ ...tradeOf(second), id })
    assert.strictEqual(gapBetween([overlap], at("x", 1061), at("y", 999)), overlap)
    assert.isUndefined(gapBetween([overlap], at("1061", 5000), at("999", 4000)))
    assert.isUndefined(gapBetween([overlap], at("1061", 5000), undefined))
    // Any of the trades of this time may be the first one after the gap.
    assert.isUndefined(gapBetween([{ ...overlap, toTime: gap.fromTime }], at("x", 999), at("y", 999)))
  })
})
