import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { renderCatalog } from "../../../../scripts/catalog.ts"
import { catalogExchange, catalogExchanges } from "../../../../src/cex/ccxt/catalog/Catalog.ts"

const withAll = (labels: ReadonlyArray<string>) =>
  catalogExchanges.filter(({ aggregateTimeframes }) => labels.every((label) => label in aggregateTimeframes)).length

describe("Catalog", () => {
  it("is what the installed ccxt describes", async () => {
    const file = readFileSync(new URL("../../../../src/cex/ccxt/catalog/catalog.json", import.meta.url), "utf8")
    assert.strictEqual(file, await renderCatalog())
  })

  it("holds every exchange once, in the order of ids", () => {
    const ids = catalogExchanges.map(({ id }) => id)
    assert.strictEqual(ids.length, 104)
    assert.deepStrictEqual(ids, [...new Set(ids)].sort())
  })

  it("states which exchanges provide trades and candles without a key", () => {
    assert.strictEqual(catalogExchanges.filter(({ hasTrades }) => hasTrades).length, 96)
    assert.strictEqual(catalogExchanges.filter(({ hasAggregates }) => hasAggregates).length, 89)
    assert.strictEqual(withAll(["1m", "5m", "15m", "1h", "6h", "1d"]), 88)
    for (const id of ["coinspot", "hyperliquid", "p2b"]) assert.isFalse(catalogExchange(id)?.hasTrades)
  })

  it("separates timeframes in seconds from the labels of ccxt", () => {
    assert.deepStrictEqual(catalogExchange("backpack")?.aggregateTimeframes, {
      "1m": 60,
      "5m": 300,
      "15m": 900,
      "1h": 3600,
      "6h": 21_600,
      "1d": 86_400
    })
    assert.strictEqual(catalogExchange("backpack")?.adapter.frames["900"], "15")
    assert.deepStrictEqual(catalogExchange("mercado")?.aggregateTimeframes, {
      "15m": 900,
      "1h": 3600,
      "6h": 21_600,
      "1d": 86_400
    })
  })

  it("has plain country codes", () => {
    assert.deepStrictEqual(catalogExchange("foxbit")?.countries, ["BR"])
    for (const { countries } of catalogExchanges) for (const code of countries) assert.match(code, /^[A-Z]{2}$/)
  })

  it.each([
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "",
    "Kraken",
    "../base/Exchange",
    "binancePrediction"
  ])("knows no exchange %j", (id) => {
    assert.isUndefined(catalogExchange(id))
  })
})
