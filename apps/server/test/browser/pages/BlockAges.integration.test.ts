import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { chromiumPath, openBrowser, picture, step } from "../Chromium.ts"
import { goTo, reached, violations } from "../demo/DemoPage.ts"
import { DemoProgram } from "../demo/DemoProgram.ts"
import { makeDoor } from "../Door.ts"

/** The seconds of an age, such as `12 s ago`. */
const seconds = (selector: string) =>
  `Number(document.querySelector(${JSON.stringify(selector)})?.innerText.split(" s")[0])`

const firstRow = "tbody tr:first-child td.age"

describe.skipIf(chromiumPath === undefined)("the age of blocks (CHAINTAPE_CHROMIUM)", () => {
  layer(DemoProgram.layer, { excludeTestServices: true, timeout: "400 seconds" })((it) => {
    for (const [colorScheme, width] of [
      ["light", 1280],
      ["dark", 360]
    ] as const)
      it.effect(
        `ticks while no block arrives: ${colorScheme}, ${width} px`,
        () =>
          Effect.gen(function* () {
            const { key, origin } = yield* DemoProgram
            const door = yield* makeDoor(origin)
            const context = yield* openBrowser({ colorScheme, viewport: { width, height: 900 } })
            const page = yield* step(() => context.newPage())
            yield* step(() => page.goto(`${door.origin}/#key=${key}`))
            yield* goTo(page, "Blocks")
            yield* step(() => page.locator("td.age time").nth(23).waitFor())
            yield* picture(page, `demo-ages-${colorScheme}-${width}`)
            assert.deepStrictEqual(yield* violations(page), [])
            const ages = yield* step(() => page.locator("td.age").allInnerTexts())
            assert.isTrue(
              ages.every((age) => /^\d+ (s|min) ago$/.test(age)),
              ages.join()
            )
            const pauses = yield* step(() => page.locator("[data-label='Since previous']").allInnerTexts())
            assert.isTrue(
              pauses.every((pause) => /^\d+ s$/.test(pause)),
              pauses.join()
            )
            assert.match(yield* step(() => page.locator("[data-pause]").innerText()), /^[\d.]+ s$/)
            // From here on only the clock of the page changes.
            yield* door.setOpen(false)
            yield* step(() => page.locator("[data-old]").waitFor())
            const before = Number(yield* step(() => page.evaluate(seconds("[data-age]"))))
            yield* reached(page, seconds("[data-age]"), before + 3)
            yield* reached(page, seconds(firstRow), before + 3)
          }).pipe(Effect.scoped),
        400_000
      )
  })
})
