import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Option, Schema } from "effect"
import { TestClock } from "effect/testing"
import { tradesCoverage } from "../../../src/cex/api/CoverageHeader.ts"
import type { World } from "../RecordedWorld.ts"
import { read, trade, findTruth } from "../RecordedWorld.ts"

const count = 40
const step = 1000

/** A trade every second, from 1 on; the tape holds these runs of them. */
const world = (runs: ReadonlyArray<readonly [number, number]>, options: Partial<World> = {}): World => ({
  truth: Array.from({ length: count }, (_, at) => trade(at + 1, (at + 1) * step)),
  held: new Set(
    Array.from({ length: count }, (_, at) => at + 1).filter((id) => runs.some(([from, to]) => id >= from && id <= to))
  ),
  isLive: true,
  exchangeFrom: 1,
  ...options
})

const ids = ({ trades }: { readonly trades: ReadonlyArray<{ readonly id: string }> }) =>
  trades.map(({ id }) => Number(id))
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at)

const summary = Effect.map((found: Effect.Success<ReturnType<typeof read>>) => [
  ids(found),
  found.completeness,
  found.origins.join(", "),
  found.requests.length
])

const check = (
  name: string,
  given: World,
  request: { readonly limit: number; readonly since?: number },
  expected: readonly [ReadonlyArray<number>, string, string, number]
) =>
  it.effect(name, () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* summary(read(given, request)), [...expected])
    })
  )

describe("the latest trades of a recorded market", () => {
  check("are the tape's where it holds them all", world([[1, 40]]), { limit: 10 }, [
    range(31, 40),
    "complete",
    "tape",
    0
  ])
  check("are joined with the exchange's where the tape is too short", world([[31, 40]]), { limit: 15 }, [
    range(26, 40),
    "complete",
    "tape, exchange",
    1
  ])
  check("are fewer, and complete, where the market has no more", world([[31, 40]]), { limit: 100 }, [
    range(1, 40),
    "complete",
    "tape, exchange",
    1
  ])
  check(
    "are the tape's alone, and incomplete, where the exchange fails to give the rest",
    world([[31, 40]], { exchangeFrom: undefined }),
    { limit: 15 },
    [range(31, 40), "incomplete", "tape", 1]
  )
  check(
    "go on behind a gap that the exchange cannot fill",
    world(
      [
        [1, 10],
        [31, 40]
      ],
      { exchangeFrom: 25 }
    ),
    { limit: 20 },
    [[...range(7, 10), ...range(25, 40)], "incomplete", "tape, exchange", 1]
  )
  check(
    "take from behind a gap what a stale page of the exchange leaves out",
    world(
      [
        [1, 20],
        [31, 40]
      ],
      { exchangeLacks: new Set(range(12, 15)) }
    ),
    { limit: 35 },
    [range(6, 40), "complete", "tape, exchange", 1]
  )
  check(
    "are incomplete where neither the exchange nor the tape has one of them",
    world(
      [
        [1, 20],
        [31, 40]
      ],
      { exchangeLacks: new Set([25]) }
    ),
    { limit: 30 },
    [[...range(10, 24), ...range(26, 40)], "incomplete", "tape, exchange", 1]
  )
  check("are the exchange's where the tape is behind", world([[1, 30]], { isLive: false }), { limit: 10 }, [
    range(31, 40),
    "complete",
    "exchange",
    1
  ])
  check(
    "are the tape's, and incomplete, where the tape is behind and the exchange fails",
    world([[1, 30]], { isLive: false, exchangeFrom: undefined }),
    { limit: 10 },
    [range(21, 30), "incomplete", "tape", 1]
  )
  check(
    "of a market without consecutive ids are never called complete",
    world([[1, 40]], { continuity: "overlap" }),
    { limit: 10 },
    [range(31, 40), "unverifiable", "tape", 0]
  )

  it.effect("are incomplete, and the tape's newest, where the tape is behind and the exchange's page is older", () =>
    Effect.gen(function* () {
      const truth = Array.from({ length: 3000 }, (_, at) => trade(at + 1, (at + 1) * step))
      const behind = { truth, held: new Set(range(1, 2500)), isLive: false, exchangeFrom: 1, exchangeTo: 2000 }
      const found = yield* read(behind, { limit: 1200 })
      assert.deepStrictEqual(ids(found), range(1301, 2500))
      assert.deepStrictEqual([found.completeness, found.origins], ["incomplete", ["tape"]])
    })
  )

  it.effect("join a page of the exchange with the older trades of the tape if the tape is behind", () =>
    Effect.gen(function* () {
      const truth = Array.from({ length: 3000 }, (_, at) => trade(at + 1, (at + 1) * step))
      const behind = { truth, held: new Set(range(1, 2500)), isLive: false, exchangeFrom: 1500 }
      const found = yield* read(behind, { limit: 2900 })
      assert.deepStrictEqual(ids(found), range(101, 3000))
      assert.deepStrictEqual([found.completeness, found.origins.join(", ")], ["complete", "tape, exchange"])
      assert.strictEqual(found.requests.length, 1)
      // A tape that ends before the exchange's page begins adds nothing, and causes no gap.
      const far = yield* read({ ...behind, held: new Set(range(1, 1500)), exchangeFrom: 1 }, { limit: 2900 })
      assert.deepStrictEqual([ids(far), far.completeness], [range(101, 3000), "complete"])
    })
  )

  it.effect("omit no stored trade between two others if the tape is behind", () =>
    Effect.gen(function* () {
      const truth = Array.from({ length: 3000 }, (_, at) => trade(at + 1, (at + 1) * step))
      const held = new Set([...range(1, 500), ...range(700, 1500)])
      const behind = { truth, held, isLive: false }
      const apart = yield* read({ ...behind, exchangeFrom: 1801 }, { limit: 2900 })
      assert.deepStrictEqual(ids(apart), range(1801, 3000))
      assert.deepStrictEqual([apart.completeness, apart.origins.join(", ")], ["incomplete", "exchange"])
      const adjoined = yield* read({ ...behind, exchangeFrom: 1400 }, { limit: 2900 })
      assert.deepStrictEqual(ids(adjoined), [...range(1, 500), ...range(700, 3000)])
      assert.deepStrictEqual([adjoined.completeness, adjoined.origins.join(", ")], ["incomplete", "tape, exchange"])
      // The exchange's page omits what the tape has.
      const lacking = { ...behind, exchangeFrom: 600, exchangeLacks: new Set(range(1400, 1600)) }
      const filled = yield* read(lacking, { limit: 2301 })
      assert.deepStrictEqual(ids(filled), [...range(599, 1500), ...range(1601, 3000)].slice(-2301))
      assert.strictEqual(filled.completeness, "incomplete")
    })
  )

  it.effect("fail if neither the tape nor the exchange has trades", () =>
    Effect.gen(function* () {
      const nothing = world([], { exchangeFrom: undefined, isLive: false })
      assert.strictEqual((yield* Effect.flip(read(nothing, { limit: 5 })))._tag, "UpstreamFailed")
    })
  )
})

