import { assert, describe, it } from "@effect/vitest"
import { createElement } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { CandlePrices } from "../../src/chart/Legend.tsx"

const candle = { start: 0, open: 1.5, high: 1.55, low: 0.000_001_234_567_8, close: 3.2, volume: 1, isProven: true }

const render = (priceAs: "grouped" | "price") =>
  renderToStaticMarkup(
    createElement(CandlePrices, { candle, decimals: 1, priceAs, toClaim: () => assert.fail("No proof is opened.") })
  )

describe("the legend of a chart", () => {
  it("shows every digit of the price of a trade, and a computed price to six digits", () => {
    assert.include(render("grouped"), '<span class="num" title="1.55">1.55</span>')
    assert.include(render("grouped"), '<span class="num" title="3.2">3.2</span>')
    assert.include(render("price"), '<span class="num" title="0.0000012345678">0.00000123457</span>')
  })
})
