import {
  candleEnd,
  Decimal,
  isCandleClosed,
  Market,
  signedSize,
  Timeframe,
  timeframeSeconds,
  timeframeStart
} from "@chaintape/core"
import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"

const millis = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 4_102_444_800_000 }))
const later = (time: DateTime.Utc, milliseconds: number) => DateTime.add(time, { milliseconds })

describe("a market", () => {
  it.prop("is made of its base and its quote", [Market], ([market]) => {
    const [base, quote] = [Market.base(market), Market.quote(market)]
    assert.strictEqual(`${base}/${quote}`, market)
    // Some letters have another upper case, or a longer one, once they are in lower case.
    const lower = base.toLowerCase()
    if (lower.toUpperCase() !== base.toUpperCase()) return
    assert.strictEqual(Market.make(`${lower}/${quote}`), Market.make(market))
  })

  it.each([
    ["", "USD"],
    ["BTC", "US D"],
    ["BTC/X", "USD"],
    ["BTC", "USD-PERP"]
  ])("is not made of %o and %o", (base, quote) => {
    assert.throws(() => Market.make(`${base}/${quote}`))
  })
})

describe("the start of a timeframe", () => {
  it.prop("is at or before the time, by less than the timeframe, and its own start", [Timeframe, millis], (drawn) => {
    const [timeframe, ms] = drawn
    const time = DateTime.makeUnsafe(ms)
    const start = timeframeStart(timeframe, time)
    const past = ms - DateTime.toEpochMillis(start)
    assert.isTrue(past >= 0 && past < timeframeSeconds[timeframe] * 1000)
    assert.strictEqual(DateTime.toEpochMillis(start) % (timeframeSeconds[timeframe] * 1000), 0)
    assert.deepStrictEqual(timeframeStart(timeframe, start), start)
  })

  it("is the start of the UTC day, in any time zone of the given time", () => {
    const time = DateTime.makeZonedUnsafe("2026-11-21T23:30:00Z", { timeZone: "Asia/Tokyo" })
    assert.strictEqual(DateTime.formatIso(timeframeStart("1d", time)), "2026-11-21T00:00:00.000Z")
  })
})

describe("a candle", () => {
  it.prop("ends where the next one starts, and is closed ten seconds later", [Timeframe, millis], ([timeframe, ms]) => {
    const candle = { timeframe, openTime: timeframeStart(timeframe, DateTime.makeUnsafe(ms)) }
    const end = candleEnd(candle)
    assert.deepStrictEqual(timeframeStart(timeframe, end), end)
    assert.deepStrictEqual(timeframeStart(timeframe, later(end, -1)), candle.openTime)
    assert.isFalse(isCandleClosed(candle, later(end, 9999)))
    assert.isTrue(isCandleClosed(candle, later(end, 10_000)))
    // Of the client without Effect.
    const plain = { ...candle, openTime: DateTime.toDateUtc(candle.openTime) }
    assert.deepStrictEqual(candleEnd(plain), end)
    assert.isFalse(isCandleClosed(plain, DateTime.toDateUtc(end)))
    assert.isTrue(isCandleClosed(plain, DateTime.toDateUtc(later(end, 10_000))))
  })
})

describe("the signed size of a trade", () => {
  it("adds what the taker bought and takes away what the taker sold", () => {
    const size = Decimal.make("0.50")
    assert.strictEqual(signedSize({ side: "buy", size }), size)
    assert.strictEqual(signedSize({ side: "sell", size }), Decimal.make("-0.50"))
  })
})
