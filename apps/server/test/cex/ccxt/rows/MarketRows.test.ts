import { assert, describe, it } from "@effect/vitest"
import { indexMarkets, marketKey } from "../../../../src/cex/ccxt/rows/MarketRows.ts"

const spot = { symbol: "BTC/USD", base: "BTC", quote: "USD", spot: true }
const swap = {
  symbol: "BTC/USD:USD",
  base: "BTC",
  quote: "USD",
  settle: "USD",
  swap: true,
  linear: true,
  contractSize: "1"
}

describe("Markets", () => {
  it("finds a market by base and quote in any letter case", () => {
    const index = indexMarkets([{ symbol: "kPEPE/USDe", base: "kPEPE", quote: "USDe" }, spot])
    assert.strictEqual(index?.get(marketKey({ base: "KPEPE", quote: "USDE" }))?.symbol, "kPEPE/USDe")
    assert.strictEqual(index?.get(marketKey({ base: "btc", quote: "usd" }))?.symbol, "BTC/USD")
  })

  it("prefers spot, and takes a perpetual swap of whole units where there is no spot", () => {
    assert.strictEqual(indexMarkets([swap, spot])?.get("BTC/USD")?.symbol, "BTC/USD")
    assert.strictEqual(indexMarkets([swap])?.get("BTC/USD")?.symbol, "BTC/USD:USD")
  })

  it("skips a contract whose cost is not price times size", () => {
    for (const other of [{ contractSize: "0.01" }, { linear: false }, { settle: "BTC" }, { swap: false }]) {
      assert.strictEqual(indexMarkets([{ ...swap, ...other }])?.get("BTC/USD"), undefined)
    }
  })

  it("lists base and quote in upper case, inactive only where the exchange says so", () => {
    const listed = ["a", "b", "c", "d"].map((base, at) => ({
      symbol: `${base}/usd`,
      base,
      quote: "usd",
      ...[{ active: true }, { active: false }, { active: null }, {}][at]
    }))
    assert.deepStrictEqual(
      [...(indexMarkets(listed)?.values() ?? [])].map(({ active, base, quote }) => [base, quote, active]),
      [
        ["A", "USD", true],
        ["B", "USD", false],
        ["C", "USD", true],
        ["D", "USD", true]
      ]
    )
  })

  it("is undefined if no row is a market", () => {
    assert.isUndefined(indexMarkets([]))
    assert.isUndefined(indexMarkets([null, "<html>", { symbol: undefined }]))
    assert.strictEqual(indexMarkets([null, spot])?.size, 1)
  })
})
