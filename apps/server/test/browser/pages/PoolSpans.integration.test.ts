import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { chromiumPath, picture, step } from "../Chromium.ts"
import { goTo, openDemo, violations } from "../demo/DemoPage.ts"
import { DemoProgram } from "../demo/DemoProgram.ts"

const dayMs = 86_400_000
const recentMs = 20_000

/** The chain of the sandbox is minutes old: a block of 24 h ago becomes one of 20 s ago. One of 7 d ago stays absent. */
const shortenDays = (page: Page) =>
  step(() =>
    page.route(/\/v2\/blocks\/[^?]*\?(.*&)?to=/, (route) => {
      const url = new URL(route.request().url())
      url.searchParams.set("to", String(Number(url.searchParams.get("to")) + dayMs - recentMs))
      return route.continue({ url: url.href })
    })
  )

const cell = (page: Page, name: string) =>
  step(() => page.locator(`[data-span="${name}"]`).innerText()).pipe(Effect.map((text) => text.trim()))

describe.skipIf(chromiumPath === undefined)("the last day and week of pools and tokens (CHAINTAPE_CHROMIUM)", () => {
  layer(DemoProgram.layer, { excludeTestServices: true, timeout: "400 seconds" })((it) => {
    it.effect(
      "are not known where the chain is younger",
      () =>
        Effect.gen(function* () {
          const [demo] = yield* openDemo({ viewport: { width: 1280, height: 900 } })
          const { complaints, page } = demo ?? assert.fail("there is no page")
          yield* goTo(page, "DEX")
          yield* step(() => page.locator("[data-pool] a").first().click())
          yield* step(() => page.locator("[data-span]").first().waitFor())
          const texts = yield* step(() => page.locator("[data-span]").allInnerTexts())
          assert.deepStrictEqual([texts.length, new Set(texts)], [12, new Set(["not known"])])
          yield* step(() => page.getByText("this service has no state of it that long ago").waitFor())
          assert.deepStrictEqual(complaints, [])
        }).pipe(Effect.scoped),
      400_000
    )

    for (const [colorScheme, width] of [
      ["light", 1280],
      ["dark", 360]
    ] as const)
      it.effect(
        `are differences of totals, of which each opens its proof: ${colorScheme}, ${width} px`,
        () =>
          Effect.gen(function* () {
            const [demo] = yield* openDemo({ colorScheme, viewport: { width, height: 900 } })
            const { complaints, page } = demo ?? assert.fail("there is no page")
            yield* shortenDays(page)
            yield* goTo(page, "DEX")
            yield* step(() => page.locator("[data-pool] a").first().click())
            yield* step(() => page.locator("[data-span='volume 24 h'] button").waitFor())
            assert.match(yield* cell(page, "volume 24 h"), /^\$[\d.]+[KM]?$/)
            assert.match(yield* cell(page, "fees 24 h"), /^\$[\d.]+[KM]?$/)
            assert.match(yield* cell(page, "locked 24 h"), /^[+-]?\$[\d.]+[KM]?$/)
            assert.match(yield* cell(page, "apr 24 h"), /^[\d.,]+%$/)
            assert.strictEqual(yield* cell(page, "apr 7 d"), "not known")
            yield* picture(page, `demo-spans-${colorScheme}-${width}`)
            assert.deepStrictEqual(yield* violations(page), [])
            const wide = yield* step(() => page.evaluate("document.documentElement.scrollWidth"))
            assert.isAtMost(Number(wide), width)

            yield* step(() => page.locator("[data-span='volume 24 h'] button").press("Enter"))
            yield* step(() => page.locator("[data-verdict='proven']").waitFor())
            const values = yield* step(() => page.locator("[data-exact]").allInnerTexts())
            const [volume, before, after] = values.map(Number)
            assert.lengthOf(values, 3)
            assert.approximately(Number(volume), Number(after) - Number(before), 1e-6)
            yield* step(() => page.keyboard.press("Escape"))

            yield* step(() => page.locator("p.pair a").first().click())
            yield* step(() => page.locator("[data-token]").waitFor())
            yield* step(() => page.locator("[data-span='volume 24 h'] button").waitFor())
            assert.strictEqual(yield* step(() => page.locator("[data-span^='apr']").count()), 0)
            assert.deepStrictEqual(complaints, [])
          }).pipe(Effect.scoped),
        400_000
      )
  })
})
