import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { CandlesWanted } from "../../../../src/cex/ExchangeSource.ts"
import { evenTape, market, start, withSandbox } from "../Sandbox.ts"

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const midnight = Math.ceil(start / day) * day

/** An exchange with a candle of a minute at each of these, whose pages have at most 300 rows, and whose days begin late. */
const exchangeOf = (starts: ReadonlyArray<number>, { dayBegins = 0, shift = 0 } = {}) => ({
  over: (path: string, query: URLSearchParams) => {
    if (!path.endsWith("/candles")) return undefined
    const frame = Number(query.get("granularity")) * 1000
    const from = Date.parse(query.get("start") ?? "")
    const to = Date.parse(query.get("end") ?? "")
    assert.isAtMost((to - from) / frame, 300)
    const frames = new Map<number, number>()
    for (const one of starts) {
      const begins = frame === day ? dayBegins : 0
      const bucket = Math.floor((one - begins) / frame) * frame + begins
      if (bucket >= from && bucket <= to) frames.set(bucket, (frames.get(bucket) ?? 0) + 1)
    }
    const rows = [...frames].map(([bucket, volume]) => `[${(bucket + shift) / 1000},1,${volume + 1},1,2,${volume}]`)
    return { body: `[${rows.reverse().join(",")}]` }
  }
})

const wanted = (request: Partial<CandlesWanted>): CandlesWanted => ({
  timeframe: "1m",
  from: 0,
  to: midnight + 100 * day,
  limit: 10_000,
  take: "first",
  ...request
})

const dense = Array.from({ length: 1000 }, (_, at) => midnight + at * minute)
const sparse = [midnight, midnight + hour, midnight + 40 * day, midnight + 40 * day + 3 * minute]

/** Two on one day, at its ends by another clock, and others after silences. */
const late = [midnight, midnight + 17 * hour, midnight + 3 * day, midnight + 3 * day + 15 * hour, midnight + 180 * day]

describe("candles of a range", () => {
  it.live.each([
    ["first of many pages", dense, { from: midnight + 10 * minute, limit: 700 }, dense.slice(10, 710)],
    ["latest of many pages", dense, { to: midnight + 900 * minute, limit: 700, take: "latest" }, dense.slice(201, 901)],
    ["all", dense, {}, dense],
    ["across long silences", sparse, {}, sparse],
    ["across long silences, backward", sparse, { take: "latest" }, sparse],
    ["latest across a long silence", sparse, { take: "latest", limit: 3 }, sparse.slice(1)],
    ["of a window without any", sparse, { from: midnight + day, to: midnight + 2 * day }, []],
    ["of no window", sparse, { from: midnight + day, to: midnight }, []]
  ] satisfies ReadonlyArray<readonly [string, ReadonlyArray<number>, Partial<CandlesWanted>, ReadonlyArray<number>]>)(
    "are read: %s",
    ([, starts, request, expected]) =>
      withSandbox(
        evenTape(9),
        (source) =>
          Effect.gen(function* () {
            const found = yield* source.candles("sandbox", market, wanted(request))
            assert.deepStrictEqual(
              found.map((candle) => candle.start),
              expected
            )
          }),
        exchangeOf(starts)
      )
  )

  it.live.each(["first", "latest"] as const)(
    "are read if days begin at 16:00, across times without trades: %s",
    (take) =>
      withSandbox(
        evenTape(9),
        (source) =>
          Effect.gen(function* () {
            for (const limit of [2, 10]) {
              const found = yield* source.candles("sandbox", market, wanted({ take, limit, to: midnight + 201 * day }))
              assert.deepStrictEqual(
                found.map((candle) => candle.start),
                take === "first" ? late.slice(0, limit) : late.slice(-limit)
              )
            }
          }),
        exchangeOf(late, { dayBegins: 16 * hour })
      )
  )

  it.live.each(["1m", "1d"] as const)("are the newest of a market without a trade for 200 days: %s", (timeframe) =>
    withSandbox(
      evenTape(9),
      (source) =>
        Effect.gen(function* () {
          const request = wanted({ timeframe, take: "latest", limit: 5, to: start + 400 * day })
          const found = yield* source.candles("sandbox", market, request)
          assert.deepStrictEqual(
            found.map((candle) => candle.start),
            [start]
          )
        }),
      exchangeOf([start])
    )
  )

  it.live("are refused where they start at times of the exchange's own", () =>
    withSandbox(
      evenTape(9),
      (source) =>
        Effect.gen(function* () {
          const error = yield* Effect.flip(source.candles("sandbox", market, wanted({ from: midnight })))
          assert.strictEqual(error.reason, "NotSupported")
        }),
      exchangeOf(dense, { shift: 7000 })
    )
  )
})
