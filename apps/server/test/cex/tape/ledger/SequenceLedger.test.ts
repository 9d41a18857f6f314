import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { maxDisorderMs, withTrades } from "../../../../src/cex/tape/ledger/Coverage.ts"
import { findMisdated, makeSequenceLedger } from "../../../../src/cex/tape/ledger/SequenceLedger.ts"

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

const tradeOf = (id: number, price = "1") => ({
  id: String(id),
  timestamp: 1_800_000_000_000,
  price,
  size: "1",
  cost: price,
  side: "buy" as const
})

const arrivalOf = (ids: ReadonlyArray<number>, connection = 1) => ({
  kind: "trades" as const,
  from: "live" as const,
  trades: ids.map((id) => tradeOf(id)),
  receivedAt: 1_800_000_000_000,
  connection
})

const held = withTrades([], [{ sequence: 1000, timestamp: 1_800_000_000_000 }])
const farthest = 1000 + 10_000_000

const idsOf = (trades: ReadonlyArray<{ readonly id: string }>) => trades.map(({ id }) => Number(id))
const ascending = (ids: ReadonlyArray<number>) => ids.toSorted((one, other) => one - other)

const Id = Schema.Int.check(Schema.isBetween({ minimum: 1001, maximum: farthest }))
const Distance = Schema.Union([
  Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10_000_000 })),
  Schema.Literals([1, 10_000_000])
])

describe("a ledger of sequences", () => {
  it.prop(
    "accepts ids up to ten million beyond the newest, each of them once, in any order",
    [Schema.Array(Id)],
    ([ids]) => {
      const plan = makeSequenceLedger().plan(held, [arrivalOf([...ids, farthest]), arrivalOf(ids)], false)
      assert.deepStrictEqual(ascending(idsOf(plan.trades)), ascending([...new Set([...ids, farthest])]))
      assert.deepStrictEqual([plan.refused, plan.conflicts], [[], []])
    }
  )

  it.prop(
    "accepts a chain of ids, none of which is further from the last one than that",
    [Schema.Array(Distance)],
    ([steps]) => {
      let last = 1000
      const ids = steps.map((step) => (last += step))
      const plan = makeSequenceLedger().plan(held, [arrivalOf(ids.toReversed())], false)
      assert.deepStrictEqual(ascending(idsOf(plan.trades)), ids)
    }
  )

  it.prop(
    "withholds a further one until another arrives that is near to it",
    [Distance, Distance],
    ([beyond, apart]) => {
      const ledger = makeSequenceLedger()
      const stray = farthest + beyond
      const first = ledger.plan(held, [arrivalOf([stray, 999])], false)
      assert.deepStrictEqual([idsOf(first.trades), idsOf(first.refused)], [[999], [stray]])
      ledger.commit(first)
      const second = ledger.plan(first.coverage, [arrivalOf([stray + apart])], false)
      assert.deepStrictEqual([ascending(idsOf(second.trades)), second.refused], [[stray, stray + apart], []])
    }
  )

  it("takes the lowest id of an empty tape for its beginning", () => {
    const { refused, trades } = makeSequenceLedger().plan([], [arrivalOf([20_000_000, 1])], false)
    assert.deepStrictEqual([idsOf(trades), idsOf(refused)], [[1], [20_000_000]])
  })

  it("refuses a withheld trade once for each connection", () => {
    const ledger = makeSequenceLedger()
    const refusedOn = (connection: number) => {
      const plan = ledger.plan(held, [arrivalOf([farthest + 1], connection)], false)
      ledger.commit(plan)
      return idsOf(plan.refused)
    }
    assert.deepStrictEqual([1, 1, 2, 2].map(refusedOn), [[farthest + 1], [], [farthest + 1], []])
  })

  it("compares a trade that arrives again with the one that was committed", () => {
    const ledger = makeSequenceLedger()
    const again = (price: string) =>
      ledger
        .plan(first.coverage, [{ ...arrivalOf([]), trades: [tradeOf(1001, price)] }], false)
        .conflicts.map(({ sequence }) => sequence)
    const first = ledger.plan(held, [arrivalOf([1001])], false)
    assert.deepStrictEqual(again("2"), [])
    ledger.commit(first)
    assert.deepStrictEqual([again("1"), again("2")], [[], [1001]])
    // What the tape holds counts from then on.
    ledger.resume([tradeOf(1001, "3")], [])
    assert.deepStrictEqual([again("3"), again("1")], [[], [1001]])
    ledger.resume([], [])
    assert.deepStrictEqual(again("1"), [])
  })
})
