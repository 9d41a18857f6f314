import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { CandlesWanted } from "../../../../src/cex/ExchangeSource.ts"
import { evenTape, market, start, withSandbox } from "../Sandbox.ts"

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const midnight = Math.ceil(start / day) * day

/** An exchange with a candle of a minute at each of these, whose pages have at most 300 rows. */
const exchangeOf = (starts: ReadonlyArray<number>, shift = 0) => ({
  over: (path: string, query: URLSearchParams) => {
    if (!path.endsWith("/candles")) return undefined
    const frame = Number(query.get("granularity")) * 1000
    const from = Date.parse(query.get("start") ?? "")
    const to = Date.parse(query.get("end") ?? "")
    assert.isAtMost((to - from) / frame, 300)
    const frames = new Map<number, number>()
    for (const one of starts) {
      const bucket = Math.floor(one / frame) * frame
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

  it.live("are refused where they start at times of the exchange's own", () =>
    withSandbox(
      evenTape(9),
      (source) =>
        Effect.gen(function* () {
          const error = yield* Effect.flip(source.candles("sandbox", market, wanted({ from: midnight })))
          assert.strictEqual(error.reason, "NotSupported")
        }),
      exchangeOf(dense, 7000)
    )
  )
})
