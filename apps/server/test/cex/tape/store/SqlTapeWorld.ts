import { Schema } from "effect"
import { withTrades } from "../../../../src/cex/tape/ledger/Coverage.ts"
import type { Interval, TapeTrade } from "../../../../src/cex/tape/Tape.ts"
import * as ExactDecimal from "../../../../src/internal/ExactDecimal.ts"

const upTo = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))

const Decimal = Schema.Struct({
  whole: Schema.String.check(Schema.isPattern(/^[0-9]{1,30}$/)),
  fraction: Schema.String.check(Schema.isPattern(/^[0-9]{1,30}$/)),
  exponent: Schema.Int.check(Schema.isBetween({ minimum: -30, maximum: 30 }))
})

const decimal = ({ exponent, fraction, whole }: typeof Decimal.Type): string => {
  const text = ExactDecimal.canonical(`${whole}.${fraction}e${exponent}`)
  if (text === undefined) throw new Error(`"${whole}.${fraction}e${exponent}" is no decimal.`)
  return ExactDecimal.isPositive(text) ? text : "0.000000000000000001"
}

const dayMs = 86_400_000
const firstDay = 1_795_132_800_000
export const dayStart = (day: number) => firstDay + day * dayMs

/** A few minutes of four days, so that trades share minutes and milliseconds. */
const Place = Schema.Struct({ day: upTo(3), minute: upTo(2), ms: upTo(3) })

const Seed = Schema.Struct({
  sequence: upTo(40),
  at: Place,
  price: Decimal,
  size: Decimal,
  isBuy: Schema.Boolean
})

const trade = ({ at, isBuy, price, sequence, size }: typeof Seed.Type): TapeTrade => {
  const timestamp = dayStart(at.day) + at.minute * 60_000 + at.ms * 19_999
  const [exactPrice, exactSize] = [decimal(price), decimal(size)]
  return {
    id: `${sequence}`,
    sequence,
    timestamp,
    price: exactPrice,
    size: exactSize,
    cost: ExactDecimal.multiply(exactPrice, exactSize),
    side: isBuy ? "buy" : "sell",
    receivedAt: timestamp + 7
  }
}

/**
 * A step of a recording: trades arrive, and `ends` in success, in a failed statement, or in the end of the process
 * before the commit; or the days up to one are dropped.
 */
const Step = Schema.Union([
  Schema.Struct({
    kind: Schema.Literal("trades"),
    ends: Schema.Literals(["well", "well", "well", "badly", "killed"]),
    trades: Schema.Array(Seed).check(Schema.isMaxLength(25))
  }),
  Schema.Struct({ kind: Schema.Literal("restart") }),
  Schema.Struct({ kind: Schema.Literal("drop"), day: upTo(3) })
])

export const History = Schema.Array(Step).check(Schema.isMinLength(1), Schema.isMaxLength(8))

/** The trades of a step: of two with the same sequence the first. */
export const toTrades = (seeds: ReadonlyArray<typeof Seed.Type>): ReadonlyArray<TapeTrade> => [
  ...new Map(
    seeds
      .map(trade)
      .reverse()
      .map((one) => [one.sequence, one] as const)
  ).values()
]

const inOrder = (a: TapeTrade, b: TapeTrade) => a.timestamp - b.timestamp || a.sequence - b.sequence

/** The candles of a minute by the simplest algorithm. A trade that comes again after its day was dropped moves no price. */
const toMinutes = (trades: ReadonlyArray<TapeTrade>) => {
  const minutes = new Map<number, Array<TapeTrade>>()
  for (const one of trades.toSorted(inOrder)) {
    const start = Math.floor(one.timestamp / 60_000) * 60_000
    minutes.set(start, [...(minutes.get(start) ?? []), one])
  }
  return [...minutes].map(([start, ordered]) => {
    const prices = ordered.map(({ price }) => price).sort(ExactDecimal.compare)
    const [first, end] = [ordered[0], ordered.at(-1)]
    const last = end && ordered.find((one) => inOrder(one, end) === 0)
    return {
      start,
      open: first?.price,
      open_time: first?.timestamp,
      open_sequence: first?.sequence,
      high: prices.at(-1),
      low: prices[0],
      close: last?.price,
      close_time: last?.timestamp,
      close_sequence: last?.sequence,
      volume: ordered.map(({ size }) => size).reduce(ExactDecimal.add),
      trades: ordered.length
    }
  })
}

/** The expected content of a store of one series. */
export const makeModel = () => {
  const stored = new Map<number, TapeTrade>()
  const counted: Array<TapeTrade> = []
  let floor = 0
  return {
    add: (trades: ReadonlyArray<TapeTrade>) => {
      for (const one of trades) {
        if (stored.has(one.sequence)) continue
        stored.set(one.sequence, one)
        if (one.timestamp >= floor) counted.push(one)
      }
    },
    /** Returns the number of dropped trades. */
    dropDaysBefore: (end: number): number => {
      const before = stored.size
      for (let day = 0; day < end; day++) {
        const gone = [...stored.values()].filter(({ timestamp }) => timestamp < dayStart(day + 1))
        if (gone.length === 0) continue
        floor = dayStart(day + 1)
        const newest = Math.max(...gone.map(({ sequence }) => sequence))
        for (const sequence of stored.keys()) if (sequence <= newest) stored.delete(sequence)
      }
      return before - stored.size
    },
    trades: () => [...stored.values()].sort(inOrder),
    coverage: (): ReadonlyArray<Interval> => withTrades([], [...stored.values()]),
    minutes: () => toMinutes(counted)
  }
}

/** An ordinary trade. */
export const plainTrade = (sequence: number, timestamp = firstDay + sequence * 1000): TapeTrade => {
  const [price, size] = [`${60_000 + (sequence % 50)}.5`, `0.${1 + (sequence % 9)}`]
  return {
    id: `${sequence}`,
    sequence,
    timestamp,
    price,
    size,
    cost: ExactDecimal.multiply(price, size),
    side: sequence % 2 === 0 ? "buy" : "sell",
    receivedAt: timestamp + 20
  }
}
