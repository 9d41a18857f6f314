import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { evenTape, market, start, withExchange, withSandbox } from "../Sandbox.ts"
import type { Answer } from "../StubExchange.ts"
import { json } from "../StubExchange.ts"

const second = start / 1000

const candles = (body: string | ((query: URLSearchParams) => string)) => (path: string, query: URLSearchParams) =>
  path.endsWith("/candles") ? { body: typeof body === "string" ? body : body(query) } : undefined

describe("the last candle, in the exchange's own frame", () => {
  it.live("has every digit of a JSON number, and is the newest in any order of the rows", () =>
    withSandbox(
      evenTape(9),
      (source) =>
        Effect.gen(function* () {
          assert.deepStrictEqual(
            yield* source.lastCandle("sandbox", market, "1m"),
            Option.some({
              start: start + 120_000,
              low: "0.00000001234567890123456789",
              high: "73402.1",
              open: "73243.33",
              close: "123.0000000000000000001",
              volume: "1.5679440600000000123"
            })
          )
        }),
      {
        over: candles(`[[${second},1,2,1,2,3],
        [${second + 120},1.234567890123456789e-8,73402.10,73243.330,123.0000000000000000001,1.5679440600000000123],
        [${second + 60},1,2,1,2,3]]`)
      }
    )
  )

  it.live("has a trade: a candle without volume is skipped", () =>
    withSandbox(
      evenTape(9),
      (source) =>
        Effect.gen(function* () {
          const candle = yield* source.lastCandle("sandbox", market, "5m")
          assert.strictEqual(Option.getOrUndefined(candle)?.start, start)
        }),
      { over: candles(`[[${second + 300},2,2,2,2,0.0],[${second},1,2,1,2,3]]`) }
    )
  )

  it.live("is looked up by the last trade when nothing is recent", () =>
    withSandbox(
      evenTape(90),
      (source) =>
        Effect.gen(function* () {
          const candle = yield* source.lastCandle("sandbox", market, "1m")
          assert.strictEqual(Option.getOrUndefined(candle)?.start, start + 60_000)
        }),
      {
        over: candles((query) =>
          query.get("start") === new Date(start).toISOString() ? `[[${second + 60},1,2,1,2,3]]` : "[]"
        )
      }
    )
  )

  it.live("is none in a market without a trade", () =>
    withSandbox(
      evenTape(0),
      (source) =>
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* source.lastCandle("sandbox", market, "1d"), Option.none())
        }),
      { over: candles("[]") }
    )
  )

  it.live.each([
    ["low above open", `[[${second},5,9,4,6,1]]`],
    ["close above high", `[[${second},1,5,4,6,1]]`],
    ["a negative volume", `[[${second},1,9,4,6,-1]]`],
    ["a null volume", `[[${second},1,9,4,6,null]]`],
    ["a short row", `[[${second},1,9]]`],
    ["a time in the future", "[[7258118400,1,9,4,6,1]]"],
    ["an HTML page", "<html></html>"],
    ["a cut list", `[[${second},1,9,4,`],
    ["no body", ""]
  ])("is refused with %s", ([, body = ""]) =>
    withSandbox(
      evenTape(9),
      (source) =>
        Effect.gen(function* () {
          assert.strictEqual((yield* Effect.flip(source.lastCandle("sandbox", market, "1m"))).reason, "BadResponse")
        }),
      { over: candles(body), limits: { attempts: 1 } }
    )
  )

  it.effect("is requested with both times if the exchange requires them", () =>
    withExchange("pacifica", "BTC", pacifica, (source) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(start + 9 * hour + 60_000)
        const candle = yield* source.lastCandle("timed", market, "1h")
        assert.strictEqual(Option.getOrUndefined(candle)?.start, start + 9 * hour)
      })
    )
  )

  it.live("is asked for once by many callers", () =>
    withSandbox(
      evenTape(9),
      (source, stub) =>
        Effect.gen(function* () {
          const call = source.lastCandle("sandbox", market, "1m")
          yield* Effect.all(
            Array.from({ length: 30 }, () => call),
            { concurrency: "unbounded" }
          )
          yield* call
          assert.strictEqual(stub.requests.filter((path) => path.includes("/candles")).length, 1)
        }),
      { over: candles(`[[${second},1,2,1,2,3]]`), limits: { freshMs: 60_000 } }
    )
  )
})