describe("the trades of a recorded market since a time", () => {
  check("are the tape's where a run of it holds the time", world([[1, 40]]), { since: 5 * step, limit: 10 }, [
    range(5, 14),
    "complete",
    "tape",
    0
  ])
  check("are joined where they begin before the tape", world([[11, 40]]), { since: 5 * step, limit: 10 }, [
    range(5, 14),
    "complete",
    "tape, exchange",
    1
  ])
  check("are the exchange's where it has enough before the tape", world([[31, 40]]), { since: 5 * step, limit: 10 }, [
    range(5, 14),
    "complete",
    "exchange",
    1
  ])
  check(
    "are the tape's alone where it begins with the market's first trade",
    world([[1, 40]], { exchangeFrom: undefined }),
    { since: 0, limit: 10 },
    [range(1, 10), "complete", "tape", 0]
  )
  check(
    "are asked of the exchange before the tape's first trade unless it is the market's first",
    world([[1, 40]], { firstId: 0 }),
    { since: 0, limit: 10 },
    [range(1, 10), "complete", "tape", 1]
  )
  check(
    "are asked of the exchange if they begin at the tape's first, as others may have the same millisecond",
    world([[11, 40]]),
    { since: 11 * step, limit: 5 },
    [range(11, 15), "complete", "tape", 1]
  )
  check(
    "are none, and complete, if the time is after the newest trade",
    world([[1, 40]]),
    { since: 41 * step, limit: 10 },
    [[], "complete", "tape", 0]
  )
  check(
    "are asked of the exchange after the newest stored trade if the tape is behind",
    world([[1, 30]], { isLive: false }),
    { since: 35 * step, limit: 10 },
    [range(35, 40), "complete", "exchange", 1]
  )
  check(
    "are joined with the exchange's newer ones if the tape is behind",
    world([[1, 30]], { isLive: false }),
    { since: 25 * step, limit: 10 },
    [range(25, 34), "complete", "tape, exchange", 1]
  )
  check(
    "are incomplete, and end with the tape's newest, if the tape is behind and the exchange fails",
    world([[1, 30]], { isLive: false, exchangeFrom: undefined }),
    { since: 25 * step, limit: 10 },
    [range(25, 30), "incomplete", "tape", 1]
  )
  check(
    "are joined with the exchange's where the tape has a gap",
    world([
      [1, 10],
      [15, 40]
    ]),
    { since: 5 * step, limit: 15 },
    [range(5, 19), "complete", "tape, exchange", 1]
  )
  check(
    "are the exchange's up to the end of the gap if they begin in a gap",
    world([
      [1, 10],
      [15, 40]
    ]),
    { since: 13 * step, limit: 5 },
    [range(13, 17), "complete", "tape, exchange", 1]
  )
  check(
    "are incomplete where the exchange cannot fill the gap",
    world(
      [
        [1, 10],
        [15, 40]
      ],
      { exchangeFrom: 20 }
    ),
    { since: 5 * step, limit: 15 },
    [[...range(5, 10), ...range(15, 23)], "incomplete", "tape", 1]
  )
  check(
    "are incomplete where the exchange fails while a gap is to be filled",
    world(
      [
        [1, 10],
        [15, 40]
      ],
      { exchangeFrom: undefined }
    ),
    { since: 5 * step, limit: 15 },
    [[...range(5, 10), ...range(15, 23)], "incomplete", "tape", 1]
  )
  check(
    "are incomplete if they have a gap of a market whose ids prove nothing",
    world(
      [
        [1, 10],
        [15, 40]
      ],
      { continuity: "overlap" }
    ),
    { since: 5 * step, limit: 15 },
    [[...range(5, 10), ...range(15, 23)], "incomplete", "tape", 0]
  )
  check(
    "are unverifiable within a run of a market whose ids prove nothing",
    world([[1, 40]], { continuity: "overlap" }),
    { since: 5 * step, limit: 15 },
    [range(5, 19), "unverifiable", "tape", 0]
  )

  it.effect("are incomplete if the exchange does not fill the gap within ten seconds", () =>
    Effect.gen(function* () {
      const held = new Set([...range(1, 10), ...range(15, 40)])
      const reading = yield* Effect.forkChild(read(world([], { held, isSilent: true }), { since: 5 * step, limit: 15 }))
      yield* TestClock.adjust("10 seconds")
      assert.isDefined(reading.pollUnsafe())
      const { completeness, trades } = yield* Fiber.join(reading)
      assert.deepStrictEqual([ids({ trades }), completeness], [[...range(5, 10), ...range(15, 23)], "incomplete"])
    })
  )

  it.effect("are filled where times decrease over the gap", () =>
    Effect.gen(function* () {
      const times = new Map([
        [10, 10_400],
        [11, 10_310],
        [12, 10_320],
        [13, 10_300]
      ])
      const truth = Array.from({ length: count }, (_, at) => trade(at + 1, times.get(at + 1) ?? (at + 1) * step))
      const held = new Set([...range(1, 10), ...range(13, 40)])
      const found = yield* read(world([], { truth, held }), { since: 5 * step, limit: 15 })
      assert.deepStrictEqual(
        ids(found).toSorted((one, other) => one - other),
        range(5, 19)
      )
      assert.strictEqual(found.completeness, "complete")
    })
  )

  it.effect("are a problem where they begin before the tape and the exchange fails", () =>
    Effect.gen(function* () {
      const short = world([[11, 40]], { exchangeFrom: undefined })
      assert.strictEqual((yield* Effect.flip(read(short, { since: 5 * step, limit: 10 })))._tag, "UpstreamFailed")
    })
  )

  check(
    "are the exchange's where the tape gave its own up a moment ago",
    world([[1, 40]], { isGivenUp: true }),
    { since: 5 * step, limit: 3 },
    [range(5, 7), "complete", "exchange", 1]
  )

  it.effect("are not called complete when retention drops a part of the tape while they are read", () =>
    Effect.gen(function* () {
      const dropped = world([[1, 40]], {
        exchangeFrom: undefined,
        coverageLater: [{ from: 20, to: 40, fromTime: 20 * step, toTime: 40 * step }]
      })
      const found = yield* Effect.result(read(dropped, { since: 5 * step, limit: 10 }))
      assert.isFalse(found._tag === "Success" && found.success.completeness === "complete")
    })
  )

  it.effect("are immutable only when the tape alone proves all of them and ten minutes have passed", () =>
    Effect.gen(function* () {
      const request = { since: 5 * step, limit: 10 }
      yield* TestClock.setTime(14 * step + 600_000)
      assert.isFalse((yield* read(world([[1, 40]]), request)).isImmutable)
      yield* TestClock.adjust(1)
      assert.isTrue((yield* read(world([[1, 40]]), request)).isImmutable)
      assert.isFalse((yield* read(world([[1, 40]]), { ...request, limit: 50 })).isImmutable)
      assert.isFalse((yield* read(world([[1, 40]]), { limit: 10 })).isImmutable)
      assert.isFalse((yield* read(world([[7, 40]]), request)).isImmutable)
      assert.isFalse((yield* read(world([[1, 40]], { continuity: "overlap" }), request)).isImmutable)
    })
  )
})

