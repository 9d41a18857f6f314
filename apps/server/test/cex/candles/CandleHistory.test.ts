import { OperationNotSupported, UpstreamFailed } from "@chaintape/core"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readHistory } from "../../../src/cex/candles/CandleHistory.ts"
import type { CandleTape } from "../../../src/cex/candles/CandleHistory.ts"
import type { SourceCandle } from "../../../src/cex/ExchangeSource.ts"

const minute = 60_000
const minutes = 5000

/** A tape whose minutes have three trades each; of those that are not `isProven`, it lacks the one in the middle. */
const tapeOf = (isProven: (at: number) => boolean = () => false) => {
  const candles = Array.from({ length: minutes }, (_, at) => ({
    start: at * minute,
    openSequence: 3 * at,
    closeSequence: 3 * at + 2,
    trades: isProven(at) ? 3 : 2
  }))
  let pages = 0
  const tape: CandleTape = {
    coverage: [{ from: 3 * minutes - 1, to: 3 * minutes - 1, fromTime: 0, toTime: 0 }],
    firstId: 0,
    isLive: true,
    candlePage: ({ from, limit, take, to }) =>
      Effect.sync(() => {
        pages++
        const inside = candles.filter(({ start }) => start >= from && start <= to)
        const page = take === "first" ? inside.slice(0, limit) : inside.slice(-limit)
        const [first, last] = [page[0], page.at(-1)]
        return {
          count: page.length,
          rows: page.map(({ start }) => `{"t":${start}}`).join(","),
          ends: first === undefined || last === undefined ? undefined : ([first, last] as const),
          breaks: page,
          before: first === undefined ? undefined : first.openSequence - 1,
          after: last === undefined ? undefined : last.closeSequence + 1
        }
      })
  }
  return { tape, pages: () => pages }
}

const down = new UpstreamFailed({ source: "sandbox", reason: "unavailable", detail: "It is down." })

const read = (
  tape: CandleTape,
  take: "first" | "latest",
  ask: Effect.Effect<ReadonlyArray<SourceCandle>, UpstreamFailed>
) =>
  Effect.result(
    readHistory(tape, () => ask, { timeframe: "1m", limit: 1, from: 0, to: (minutes - 1) * minute, take }, minute)
  )

describe("candles of a tape with unproven minutes", () => {
  it.effect.each([990, 30])(
    "include those after unproven minutes for which the exchange has no candles: %s",
    (before) =>
      Effect.gen(function* () {
        const { tape } = tapeOf((at) => at < before || at >= before + 210)
        const wanted = { timeframe: "1m", limit: 1000, from: 0, to: (minutes - 1) * minute, take: "first" } as const
        const refused = new OperationNotSupported({ exchange: "sandbox", detail: "It has no candles." })
        const found = yield* readHistory(tape, () => Effect.fail(refused), wanted, minute)
        const starts = [...found.rows.matchAll(/"t":(\d+)/g)].map(([, start]) => Number(start) / minute)
        assert.deepStrictEqual(
          starts,
          Array.from({ length: 1000 }, (_, at) => (at < before ? at : at + 210))
        )
        assert.deepStrictEqual(found.unproven, [{ from: before * minute, to: (before + 209) * minute }])
      })
  )

  it.effect.each(["first", "latest"] as const)("end after some pages where few minutes are proven: %s", (take) =>
    Effect.gen(function* () {
      const { pages, tape } = tapeOf((at) => at % 100 === 50)
      const refused = new OperationNotSupported({ exchange: "sandbox", detail: "It has no candles." })
      const wanted = { timeframe: "1h", limit: 10_000, from: 0, to: (minutes - 1) * minute, take } as const
      const found = yield* readHistory(tape, () => Effect.fail(refused), { ...wanted, limit: 60 }, 60 * minute)
      assert.isAtMost(pages(), 60)
      assert.notStrictEqual(found.completeness, "complete")
    })
  )

  it.effect.each(["first", "latest"] as const)("end after a few pages where the exchange has none either: %s", (take) =>
    Effect.gen(function* () {
      const { pages, tape } = tapeOf()
      const found = yield* read(tape, take, Effect.succeed([]))
      assert.isAtMost(pages(), 20)
      assert.deepInclude(found, { _tag: "Success" })
    })
  )

  it.effect.each(["first", "latest"] as const)(
    "fail after one request and a few pages where the exchange is down: %s",
    (take) =>
      Effect.gen(function* () {
        const { pages, tape } = tapeOf()
        let asked = 0
        const ask = Effect.suspend(() => {
          asked++
          return Effect.fail(down)
        })
        const found = yield* read(tape, take, ask)
        assert.strictEqual(asked, 1)
        assert.isAtMost(pages(), 20)
        assert.deepInclude(found, { _tag: "Failure", failure: down })
      })
  )
})
