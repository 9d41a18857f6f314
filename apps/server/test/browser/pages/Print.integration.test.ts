import { assert, describe, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import type { Page } from "playwright-core"
import { chromiumPath, step } from "../Chromium.ts"
import { goTo, openDemo } from "../demo/DemoPage.ts"
import { DemoProgram } from "../demo/DemoProgram.ts"

const decodeWidths = Schema.decodeUnknownEffect(
  Schema.Struct({ picture: Schema.Finite, chart: Schema.Finite, live: Schema.Finite })
)

/** The widths of the picture of the chart, of its element, and of the chart of the window, which is not shown. */
const readWidths = (page: Page) =>
  step(() =>
    page.evaluate(`(() => {
      const width = (selector) => document.querySelector(selector)?.getBoundingClientRect().width ?? 0
      return { picture: width("canvas.printed"), chart: width(".chart"), live: width(".canvas > div") }
    })()`)
  ).pipe(Effect.flatMap(decodeWidths))

/** The width of A4 within the margins of the browser (pixels). */
const paper = 718

/** Lays a page out as on paper. */
const layOut = Effect.fnUntraced(function* (page: Page) {
  yield* step(() => page.emulateMedia({ media: "print" }))
  yield* step(() => page.setViewportSize({ width: paper, height: 1000 }))
})

/** The elements that are broader than their place, and the tape if it cuts its rows. */
const readCut = (page: Page) =>
  step(() =>
    page.evaluate(`[...document.querySelectorAll("html, .scroll, .recorded")]
      .filter((one) => one.scrollWidth > one.clientWidth || (one.matches(".tape") && one.scrollHeight > one.clientHeight))
      .map((one) => one.tagName + " " + one.className)`)
  )

describe.skipIf(chromiumPath === undefined)("a printed page (CHAINTAPE_CHROMIUM)", () => {
  layer(DemoProgram.layer, { excludeTestServices: true, timeout: "400 seconds" })((it) => {
    it.effect(
      "of a market has the whole chart, every listed trade and every recorded market",
      () =>
        Effect.gen(function* () {
          const [demo] = yield* openDemo({ viewport: { width: 1600, height: 900 } })
          const { complaints, page } = demo ?? assert.fail("there is no page")
          yield* step(() => page.locator(".chart canvas").first().waitFor())
          yield* step(() =>
            page.evaluate(`window.addEventListener("beforeprint", () => {
              window.pictures = document.querySelectorAll(".chart canvas.printed").length
            })`)
          )
          yield* step(() => page.pdf({ format: "A4" }))
          assert.strictEqual(yield* step(() => page.evaluate("window.pictures")), 1)
          yield* step(() => page.locator("canvas.printed").waitFor({ state: "detached" }))

          yield* step(() => page.evaluate(`window.dispatchEvent(new Event("beforeprint"))`))
          yield* layOut(page)
          const { chart, live, picture } = yield* readWidths(page)
          assert.strictEqual(live, 0)
          assert.isAbove(picture, 600)
          assert.isAtMost(picture, chart)
          assert.deepStrictEqual(yield* readCut(page), [])
          assert.deepStrictEqual(complaints, [])
        }).pipe(Effect.scoped),
      300_000
    )

    it.effect(
      "of a pool and of the status has every column of its tables",
      () =>
        Effect.gen(function* () {
          const { origin } = yield* DemoProgram
          const [demo] = yield* openDemo({ viewport: { width: 1600, height: 900 } })
          const { page } = demo ?? assert.fail("there is no page")
          yield* goTo(page, "DEX")
          yield* step(() => page.locator("[data-pool] a").first().click())
          yield* step(() => page.getByRole("region", { name: "Events, newest first" }).waitFor())
          yield* layOut(page)
          assert.deepStrictEqual(yield* readCut(page), [])
          yield* step(() => page.goto(`${origin}/status`))
          yield* step(() => page.getByText("Recordings").first().waitFor())
          assert.deepStrictEqual(yield* readCut(page), [])
        }).pipe(Effect.scoped),
      300_000
    )
  })
})
