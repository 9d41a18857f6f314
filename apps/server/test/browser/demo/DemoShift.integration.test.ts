import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { chromiumPath, openBrowser, step } from "../Chromium.ts"
import { grown } from "./DemoPage.ts"
import { DemoProgram } from "./DemoProgram.ts"

/** Sums up the layout shifts of a page, except those within half a second of an input. */
const observe = `(() => {
  window.shifted = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value
  }).observe({ type: "layout-shift", buffered: true })
})()`

interface Shown {
  /** An element that appears once the page is complete. */
  readonly complete: string
  /** A number that grows while the page is open, and by how much it is to grow. */
  readonly grows?: readonly [expression: string, by: number]
}

const pages: Readonly<Record<string, Shown>> = {
  "#/market": {
    complete: ".day dd",
    grows: ["Date.parse(document.querySelector('.tape tbody time')?.dateTime ?? 0)", 8000]
  },
  "#/dex": { complete: ".plot path" },
  "#/blocks": { complete: "main tbody tr", grows: ["Number(document.querySelector('[data-head]')?.dataset.head)", 8] },
  "#/health": { complete: "[data-bar]" }
}

const max = 0.05

describe.skipIf(chromiumPath === undefined)("the layout of the demo (CHAINTAPE_CHROMIUM)", () => {
  layer(DemoProgram.layer, { excludeTestServices: true, timeout: "400 seconds" })((it) => {
    for (const width of [1280, 360])
      it.effect(
        `stays where it is while a page loads and while it is alive: ${width} px`,
        () =>
          Effect.gen(function* () {
            const { key, origin } = yield* DemoProgram
            const context = yield* openBrowser({ viewport: { width, height: 900 } })
            yield* step(() => context.addInitScript(observe))
            yield* step(() => context.addInitScript(`sessionStorage.setItem("chaintape-key", "${key}")`))
            const found: Array<readonly [string, number]> = []
            for (const [hash, { complete, grows }] of Object.entries(pages)) {
              const page = yield* step(() => context.newPage())
              yield* step(() => page.goto(`${origin}/${hash}`))
              yield* step(() => page.locator(complete).first().waitFor())
              if (grows !== undefined) yield* grown(page, ...grows)
              // Shifts are reported after the frame in which they happen.
              yield* step(() =>
                page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
              )
              found.push([hash, Number(yield* step(() => page.evaluate("window.shifted")))])
              yield* step(() => page.close())
            }
            yield* Effect.logInfo(found.map(([hash, shift]) => `${hash} ${shift.toFixed(4)}`).join(", "))
            assert.deepStrictEqual(
              found.filter(([, shift]) => shift >= max),
              []
            )
          }).pipe(Effect.scoped),
        400_000
      )
  })
})
