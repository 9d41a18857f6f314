import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { from, ids, latest, market, range, start, withExchange } from "../Sandbox.ts"
import type { Answer } from "../StubExchange.ts"
import { json } from "../StubExchange.ts"

/** bitfinex's rows: id, time, signed amount, price. Oldest first with `sort=1`. */
const bitfinex =
  (times: ReadonlyArray<number>, cap: number, left = new Set<number>()): Answer =>
  (_, query) => {
    const rows = times
      .map((time, index) => [index + 1, time, index % 2 === 0 ? 0.5 : -0.25, 20_000 + index])
      .filter(([id = 0]) => !left.has(id))
    return query.get("sort") === "1"
      ? json(rows.filter(([, time = 0]) => time >= Number(query.get("start"))).slice(0, cap))
      : json(rows.slice(-cap).toReversed())
  }

describe("trades of an exchange that pages by time", () => {
  it.live("are all found, also those that share the millisecond at a page's end", () => {
    const times = range(0, 999).map((index) => start + Math.floor(index / 7))
    return withExchange("bitfinex", "tBTCUSD", bitfinex(times, 50), (source, stub) =>
      Effect.gen(function* () {
        const whole = yield* source.trades("timed", market, from(start + 10, 500))
        assert.deepStrictEqual(ids(whole), range(71, 570))
        assert.strictEqual(whole.completeness, "unverifiable")
        const rest = yield* source.trades("timed", market, from(start + 130, 500))
        assert.deepStrictEqual(ids(rest), range(911, 1000))
        assert.isBelow(stub.requests.length, 20)
      })
    )
  })

  it.live("are called incomplete where one millisecond fills a page", () => {
    const times = range(0, 499).map((index) => start + (index < 100 ? index : 100))
    return withExchange("bitfinex", "tBTCUSD", bitfinex(times, 50), (source) =>
      Effect.gen(function* () {
        const result = yield* source.trades("timed", market, from(start, 400))
        assert.deepStrictEqual(ids(result), range(1, 150))
        assert.strictEqual(result.completeness, "incomplete")
      })
    )
  })

  it.live("are called incomplete when the newest page holds fewer than asked for", () =>
    withExchange(
      "bitfinex",
      "tBTCUSD",
      bitfinex(
        range(0, 99).map((index) => start + index),
        50
      ),
      (source) =>
        Effect.gen(function* () {
          const short = yield* source.trades("timed", market, latest(80))
          assert.deepStrictEqual([ids(short), short.completeness], [range(51, 100), "incomplete"])
          const enough = yield* source.trades("timed", market, latest(20))
          assert.deepStrictEqual([ids(enough), enough.completeness], [range(81, 100), "complete"])
        })
    )
  )

  it.live("whose ids have holes prove nothing", () =>
    withExchange(
      "bitfinex",
      "tBTCUSD",
      bitfinex(
        range(0, 99).map((index) => start + index),
        50,
        new Set([95])
      ),
      (source) =>
        Effect.gen(function* () {
          assert.strictEqual((yield* source.trades("timed", market, latest(20))).completeness, "unverifiable")
        })
    )
  )
})

/** hollaex's rows have no id. */
const hollaex =
  (rows: ReadonlyArray<readonly [time: number, size: string]>): Answer =>
  () =>
    json({
      "btc-usd": rows.map(([time, size]) => ({
        size,
        price: "20000.50",
        side: "sell",
        timestamp: new Date(time).toISOString()
      }))
    })

describe("trades of an exchange that shows a recent page only", () => {
  const rows = [
    [start + 3, "1"],
    [start + 2, "0.5"],
    [start + 2, "0.50"],
    [start + 2, "2"],
    [start, "3"]
  ] as const

  it.live("are in the order of the response, with stable ids made of their values", () =>
    withExchange("hollaex", "btc-usd", hollaex(rows), (source) =>
      Effect.gen(function* () {
        const result = yield* source.trades("timed", market, latest(4))
        assert.deepStrictEqual(
          result.trades.map(({ id, size }) => [id, size]),
          [
            [`${start + 2}-sell-20000.5-2-0`, "2"],
            [`${start + 2}-sell-20000.5-0.5-0`, "0.5"],
            [`${start + 2}-sell-20000.5-0.5-1`, "0.5"],
            [`${start + 3}-sell-20000.5-1-0`, "1"]
          ]
        )
        assert.strictEqual(result.completeness, "unverifiable")
        assert.deepStrictEqual(yield* source.trades("timed", market, latest(4)), result)
      })
    )
  )

  it.live("from a time within the page are not called incomplete, from a time before it they are", () =>
    withExchange("hollaex", "btc-usd", hollaex(rows), (source) =>
      Effect.gen(function* () {
        const within = yield* source.trades("timed", market, from(start + 1, 2))
        assert.deepStrictEqual(
          within.trades.map(({ size }) => size),
          ["2", "0.5"]
        )
        assert.strictEqual(within.completeness, "unverifiable")
        const before = yield* source.trades("timed", market, from(start - 1, 10))
        assert.deepStrictEqual([before.trades.length, before.completeness], [5, "incomplete"])
        const after = yield* source.trades("timed", market, from(start + 4, 10))
        assert.deepStrictEqual([after.trades.length, after.completeness], [0, "unverifiable"])
      })
    )
  )

  it.live("are short and incomplete when the page is shorter than asked for", () =>
    withExchange("hollaex", "btc-usd", hollaex(rows), (source) =>
      Effect.gen(function* () {
        const result = yield* source.trades("timed", market, latest(50))
        assert.deepStrictEqual([result.trades.length, result.completeness], [5, "incomplete"])
      })
    )
  )
})

describe("an exchange without the operation", () => {
  it.live("fails with the reason NotSupported", () =>
    withExchange(
      "coinspot",
      "btc",
      () => json({}),
      (source, stub) =>
        Effect.gen(function* () {
          assert.strictEqual((yield* Effect.flip(source.trades("timed", market, latest(1)))).reason, "NotSupported")
          assert.strictEqual((yield* Effect.flip(source.lastCandle("timed", market, "1h"))).reason, "NotSupported")
          for (const id of ["nowhere", "__proto__", "constructor"]) {
            const error = yield* Effect.flip(source.trades(id, market, latest(1)))
            assert.strictEqual(error.message, `There is no exchange "${id}".`)
          }
          assert.deepStrictEqual(stub.requests, [])
        })
    )
  )
})