const Small = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 30 }))
const Given = Schema.Struct({
  /** Between a trade and the next. */
  steps: Schema.Array(Schema.Literals([0, 0, 1, 1, 2, 5])).check(Schema.isMinLength(1), Schema.isMaxLength(30)),
  /** Whether the tape holds a trade. */
  held: Schema.Array(Schema.Literals([true, true, true, false])).check(Schema.isMinLength(30), Schema.isMaxLength(30)),
  isLive: Schema.Boolean,
  exchange: Schema.Literals(["whole", "whole", "fails", "short", "stale"]),
  limit: Small,
  since: Schema.NullOr(Small)
})

/** A market with several trades in a millisecond, a tape with any gaps, and an exchange that may fail. */
const worldOf = ({ exchange, held, isLive, steps }: typeof Given.Type): World => {
  let time = 0
  const truth = steps.map((wait, at) => trade(at + 1, (time += wait)))
  return {
    truth,
    // A tape is live only if it holds the newest trade.
    held: new Set(
      truth.map(({ sequence }) => sequence).filter((id) => held[id - 1] === true || (isLive && id === truth.length))
    ),
    isLive,
    exchangeFrom: exchange === "fails" ? undefined : exchange === "short" ? Math.ceil(truth.length / 2) : 1,
    exchangeLacks: new Set(exchange === "stale" ? range(1, truth.length).filter((id) => id % 4 < 2) : [])
  }
}

