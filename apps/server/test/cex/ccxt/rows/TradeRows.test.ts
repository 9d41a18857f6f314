import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { compareIds, decodeTrades } from "../../../../src/cex/ccxt/rows/TradeRows.ts"

const now = Date.UTC(2026, 0, 1)
const symbol = "BTC/USD"

const row = (id: string | undefined, timestamp: number, size = "1") => ({
  parsed: { id, symbol, timestamp, price: "2", amount: size, side: "buy" },
  raw: {}
})

const ids = (rows: ReadonlyArray<ReturnType<typeof row>>) =>
  Result.getOrThrow(decodeTrades(rows, { symbol, now })).trades.map(({ id }) => id)

const Ids = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2000 })))

describe("decodeTrades", () => {
  it("orders integer ids of one millisecond as integers", () => {
    assert.deepStrictEqual(ids(["10", "100", "11", "9", "99"].map((id) => row(id, now))), [
      "9",
      "10",
      "11",
      "99",
      "100"
    ])
  })

  it.prop("orders by time, then by integer id, each id once, whatever the order of the wire", [Ids], ([given]) => {
    const getTime = (id: number) => now - 1000 + Math.floor(id / 50)
    const expected = [...new Set(given)].sort((left, right) => left - right).map(String)
    assert.deepStrictEqual(
      ids([...given].map((id) => row(String(id), getTime(id)))),
      given.length === 0 ? [] : expected
    )
  })

  it("has other ids in the order of the response, reversed if the page is newest first", () => {
    assert.deepStrictEqual(ids([row("b", now), row("a", now), row("c", now - 1)]), ["c", "a", "b"])
    assert.deepStrictEqual(ids([row("c", now - 1), row("b", now), row("a", now)]), ["c", "b", "a"])
  })

  it("uses the first of two rows with one id that differ, in the order of the page, and counts the other", () => {
    const [first, second] = [row("2", now, "3"), row("2", now, "4")]
    const conflicting = { conflicts: 1, sizes: ["1", "3"] }
    const readRows = (rows: ReadonlyArray<typeof first>) => {
      const { conflicts, trades } = Result.getOrThrow(decodeTrades(rows, { symbol, now }))
      return { conflicts, sizes: trades.map(({ size }) => size) }
    }
    assert.deepStrictEqual(readRows([row("1", now - 1), first, second]), conflicting)
    assert.deepStrictEqual(readRows([first, second, row("1", now - 1)]), conflicting)
    assert.deepStrictEqual(readRows([first, row("2", now, "3.0"), row("1", now - 1)]), { ...conflicting, conflicts: 0 })
  })

  it("distinguishes equal trades without an id, and gives each the same id in every read", () => {
    const rows = [row(undefined, now), row(undefined, now), row(undefined, now, "1.0"), row(undefined, now, "3")]
    assert.deepStrictEqual(ids(rows), [`${now}-buy-2-1-0`, `${now}-buy-2-1-1`, `${now}-buy-2-1-2`, `${now}-buy-2-3-0`])
  })

  it("names what a bad row lacks, and never repeats what the exchange sent", () => {
    const fault = (parsed: object) => {
      const rows = [{ parsed: { ...row("1", now).parsed, ...parsed }, raw: {} }]
      return Result.getOrThrow(Result.flip(decodeTrades(rows, { symbol, now })))
    }
    assert.strictEqual(fault({ side: undefined }), 'a trade has no valid "side"')
    assert.strictEqual(fault({ amount: undefined }), 'a trade has no valid "size"')
    assert.strictEqual(fault({ id: "<html>".repeat(1000) }), 'a trade has no valid "id"')
    for (const id of ["a\u0000", "\ud800", "1\u202e2", "1\u200b", "\u009b2J", "\ue000", "1\u2028"]) {
      assert.strictEqual(fault({ id }), 'a trade has no valid "id"')
    }
    const tiny = `0.${"0".repeat(330)}1`
    for (const values of [{ price: "1e400" }, { amount: tiny }, { price: "1e200", amount: "1e200" }]) {
      assert.include(fault(values), "outside of the range of numbers")
    }
  })

  it("leaves out the rows of other markets", () => {
    const other = { ...row("1", now), parsed: { ...row("1", now).parsed, symbol: "ETH/USD" } }
    assert.deepStrictEqual(ids([other, row("2", now)]), ["2"])
    assert.isTrue(Result.isFailure(decodeTrades([other], { symbol, now })))
  })

  it("allows for a clock that is a minute behind", () => {
    assert.deepStrictEqual(ids([row("1", now + 60_000)]), ["1"])
    const late = [row("1", now + 60_001)]
    assert.isTrue(Result.isFailure(decodeTrades(late, { symbol, now })))
  })
})

describe("compareIds", () => {
  const Digits = Schema.String.check(Schema.isPattern(/^[0-9]{1,40}$/))

  it.prop("orders as integers of any length", [Digits, Digits], ([left, right]) => {
    const [a, b] = [BigInt(left), BigInt(right)]
    assert.strictEqual(Math.sign(compareIds(left, right)), a < b ? -1 : a > b ? 1 : 0)
  })
})
