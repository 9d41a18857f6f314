import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { chromiumPath, picture, step } from "../Chromium.ts"
import { openDemo } from "../demo/DemoPage.ts"
import { DemoProgram } from "../demo/DemoProgram.ts"

/** The background that the browser draws for an element. */
const background = (page: Page, selector: string) =>
  step(() => page.evaluate(`getComputedStyle(document.querySelector("${selector}")).backgroundColor`))

describe.skipIf(chromiumPath === undefined)("the demo in the colors of the system (CHAINTAPE_CHROMIUM)", () => {
  layer(DemoProgram.layer, { excludeTestServices: true, timeout: "400 seconds" })((it) => {
    it.effect(
      "shows which timeframe is chosen, which view is open and which suggestion is the current one",
      () =>
        Effect.gen(function* () {
          const [demo] = yield* openDemo({ forcedColors: "active" })
          const { page } = demo ?? assert.fail("there is no page")
          const canvas = yield* background(page, "body")
          yield* step(() => page.keyboard.press("/"))
          yield* step(() => page.keyboard.type("usd"))
          yield* step(() => page.getByRole("option").nth(1).waitFor())
          yield* picture(page, "demo-forced-colors")
          for (const chosen of ["nav [aria-current=page]", ".candles [aria-pressed=true]", "[aria-selected=true]"])
            assert.notStrictEqual(yield* background(page, chosen), canvas, chosen)
        }).pipe(Effect.scoped),
      400_000
    )
  })
})