describe("any answer about a recorded market", () => {
  it.effect.prop(
    "is exactly the truth, and complete, while the exchange answers",
    [Given],
    ([given]) =>
      Effect.gen(function* () {
        const request = { limit: given.limit + 1, ...(given.since === null ? {} : { since: given.since }) }
        const made = worldOf({ ...given, exchange: "whole" })
        const found = yield* read(made, request)
        assert.deepStrictEqual(found.trades, findTruth(made, request))
        assert.strictEqual(found.completeness, "complete")
      }),
    { arbitrary: { runs: 1000 } }
  )

  it.effect.prop(
    "is never marked complete with a missing trade, is ordered, and has each trade once",
    [Given],
    ([given]) =>
      Effect.gen(function* () {
        const request = { limit: given.limit + 1, ...(given.since === null ? {} : { since: given.since }) }
        const made = worldOf(given)
        const answered = yield* Effect.result(read(made, request))
        if (answered._tag === "Failure") return assert.notStrictEqual(given.exchange, "whole")
        const found = answered.success
        const numbers = ids(found)
        assert.deepStrictEqual(
          numbers,
          [...new Set(numbers)].sort((a, b) => a - b)
        )
        assert.isAtMost(numbers.length, request.limit)
        if (found.completeness !== "complete") return
        assert.deepStrictEqual(numbers, range(numbers[0] ?? 1, numbers.at(-1) ?? 0))
        if (given.since !== null) {
          const truth = findTruth(made, { ...request, since: given.since })
          // A stale page that ends too early cannot be detected.
          assert.deepStrictEqual(found.trades, given.exchange === "stale" ? truth.slice(0, found.trades.length) : truth)
        }
        if (found.isImmutable) assert.strictEqual(numbers.length, request.limit)
      }),
    { arbitrary: { runs: 2000 } }
  )
})

describe("Chaintape-Coverage", () => {
  it("states the coverage from the time of the request or the first trade to the last trade", () => {
    const trades = [trade(1, 1000), trade(2, 2000)]
    const header = (completeness: "complete" | "incomplete" | "unverifiable", since?: number) =>
      tradesCoverage({ trades, completeness }, Option.fromUndefinedOr(since))
    assert.strictEqual(header("complete"), "complete=?1, from=1000, to=2000")
    assert.strictEqual(header("incomplete", 500), "complete=?0, from=500, to=2000")
    assert.strictEqual(header("unverifiable"), "verifiable=?0, from=1000, to=2000")
    assert.strictEqual(tradesCoverage({ trades: [], completeness: "complete" }, Option.some(7)), "complete=?1, from=7")
  })
})
