import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { maxDisorderMs, withTrades } from "../../../../src/cex/tape/ledger/Coverage.ts"
import { findMisdated } from "../../../../src/cex/tape/ledger/SequenceLedger.ts"

const hour = 3_600_000
const count = 30
const Given = Schema.Struct({
  /** Between the times of a trade and the next one. */
  steps: Schema.Array(Schema.Literals([0, 1, 1000, hour])).check(Schema.isMinLength(count), Schema.isMaxLength(count)),
  /** How far a time lies before that of its step. */
  late: Schema.Array(Schema.Literals([0, 0, 1000, maxDisorderMs])).check(
    Schema.isMinLength(count),
    Schema.isMaxLength(count)
  ),
  /** Whether the tape holds a trade. */
  held: Schema.Array(Schema.Boolean).check(Schema.isMinLength(count), Schema.isMaxLength(count)),
  wrong: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: count - 2 })),
  isOld: Schema.Boolean
})
type Given = typeof Given.Type

/** The first and the last trade are held. */
const isHeld = ({ held, wrong }: Given, at: number) =>
  at === 0 || at === count - 1 || (held[at] === true && at !== wrong)

const toTrades = ({ late, steps }: Given) => {
  let time = 1_800_000_000_000
  return steps.map((step, at) => ({ sequence: at + 1, timestamp: (time += step) - (late[at] ?? 0) }))
}

const find = (given: Given, trades: ReturnType<typeof toTrades>) =>
  findMisdated(
    withTrades(
      [],
      trades.filter((_, at) => isHeld(given, at))
    ),
    trades.filter((_, at) => !isHeld(given, at))
  )

describe("trades whose time contradicts their id", () => {
  it.prop("are none where times decrease by ten minutes at most along the ids", [Given], ([given]) => {
    assert.deepStrictEqual([...find(given, toTrades(given))], [])
  })

  it.prop("are the only ones found between trades with consistent times", [Given], ([given]) => {
    const trades = toTrades(given)
    const shift = given.isOld ? -365 * 24 * hour : 365 * 24 * hour
    const wrong = trades.map((trade, at) =>
      at === given.wrong ? { ...trade, timestamp: trade.timestamp + shift } : trade
    )
    assert.deepStrictEqual([...find(given, wrong)], [given.wrong + 1])
  })

  it("are found after the newest trade of the tape", () => {
    const coverage = withTrades([], [{ sequence: 10, timestamp: 1_800_000_000_000 }])
    const old = [{ sequence: 11, timestamp: Date.UTC(2012, 0, 1) }]
    assert.deepStrictEqual([...findMisdated(coverage, old)], [11])
  })
})
