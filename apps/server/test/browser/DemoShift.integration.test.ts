import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { chromiumPath, openBrowser, step } from "./Chromium.ts"
import { DemoProgram } from "./DemoProgram.ts"

/** Sums up the layout shifts of a page, except those within half a second of an input. */
const observe = `(() => {
  window.shifted = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value
  }).observe({ type: "layout-shift", buffered: true })
})()`

/** Each address, and an element that appears once the page is complete. */
const pages = {
  "#/market": ".day dd",
  "#/dex": ".plot path",
  "#/blocks": "main tbody tr",
  "#/health": "[data-bar]"
} as const

const most = 0.05

describe.skipIf(chromiumPath === undefined)("the layout of the demo (CHAINTAPE_CHROMIUM)", () => {
  layer(DemoProgram.layer, { excludeTestServices: true, timeout: "400 seconds" })((it) => {
    for (const width of [1280, 360])
      it.effect(
        `stays where it is while a page loads: ${width} px`,
        () =>
          Effect.gen(function* () {
            const { key, origin } = yield* DemoProgram
            const context = yield* openBrowser({ viewport: { width, height: 900 } })
            yield* step(() => context.addInitScript(observe))
            yield* step(() => context.addInitScript(`sessionStorage.setItem("chaintape-key", "${key}")`))
            const found: Array<readonly [string, number]> = []
            for (const [hash, selector] of Object.entries(pages)) {
              const page = yield* step(() => context.newPage())
              yield* step(() => page.goto(`${origin}/${hash}`))
              yield* step(() => page.locator(selector).first().waitFor())
              // Shifts are reported after the frame in which they happen.
              yield* step(() =>
                page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
              )
              found.push([hash, Number(yield* step(() => page.evaluate("window.shifted")))])
              yield* step(() => page.close())
            }
            yield* Effect.logInfo(found.map(([hash, shift]) => `${hash} ${shift.toFixed(4)}`).join(", "))
            assert.deepStrictEqual(
              found.filter(([, shift]) => shift >= most),
              []
            )
          }).pipe(Effect.scoped),
        400_000
      )
  })
})
