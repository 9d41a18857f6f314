import type { JournalTrade } from "@chaintape/sandbox"
import { assert, describe, it } from "@effect/vitest"
import { differencesOfIndex } from "./IndexProof.ts"
import type { IndexState } from "./IndexProof.ts"
import { toEvents } from "./Subscribers.ts"
import type { StoredTape, TapeRow } from "./TapeProof.ts"
import { differencesOfTape } from "./TapeProof.ts"
import { median, slopePerHour } from "./Trend.ts"
import { broken, toHoles } from "./Witness.ts"

const journal = Array.from({ length: 5 }, (_, at): JournalTrade => ({
  trade_id: at + 1,
  sequence: 100 + at,
  time: `2026-01-05T00:00:0${at}.123456Z`,
  side: at % 2 === 0 ? "buy" : "sell",
  price: `100.${at + 1}`,
  size: "0.5",
  maker_order_id: "maker",
  taker_order_id: "taker"
}))

const row = (at: number): TapeRow => ({
  sequence: at + 1,
  timestamp: Date.UTC(2026, 0, 5, 0, 0, at, 123),
  id: String(at + 1),
  price: `100.${at + 1}`,
  size: "0.5",
  buy: at % 2 === 1
})

const whole: StoredTape = { rows: [0, 1, 2, 3, 4].map(row), coverage: [{ from: 1, to: 5 }] }
const withRows = (rows: ReadonlyArray<TapeRow>): StoredTape => ({ ...whole, rows })

describe("the comparison of a tape with the journal", () => {
  it("finds nothing wrong with trades of the exchange, and nothing with trades before the recording", () => {
    assert.deepStrictEqual(differencesOfTape(whole, journal), [])
    assert.deepStrictEqual(
      differencesOfTape({ rows: whole.rows.slice(2), coverage: [{ from: 3, to: 5 }] }, journal),
      []
    )
  })

  it("finds a lost, a doubled, a changed and an invented trade", () => {
    assert.deepStrictEqual(differencesOfTape(withRows(whole.rows.toSpliced(2, 1)), journal), ["Trade 3 is not stored."])
    const late = { ...row(4), timestamp: row(4).timestamp + 1 }
    assert.deepStrictEqual(differencesOfTape(withRows([...whole.rows, late]), journal), ["Trade 5 is stored twice."])
    for (const change of [{ price: "100.10" }, { size: "0.50" }, { buy: true }, { timestamp: 0 }, { id: "7" }]) {
      const changed = withRows(whole.rows.with(0, { ...row(0), ...change }))
      assert.match(differencesOfTape(changed, journal).join(), /^Trade 1 is .* in place of /)
    }
    assert.deepStrictEqual(differencesOfTape(withRows([...whole.rows, row(5)]), journal), [
      "The exchange knows no trade 6."
    ])
  })

  it("finds coverage with a gap and coverage that ends too early", () => {
    const gap = [
      { from: 1, to: 2 },
      { from: 4, to: 5 }
    ]
    assert.deepStrictEqual(differencesOfTape({ ...whole, coverage: gap }, journal), [
      "The coverage has a gap before trade 4.",
      "The coverage ends with 2, not 5."
    ])
    assert.deepStrictEqual(differencesOfTape({ ...whole, coverage: [{ from: 1, to: 4 }] }, journal), [
      "The coverage ends with 4, not 5."
    ])
    assert.include(differencesOfTape({ rows: [], coverage: [] }, journal), "Trade 1 is not stored.")
  })

  it("accepts a time that differs by the error of the exchange's clock", () => {
    const skewed = withRows(whole.rows.with(3, { ...row(3), timestamp: row(3).timestamp + 20_000 }))
    assert.deepStrictEqual(differencesOfTape(skewed, journal, [0, 20_000]), [])
    assert.strictEqual(differencesOfTape(skewed, journal).length, 1)
  })
})

describe("the comparison of an index with the chain", () => {
  const trade = { block: 3, id: "0x01#0", kind: "swap", pool: "0xaa" }
  const pool = {
    id: "0xaa",
    sqrtPrice: "1",
    tick: "-2",
    liquidity: "3",
    observationIndex: "0",
    feeGrowth0: "4",
    feeGrowth1: "5",
    transactions: 1
  }
  const state: IndexState = { trades: [trade], pools: [pool] }

  it("finds missing, extra, duplicate and different rows", () => {
    assert.deepStrictEqual(differencesOfIndex(state, state), [])
    assert.match(differencesOfIndex({ ...state, trades: [] }, state).join(), /0x01#0 .* is not in the index/)
    assert.match(differencesOfIndex(state, { ...state, trades: [] }).join(), /0x01#0 .* is not on the chain/)
    assert.match(differencesOfIndex({ ...state, trades: [trade, trade] }, state).join(), /1 are in the index twice/)
    assert.strictEqual(differencesOfIndex({ ...state, pools: [{ ...pool, feeGrowth1: "6" }] }, state).length, 2)
  })
})

describe("the witness", () => {
  it("finds the ids that a response omits", () => {
    assert.deepStrictEqual(toHoles([1, 2, 3]), [])
    assert.deepStrictEqual(toHoles([1, 4, 5, 7]), [
      [2, 3],
      [6, 6]
    ])
  })

  it("compares responses with the journal", () => {
    const seen = (prices: ReadonlyArray<readonly [number, number]>) => ({
      complete: 1,
      incomplete: 0,
      withHoles: 0,
      prices: new Map(prices),
      wrong: []
    })
    assert.deepStrictEqual(broken(seen([[1, 100.1]]), journal), [])
    assert.deepStrictEqual(broken(seen([[2, 100.1]]), journal), ["trade 2 was answered as 100.1 and is 100.2"])
  })
})

describe("the events of a stream", () => {
  it("are read wherever the text is cut", () => {
    const text = 'id: a\nevent: trade\ndata: {"id":"1"}\n\n: \n\nid: b\nevent: gap\ndata: {}\n\n'
    const whole = toEvents(text)[0].filter(({ id }) => id !== undefined)
    assert.deepStrictEqual(whole, [
      { id: "a", event: "trade", data: '{"id":"1"}' },
      { id: "b", event: "gap", data: "{}" }
    ])
    for (let cut = 0; cut < text.length; cut++) {
      const [first, rest] = toEvents(text.slice(0, cut))
      const [second] = toEvents(rest + text.slice(cut))
      assert.deepStrictEqual(
        [...first, ...second].filter(({ id }) => id !== undefined),
        whole
      )
    }
  })
})

describe("the trend of a soak", () => {
  it("is the growth in an hour, whatever the level", () => {
    const samples = [0, 60, 120, 180].map((seconds) => ({ seconds, value: 500 + seconds / 60 }))
    assert.approximately(slopePerHour(samples), 60, 1e-9)
    assert.strictEqual(slopePerHour([{ seconds: 1, value: 5 }]), 0)
    assert.strictEqual(median([5, 1, 3]), 3)
  })
})
