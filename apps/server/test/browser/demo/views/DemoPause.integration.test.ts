import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Locator, Page } from "playwright-core"
import { chromiumPath, step } from "../../Chromium.ts"
import { goTo, grown, openDemo } from "../DemoPage.ts"
import { DemoProgram } from "../DemoProgram.ts"

const newestBlock = "Number(document.querySelector('[data-head]').dataset.head)"

/** Drags the mouse from a cell of one row to a cell of the next, and away. */
const select = Effect.fnUntraced(function* (page: Page, rows: Locator, from: number, to: number) {
  const boxOf = (row: number, cell: number) => step(() => rows.nth(row).locator("td").nth(cell).boundingBox())
  const [first, last] = [yield* boxOf(2, from), yield* boxOf(3, to)]
  if (first === null || last === null) return assert.fail("there are no rows")
  yield* step(() => page.mouse.move(first.x + 4, first.y + first.height / 2))
  yield* step(() => page.mouse.down())
  yield* step(() => page.mouse.move(last.x + last.width - 4, last.y + last.height / 2, { steps: 5 }))
  yield* step(() => page.mouse.up())
  yield* step(() => page.mouse.move(1, 1))
})

const selected = (page: Page) =>
  Effect.map(
    step(() => page.evaluate("String(getSelection())")),
    String
  )

describe.skipIf(chromiumPath === undefined)("a live list of the demo (CHAINTAPE_CHROMIUM)", () => {
  layer(DemoProgram.layer, { excludeTestServices: true, timeout: "400 seconds" })((it) => {
    it.effect(
      "returns the focus to the figure whose proof was open, while time has passed",
      () =>
        Effect.gen(function* () {
          const [demo] = yield* openDemo()
          const { page } = demo ?? assert.fail("there is no page")
          yield* goTo(page, "Blocks")
          yield* step(() => page.locator("main tbody tr").nth(5).waitFor())
          const figure = page.locator("main tbody tr").nth(4).locator("button.proven")
          yield* step(() => page.keyboard.press("Tab"))
          yield* step(() => figure.focus())
          yield* step(() => page.keyboard.press("Enter"))
          const title = yield* step(() => page.getByRole("dialog").getByRole("heading", { level: 2 }).innerText())
          yield* grown(page, newestBlock, 2)
          yield* step(() => page.keyboard.press("Escape"))
          yield* step(() => page.getByRole("dialog").waitFor({ state: "detached" }))
          const row = "document.activeElement.closest('tr').querySelector('td').textContent"
          assert.strictEqual(title, `Proof: block ${String(yield* step(() => page.evaluate(row)))}`)
          // The list continues once the focus leaves it.
          yield* step(() => page.getByRole("link", { name: "Health" }).focus())
          yield* step(() => page.locator("[data-paused]").waitFor({ state: "detached" }))
        }).pipe(Effect.scoped),
      400_000
    )

    it.effect(
      "keeps what is selected until it is not any more, but not when another list is chosen",
      () =>
        Effect.gen(function* () {
          const [demo] = yield* openDemo({ viewport: { width: 1440, height: 900 } })
          const { page } = demo ?? assert.fail("there is no page")
          yield* goTo(page, "Blocks")
          yield* step(() => page.locator("main tbody tr").nth(5).waitFor())
          yield* select(page, page.locator("main tbody tr"), 1, 1)
          const [, gas] = (yield* selected(page))
            .split("\t")
            .map((text) => text.trim())
            .filter((text) => /,/.test(text))
          assert.isDefined(gas)
          yield* grown(page, newestBlock, 2)
          assert.include(yield* selected(page), gas)
          yield* step(() => page.evaluate("getSelection().empty()"))
          yield* step(() => page.locator("[data-paused]").waitFor({ state: "detached" }))

          yield* goTo(page, "DEX")
          yield* step(() => page.locator("[data-pool] a").first().click())
          const events = page.getByRole("region", { name: "Events, newest first" })
          yield* step(() => events.locator("tbody tr").nth(5).waitFor())
          yield* select(page, events.locator("tbody tr"), 0, 0)
          yield* step(() => page.locator("[data-paused]").waitFor())
          yield* step(() => page.getByRole("button", { name: "mints" }).click())
          yield* step(() => events.getByText("swap", { exact: false }).first().waitFor({ state: "detached" }))
        }).pipe(Effect.scoped),
      400_000
    )
  })
})
