import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { chromiumPath, step } from "../Chromium.ts"
import { goTo, openDemo, reached } from "../demo/DemoPage.ts"
import { DemoProgram } from "../demo/DemoProgram.ts"

const position = (page: Page) =>
  Effect.map(
    step(() => page.evaluate("window.scrollY")),
    Number
  )

const frames = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"

/** Scrolls, and waits until the entry of the history has the position. */
const scroll = Effect.fnUntraced(function* (page: Page, by: number) {
  yield* step(() => page.evaluate(`window.scrollBy(0, ${by})`))
  yield* reached(page, "Number(window.scrollY > 0 && window.history.state === window.scrollY)", 1)
  return yield* position(page)
})

const focused = (page: Page) =>
  Effect.map(
    step(() => page.evaluate("document.activeElement.getAttribute('aria-label')")),
    String
  )

describe.skipIf(chromiumPath === undefined)("the position in a page of the demo (CHAINTAPE_CHROMIUM)", () => {
  layer(DemoProgram.layer, { excludeTestServices: true, timeout: "400 seconds" })((it) => {
    it.effect(
      "is the top of a page that a link opens, and that where it was left after Back, Forward and a reload",
      () =>
        Effect.gen(function* () {
          const [demo] = yield* openDemo({ viewport: { width: 1280, height: 500 } })
          const { complaints, page } = demo ?? assert.fail("there is no page")
          yield* goTo(page, "Blocks")
          yield* step(() => page.locator("main tbody tr").nth(20).waitFor())
          yield* scroll(page, 600)
          yield* step(() => page.locator("main tbody tr").nth(12).getByRole("link").focus())
          const left = yield* scroll(page, 0)
          yield* step(() => page.keyboard.press("Enter"))
          yield* step(() => page.locator("[data-hash]").waitFor())
          assert.strictEqual(yield* position(page), 0)
          assert.match(yield* focused(page), /^Block \d+ · devnet · Blocks · Chaintape$/)
          yield* step(() => page.goBack())
          yield* reached(page, "window.scrollY", left)
          yield* step(() => page.reload())
          yield* reached(page, "window.scrollY", left)
          assert.strictEqual(yield* position(page), left)
          yield* step(() => page.goForward())
          yield* step(() => page.locator("[data-hash]").waitFor())
          yield* step(() => page.evaluate(frames))
          assert.strictEqual(yield* position(page), 0)
          assert.deepStrictEqual(complaints, [])
        }).pipe(Effect.scoped),
      400_000
    )

    it.effect(
      "is in a page that takes the focus after a key, without an outline around it",
      () =>
        Effect.gen(function* () {
          const [demo] = yield* openDemo()
          const { page } = demo ?? assert.fail("there is no page")
          yield* step(() => page.getByRole("link", { name: "DEX", exact: true }).press("Enter"))
          yield* step(() => page.locator("main:focus").waitFor())
          assert.strictEqual(
            yield* step(() => page.evaluate(`getComputedStyle(document.activeElement).outlineStyle`)),
            "none"
          )
        }).pipe(Effect.scoped),
      300_000
    )

    it.effect(
      "is in the list of events when its button for older ones is gone",
      () =>
        Effect.gen(function* () {
          const [demo] = yield* openDemo()
          const { page } = demo ?? assert.fail("there is no page")
          // There are no more than 30 events.
          yield* step(() =>
            page.route(/\/pool\/0x\w+\/trades\?limit=120/, (route) =>
              route.continue({ url: route.request().url().replace("limit=120", "limit=30") })
            )
          )
          yield* Effect.addFinalizer(() => step(() => page.unrouteAll({ behavior: "ignoreErrors" })))
          yield* goTo(page, "DEX")
          yield* step(() => page.locator("[data-pool] a").first().click())
          const older = page.getByRole("button", { name: "Older events" })
          yield* step(() => older.focus())
          yield* step(() => page.keyboard.press("Enter"))
          yield* step(() => older.waitFor({ state: "detached" }))
          assert.strictEqual(yield* focused(page), "Events, newest first")
          yield* step(() => page.locator("[aria-label='Events, newest first'] tbody tr").nth(25).waitFor())
        }).pipe(Effect.scoped),
      300_000
    )

    it.effect(
      "stays while only the timeframe, the order or the block of a page changes, and so does the focus",
      () =>
        Effect.gen(function* () {
          const [demo] = yield* openDemo({ viewport: { width: 1280, height: 500 } })
          const { complaints, page } = demo ?? assert.fail("there is no page")
          const left = yield* scroll(page, 200)
          yield* step(() => page.getByRole("button", { name: "5m", exact: true }).press("Enter"))
          yield* step(() => page.getByRole("group", { name: /candles of BTC\/USD of 5m each/ }).waitFor())
          yield* step(() => page.evaluate(frames))
          assert.strictEqual(yield* position(page), left)
          assert.strictEqual(yield* step(() => page.evaluate("document.activeElement.textContent")), "5m")
          yield* goTo(page, "DEX")
          yield* step(() => page.locator("[data-pool] a").first().press("Enter"))
          yield* step(() => page.getByRole("region", { name: "Events, newest first" }).waitFor())
          assert.strictEqual(yield* position(page), 0)
          const far = yield* scroll(page, 60)
          yield* step(() => page.getByRole("slider").press("ArrowLeft"))
          yield* step(() => page.waitForURL(/block=\d+$/))
          const block = "Number(location.hash.split('=')[1])"
          const first = Number(yield* step(() => page.evaluate(block)))
          yield* step(() => page.getByRole("slider").press("ArrowLeft"))
          yield* reached(page, `${first} - ${block}`, 1)
          yield* step(() => page.evaluate(frames))
          assert.strictEqual(yield* position(page), far)
          assert.deepStrictEqual(complaints, [])
        }).pipe(Effect.scoped),
      400_000
    )
  })
})
