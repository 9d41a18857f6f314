import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { chromiumPath, step } from "../Chromium.ts"
import { goTo, openDemo, reached } from "../demo/DemoPage.ts"
import { DemoProgram } from "../demo/DemoProgram.ts"

const shownBlock = `Number(document.querySelector("[data-block]")?.dataset.block)`

/** Longer than a page waits after a block before it reads the parts of a pool again. */
const slowMillis = 8000

describe.skipIf(chromiumPath === undefined)("the demo of a slow service (CHAINTAPE_CHROMIUM)", () => {
  layer(DemoProgram.layer, { excludeTestServices: true, timeout: "400 seconds" })((it) => {
    it.effect(
      "says that candles are being read until they are there",
      () =>
        Effect.gen(function* () {
          const [demo] = yield* openDemo()
          const { complaints, page } = demo ?? assert.fail("there is no page")
          const held = Promise.withResolvers<void>()
          yield* step(() =>
            page.route("**/aggregates/5m?*", async (route) => {
              await held.promise
              await route.continue()
            })
          )
          yield* step(() => page.getByRole("button", { name: "5m", exact: true }).click())
          const note = page.getByText("The candles are being read.")
          yield* step(() => note.waitFor())
          held.resolve()
          yield* step(() => page.getByText(/Recorded trades prove/).waitFor())
          assert.strictEqual(yield* step(() => note.count()), 0)
          assert.deepStrictEqual(complaints, [])
        }).pipe(Effect.scoped),
      300_000
    )

    it.effect(
      "shows the parts of a pool that take longer to read than blocks take to come",
      () =>
        Effect.gen(function* () {
          const [demo] = yield* openDemo()
          const { page } = demo ?? assert.fail("there is no page")
          yield* step(() =>
            page.route(/\/pool\/0x\w+\/(trades\?limit=20|aggregates|ticks)/, async (route) => {
              await page.waitForTimeout(slowMillis)
              // The page may have gone on.
              await route.continue().catch(() => {})
            })
          )
          yield* Effect.addFinalizer(() => step(() => page.unrouteAll({ behavior: "ignoreErrors" })))
          yield* goTo(page, "DEX")
          yield* step(() => page.locator("[data-pool] a").first().click())
          const events = page.getByRole("region", { name: "Events, newest first" })
          yield* Effect.promise(() => events.waitFor({ timeout: 4 * slowMillis }))
        }).pipe(Effect.scoped),
      300_000
    )

    it.effect(
      "shows the newest block of another decentralized exchange before a block is sent",
      () =>
        Effect.gen(function* () {
          const [demo] = yield* openDemo()
          const { page } = demo ?? assert.fail("there is no page")
          yield* goTo(page, "DEX")
          yield* step(() => page.locator("[data-pool]").first().waitFor())
          const first = Number(yield* step(() => page.evaluate(shownBlock)))
          yield* reached(page, shownBlock, first + 5)
          yield* step(() => page.route(/\/(live|v2)\/blocks\//, () => {}))
          yield* step(() => page.getByRole("button", { name: "uniswap-v2/devnet" }).click())
          yield* step(() => page.getByRole("button", { name: "uniswap-v2/devnet", pressed: true }).waitFor())
          yield* reached(page, shownBlock, first + 5)
        }).pipe(Effect.scoped),
      300_000
    )
  })
})
