import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Option } from "effect"
import { beforeTrade } from "../../../src/cex/live/TradeCursor.ts"
import type { FollowedTape } from "../../../src/cex/live/TradeReader.ts"
import { makeTradeReader } from "../../../src/cex/live/TradeReader.ts"
import type { TapeTrade } from "../../../src/cex/tape/Tape.ts"

const count = 200_000
const begins = Date.UTC(2026, 0, 1)

const toTrade = (sequence: number): TapeTrade => ({
  id: String(sequence),
  sequence,
  timestamp: begins + sequence,
  receivedAt: begins + sequence,
  price: "1",
  size: "1",
  cost: "1",
  side: "buy"
})

describe("the reader of a tape", () => {
  /** A tape whose trades up to one of them were deleted, and what was read of it. */
  const trimmedTape = (coverageFrom: () => number) => {
    const deletedTo = 100
    const limits: Array<number> = []
    const searched: Array<number> = []
    const tape: FollowedTape = {
      name: "tape BTC/USD",
      isUnfillable: () => Effect.succeed(false),
      find: (_, sequence) =>
        Effect.sync(() => {
          searched.push(sequence)
          return Option.none()
        }),
      series: Effect.sync(() => {
        const from = coverageFrom()
        const coverage = [{ from, to: count, fromTime: begins + from, toTime: begins + count }]
        const series = { id: 1, exchange: "tape", market: "BTC/USD", continuity: "sequence", firstId: 1 } as const
        return Option.some({ ...series, version: from, coverage })
      }),
      since: (_, time, limit) =>
        Effect.sync(() => {
          limits.push(limit)
          const first = Math.max(deletedTo + 1, time - begins)
          const rows = Math.max(0, Math.min(limit, count - first + 1))
          return Array.from({ length: rows }, (__, index) => toTrade(first + index))
        })
    }
    return { tape, limits, searched }
  }

  it.effect("goes on behind the wanted trades where retention deletes them before it reads them", () =>
    Effect.gen(function* () {
      let reads = 0
      const { limits, searched, tape } = trimmedTape(() => (++reads === 1 ? 1 : 101))
      const events = yield* makeTradeReader(tape, beforeTrade(10, begins + 10)).next(20)
      assert.strictEqual(events[0]?.name, "gap")
      assert.match(events[1]?.data ?? "", /"id":"101"/)
      assert.deepStrictEqual(searched, [])
      assert.deepStrictEqual(limits, [64, 64])
    })
  )

  it.effect("reads a bounded part of it where it lacks trades that it should hold", () =>
    Effect.gen(function* () {
      const { limits, searched, tape } = trimmedTape(() => 1)
      const error = yield* Effect.flip(makeTradeReader(tape, beforeTrade(10, begins + 10)).next(500))
      assert.match(error.message, /lacks the trade 10/)
      assert.deepStrictEqual(searched, [10])
      assert.isAtMost(Math.max(...limits), 32_768)
      assert.isAtMost(
        limits.reduce((sum, limit) => sum + limit, 0),
        count / 2
      )
    })
  )

  it.effect("loses no trade if a later read fails", () =>
    Effect.gen(function* () {
      let isBroken = true
      const series = { id: 1, exchange: "tape", market: "BTC/USD", continuity: "sequence", firstId: 1 } as const
      const coverage = [
        { from: 1, to: 2, fromTime: begins + 1, toTime: begins + 2 },
        { from: 5, to: 6, fromTime: begins + 5, toTime: begins + 6 }
      ]
      const tape: FollowedTape = {
        name: "tape BTC/USD",
        isUnfillable: () => (isBroken ? Effect.die(new Error("unexpected")) : Effect.succeed(true)),
        series: Effect.succeedSome({ ...series, version: 1, coverage }),
        find: () => Effect.succeedNone,
        since: (_, time) => Effect.succeed([1, 2, 5, 6].map(toTrade).filter(({ timestamp }) => timestamp >= time))
      }
      const reader = makeTradeReader(tape, beforeTrade(1, begins + 1))
      const first = yield* Effect.exit(reader.next(500))
      isBroken = false
      const events = [...(Exit.isSuccess(first) ? first.value : []), ...(yield* reader.next(500))]
      assert.deepStrictEqual(
        events.map(({ cursor, name }) => `${name} ${cursor.slice(0, 2)}`),
        ["trade a1", "trade a2", "gap b5", "trade a5", "trade a6"]
      )
    })
  )

  it.effect("goes on at a trade that is dated long before the one before it", () =>
    Effect.gen(function* () {
      const trades = Array.from({ length: 45_000 }, (_, at) => toTrade(at + 1)).map((trade) => ({
        ...trade,
        timestamp: begins + 80 * trade.sequence - (trade.sequence === 40_000 ? 90_000 : 0)
      }))
      const byTime = trades.toSorted((one, other) => one.timestamp - other.timestamp || one.sequence - other.sequence)
      const series = { id: 1, exchange: "tape", market: "BTC/USD", continuity: "sequence", firstId: 1 } as const
      const last = begins + 80 * trades.length
      const coverage = [{ from: 1, to: trades.length, fromTime: begins + 80, toTime: last }]
      const tape: FollowedTape = {
        name: "tape BTC/USD",
        isUnfillable: () => Effect.succeed(false),
        series: Effect.succeedSome({ ...series, version: 1, coverage }),
        find: (_, sequence, { from, to }) =>
          Effect.succeed(
            Option.filter(
              Option.fromUndefinedOr(trades[sequence - 1]),
              ({ timestamp }) => timestamp >= from && timestamp <= to
            )
          ),
        since: (_, time, limit) =>
          Effect.sync(() => {
            const first = byTime.findIndex(({ timestamp }) => timestamp >= time)
            return first < 0 ? [] : byTime.slice(first, first + limit)
          })
      }
      for (const max of [1, 33, 1000]) {
        const reader = makeTradeReader(tape, beforeTrade(40_000, begins + 80 * 39_999))
        const events = [...(yield* reader.next(max)), ...(yield* reader.next(max)), ...(yield* reader.next(max))]
        assert.match(events[0]?.data ?? "", /"id":"40000"/)
        assert.match(events[1]?.data ?? "", /"id":"40001"/)
        assert.match(events[2]?.data ?? "", /"id":"40002"/)
      }
    })
  )
})
