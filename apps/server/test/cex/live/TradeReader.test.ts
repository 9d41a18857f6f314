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
  it.effect("reads a bounded part of it where retention has just deleted the wanted trades", () =>
    Effect.gen(function* () {
      let deletedTo = 100
      let coverageFrom = 1
      const limits: Array<number> = []
      const tape: FollowedTape = {
        name: "tape BTC/USD",
        isUnfillable: () => Effect.succeed(false),
        series: Effect.sync(() => {
          const coverage = [{ from: coverageFrom, to: count, fromTime: begins + coverageFrom, toTime: begins + count }]
          const series = { id: 1, exchange: "tape", market: "BTC/USD", continuity: "sequence", firstId: 1 } as const
          return Option.some({ ...series, version: coverageFrom, coverage })
        }),
        since: (_, time, limit) =>
          Effect.sync(() => {
            limits.push(limit)
            const first = Math.max(deletedTo + 1, time - begins)
            const rows = Math.max(0, Math.min(limit, count - first + 1))
            return Array.from({ length: rows }, (__, index) => toTrade(first + index))
          })
      }
      const reader = makeTradeReader(tape, beforeTrade(10, begins + 10))
      const error = yield* Effect.flip(reader.next(500))
      assert.match(error.message, /lacks the trade 10/)
      assert.isAtMost(Math.max(...limits), 32_768)
      assert.isAtMost(
        limits.reduce((sum, limit) => sum + limit, 0),
        count / 2
      )
      // The next read sees the coverage without them, and goes on behind.
      coverageFrom = deletedTo + 1
      const events = yield* reader.next(500)
      assert.strictEqual(events[0]?.name, "gap")
      assert.match(events[1]?.data ?? "", /"id":"101"/)
      deletedTo = 0
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
})
