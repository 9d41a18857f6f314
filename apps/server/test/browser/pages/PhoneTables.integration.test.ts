import { assert, describe, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import type { Page } from "playwright-core"
import { chromiumPath, picture, step } from "../Chromium.ts"
import { openDemo, violations } from "../demo/DemoPage.ts"
import { DemoProgram } from "../demo/DemoProgram.ts"

/** Tables whose content is broader than the screen. */
const cut = `[...document.querySelectorAll("main .scroll")].filter((one) => one.scrollWidth > one.clientWidth + 1).length`

/** Cells with a label of their own for each stacked cell of the first row, except the first one. */
const labels = `[...document.querySelectorAll("main .stacked tbody tr:first-child td:not(:first-child)")].map(
  (cell) => getComputedStyle(cell, "::before").content)`

const decodeTexts = Schema.decodeUnknownEffect(Schema.Array(Schema.String))

const pagesOf = (pool: string) => ({
  "#/dex": "[data-pool]",
  [pool]: "[aria-label='Events, newest first'] tbody tr",
  "#/blocks": "[aria-label='Blocks, newest first'] tbody tr",
  "#/health": "[aria-label='Table of sources'] tbody tr"
})

const firstPool = (page: Page) =>
  step(() => page.locator("[data-pool] a").first().getAttribute("href")).pipe(Effect.map((href) => href ?? ""))

describe.skipIf(chromiumPath === undefined)("the tables of the demo on a phone (CHAINTAPE_CHROMIUM)", () => {
  layer(DemoProgram.layer, { excludeTestServices: true, timeout: "400 seconds" })((it) => {
    for (const [colorScheme, width] of [
      ["light", 360],
      ["dark", 480]
    ] as const)
      it.effect(
        `show every cell with its label, and stay tables: ${colorScheme}, ${width} px`,
        () =>
          Effect.gen(function* () {
            const { origin } = yield* DemoProgram
            const [demo] = yield* openDemo({ colorScheme, viewport: { width, height: 900 } })
            const { complaints, page } = demo ?? assert.fail("there is no page")
            yield* step(() => page.goto(`${origin}/#/dex`))
            yield* step(() => page.locator("[data-pool]").first().waitFor())
            for (const [hash, row] of Object.entries(pagesOf(yield* firstPool(page)))) {
              yield* step(() => page.goto(`${origin}/${hash}`))
              yield* step(() => page.locator(row).first().waitFor())
              assert.strictEqual(yield* step(() => page.evaluate(cut)), 0, `${hash} cuts a table`)
              const texts = yield* decodeTexts(yield* step(() => page.evaluate(labels)))
              assert.isAbove(texts.length, 3, hash)
              assert.isTrue(
                texts.every((text) => /^"[^"]+"$/.test(text)),
                texts.join()
              )
              assert.deepStrictEqual(yield* violations(page), [], hash)
              // A screen reader reads rows and cells, although they are no longer laid out as such.
              const cells = page.locator(row).first().getByRole("cell")
              assert.isAbove(yield* step(() => cells.count()), 4, hash)
              yield* picture(page, `demo-stacked-${hash.replaceAll(/\W+/g, "-").slice(0, 12)}-${colorScheme}-${width}`)
            }
            // The list is sorted by a heading above the rows.
            yield* step(() => page.goto(`${origin}/#/dex`))
            const volume = page.getByRole("button", { name: "Volume" }).first()
            yield* step(() => volume.press("Enter"))
            yield* step(() => page.locator("[aria-sort='descending']").getByText("Volume").waitFor())
            assert.deepStrictEqual(complaints, [])
          }).pipe(Effect.scoped),
        400_000
      )
  })
})
