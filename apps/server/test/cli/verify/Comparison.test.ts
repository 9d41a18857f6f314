import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { compareTrades, findFirst } from "../../../src/cli/verify/Comparison.ts"
import type { DeploymentReads, Row, Rows } from "../../../src/cli/verify/DeploymentReads.ts"
import { pageSize } from "../../../src/cli/verify/DeploymentReads.ts"
import { describeDifference } from "../../../src/cli/verify/Difference.ts"

const paged = (rows: Rows, skip: number) => rows.slice(skip, skip + pageSize)

interface Recorded {
  readonly answers: DeploymentReads
  /** How often rows were asked for. */
  readonly requests: () => number
}

/** Answers over rows that change with the block, and trades that do not. */
const over = (state: (block: number) => Rows, trades: ReadonlyArray<Rows> = []): Recorded => {
  let requests = 0
  const count = <A>(value: A) =>
    Effect.sync(() => {
      requests++
      return value
    })
  return {
    requests: () => requests,
    answers: {
      totals: () => count<Rows>([]),
      tokens: () => count<Rows>([]),
      pools: (block, skip, id) =>
        count(
          paged(
            state(block).filter((row) => id === undefined || row["id"] === id),
            skip
          )
        ),
      trades: (_, __, { from, to }, skip) =>
        count(
          trades.map((rows) =>
            paged(
              rows.filter(({ timestamp }) => Number(timestamp) >= from && Number(timestamp) <= to),
              skip
            )
          )
        )
    }
  }
}

const toTrade = (timestamp: number, logIndex: number): Row => ({
  id: `0x${timestamp}#${logIndex}`,
  timestamp: String(timestamp),
  logIndex: String(logIndex),
  amount0: String(logIndex)
})

const newestFirst = (rows: Rows) =>
  rows.toSorted(
    (a, b) => Number(b["timestamp"]) - Number(a["timestamp"]) || Number(b["logIndex"]) - Number(a["logIndex"])
  )

const end = 4000
const pool = { id: "0xpool" }

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

/** How many trades there are at which seconds: up to three pages in one second. */
const Bursts = Schema.Array(Schema.Struct({ at: between(0, end), trades: between(1, 2500) })).check(
  Schema.isMaxLength(6)
)

const toTrades = (found: ReadonlyArray<{ readonly at: number; readonly trades: number }>): Rows =>
  newestFirst(
    [...new Map(found.map(({ at, trades }) => [at, trades]))].flatMap(([at, trades]) =>
      Array.from({ length: trades }, (_, index) => toTrade(at, index))
    )
  )

const changes: Readonly<Record<string, (rows: Rows, at: number) => Rows>> = {
  removed: (rows, at) => rows.filter((_, index) => index !== at),
  altered: (rows, at) => rows.map((row, index) => (index === at ? { ...row, amount0: "-1" } : row)),
  repeated: (rows, at) => rows.flatMap((row, index) => (index === at ? [row, row] : [row])),
  added: (rows, at) => newestFirst([...rows, toTrade(Number(rows[at]?.["timestamp"] ?? 0), 9999)])
}

describe("compareTrades", () => {
  const compare = (service: Rows, own: Rows) => {
    const sides = {
      own: over(() => [], [own, []]),
      service: over(() => [], [service, []])
    }
    return Effect.map(
      compareTrades({ own: sides.own.answers, service: sides.service.answers, pool: undefined }, 1, pool, {
        from: 0,
        to: end
      }),
      (compared) => ({ ...compared, requests: sides.own.requests() + sides.service.requests() })
    )
  }

  it.effect.prop("reads every trade of both sides once, in requests by their number", [Bursts], ([found]) =>
    Effect.gen(function* () {
      const trades = toTrades(found)
      const compared = yield* compare(trades, trades)
      assert.deepStrictEqual(compared.differences, [])
      assert.strictEqual(compared.trades, trades.length)
      assert.isAtMost(compared.requests, 60 + (trades.length / pageSize) * 40)
    })
  )

  it.effect.prop(
    "finds one trade that is removed, altered, added or repeated",
    [Bursts, Schema.Literals(["removed", "altered", "added", "repeated"]), between(0, 1_000_000)],
    ([found, kind, seed]) =>
      Effect.gen(function* () {
        const own = toTrades(found)
        if (own.length === 0) return
        const at = seed % own.length
        const service = changes[kind]?.(own, at) ?? own
        const { differences } = yield* compare(service, own)
        assert.strictEqual(differences.length, 1)
        const [difference] = differences
        if (difference === undefined) return
        if (kind === "added") assert.match(difference.id, /#9999$/)
        else assert.strictEqual(difference.id, own[at]?.["id"])
        const says = {
          removed: /^the service lacks trade/,
          repeated: /^the service has trade .* more than once$/,
          added: /have no log$/,
          altered: /^amount0 of trade .* is -1 on/
        }
        assert.match(describeDifference(difference), says[kind])
      })
  )
})

describe("findFirst", () => {
  /** From which block on the rows differ. */
  const Divergences = Schema.Array(between(1, 500)).check(Schema.isMinLength(1), Schema.isMaxLength(12))

  it.effect.prop("is the first block from which any row differs", [Divergences], ([blocks]) =>
    Effect.gen(function* () {
      const state = (isWrong: boolean) => (block: number) =>
        blocks.map((from, index): Row => ({ id: `0x${index}`, liquidity: isWrong && block >= from ? "1" : "0" }))
      const own = over(state(false)).answers
      const service = over(state(true)).answers
      const differences = blocks.map((_, index) => ({
        entity: "pool" as const,
        id: `0x${index}`,
        field: "liquidity",
        service: "1",
        own: "0"
      }))
      const found = yield* findFirst({ own, service, pool: undefined }, 1, { block: 500, differences })
      assert.strictEqual(found.block, Math.min(...blocks))
      assert.isAbove(found.differences.length, 0)
    })
  )
})