const hour = 3_600_000

/** The protocol of pacifica, whose class rejects a call without a start time: an hour's candle in each hour. */
const pacifica: Answer = (_, query) => {
  const [from, to] = [Number(query.get("start_time")), Number(query.get("end_time"))]
  const times: Array<number> = []
  for (let time = Math.ceil(from / hour) * hour; time <= to && times.length < 1000; time += hour) times.push(time)
  const values = { s: "BTC", i: "1h", o: "2", c: "3", h: "4", l: "1", v: "5", n: 2 }
  return json({
    success: true,
    data: times.filter((time) => time <= start + 9 * hour).map((t) => ({ t, T: t + hour, ...values })),
    error: null,
    code: null
  })
}

interface Bar {
  readonly start: number
  readonly values: readonly [open: string, high: string, low: string, close: string, volume: string]
}

/** The protocol of hollaex: no timeframe of 6 hours; `bars` by its label, limited to the requested window. */
const hollaex =
  (bars: Readonly<Record<string, ReadonlyArray<Bar>>>, traded = start + 8 * hour): Answer =>
  (path, query) =>
    path.endsWith("/trades")
      ? json({ btcusd: [{ size: "1", price: "1", side: "buy", timestamp: new Date(traded).toISOString() }] })
      : json(
          (bars[query.get("resolution") ?? ""] ?? [])
            .filter(
              (bar) => bar.start >= Number(query.get("from")) * 1000 && bar.start <= Number(query.get("to")) * 1000
            )
            .map(({ start, values: [open, high, low, close, volume] }) => ({
              time: new Date(start).toISOString(),
              open,
              high,
              low,
              close,
              volume,
              symbol: "btcusd"
            }))
        )

describe("the last candle, put together from a shorter frame", () => {
  const hours: ReadonlyArray<Bar> = [
    { start: start + 5 * hour, values: ["1", "99", "1", "1", "1"] },
    { start: start + 6 * hour, values: ["10", "12.5", "9.75", "11", "0.1"] },
    { start: start + 7 * hour, values: ["11", "12.50", "9.8", "12", "0.2"] },
    { start: start + 8 * hour, values: ["12", "12.4", "9.750000000000000001", "12.3", "0.0000000000000000003"] },
    { start: start + 9 * hour, values: ["12.3", "12.3", "12.3", "12.3", "0"] }
  ]
  const sixHours = Option.some({
    start: start + 6 * hour,
    open: "10",
    high: "12.5",
    low: "9.75",
    close: "12.3",
    volume: "0.3000000000000000003"
  })

  it.live("has their first open, extremes, last close and exact volume", () =>
    withExchange("hollaex", "btcusd", hollaex({ "1h": hours }), (source) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* source.lastCandle("timed", market, "6h"), sixHours)
      })
    )
  )

  it.live("is used where the exchange's own frame does not start in UTC", () =>
    withExchange(
      "hollaex",
      "btcusd",
      hollaex({
        "1d": [{ start: start - 9 * hour, values: ["1", "1", "1", "1", "1"] }],
        "4h": [
          { start, values: ["1", "2", "1", "2", "1"] },
          { start: start + 4 * hour, values: ["2", "3", "2", "3", "1"] }
        ]
      }),
      (source) =>
        Effect.gen(function* () {
          assert.deepStrictEqual(
            yield* source.lastCandle("timed", market, "1d"),
            Option.some({ start, open: "1", high: "3", low: "1", close: "3", volume: "2" })
          )
        })
    )
  )

  it.live("is refused if no timeframe is aligned to UTC", () => {
    const bar: Bar = { start: start + 60_000, values: ["1", "1", "1", "1", "1"] }
    const odd = { "1d": [bar], "4h": [bar], "1h": [bar], "15m": [bar], "5m": [bar] }
    return withExchange("hollaex", "btcusd", hollaex(odd, start + 90_000), (source) =>
      Effect.gen(function* () {
        for (const timeframe of ["6h", "1d"] as const) {
          const error = yield* Effect.flip(source.lastCandle("timed", market, timeframe))
          assert.strictEqual(error.reason, "NotSupported")
        }
      })
    )
  })
})
