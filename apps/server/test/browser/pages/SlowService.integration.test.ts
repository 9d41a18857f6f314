import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { chromiumPath, step } from "../Chromium.ts"
import { goTo, openDemo, reached, violations } from "../demo/DemoPage.ts"
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
          yield* Effect.promise(() => events.waitFor({ timeout: 8 * slowMillis }))
        }).pipe(Effect.scoped),
      300_000
    )

    it.effect(
      "says after some seconds that a part is still being read, and shows it once it is answered",
      () =>
        Effect.gen(function* () {
          const [demo] = yield* openDemo()
          const { complaints, page } = demo ?? assert.fail("there is no page")
          const held = Promise.withResolvers<void>()
          yield* step(() =>
            page.route(/\/devnet\/pools\?/, async (route) => {
              await held.promise
              await route.continue()
            })
          )
          yield* goTo(page, "DEX")
          const pools = page.getByRole("region", { name: "Pools" })
          const late = pools.getByText("Still waiting: the service has not answered for 5 seconds.")
          yield* step(() => pools.getByText("The pools are being read.").waitFor())
          assert.strictEqual(yield* step(() => late.count()), 0)
          yield* step(() => late.waitFor())
          assert.deepStrictEqual(yield* violations(page), [])
          held.resolve()
          yield* step(() => page.locator("[data-pool]").first().waitFor())
          assert.strictEqual(yield* step(() => late.count()), 0)
          assert.deepStrictEqual(complaints, [])
        }).pipe(Effect.scoped),
      300_000
    )

    it.effect(
      "says after some seconds that figures of before are still shown, because they are being read again",
      () =>
        Effect.gen(function* () {
          const [demo] = yield* openDemo()
          const { page } = demo ?? assert.fail("there is no page")
          yield* goTo(page, "DEX")
          const pools = page.getByRole("region", { name: "Pools" })
          yield* step(() => pools.locator("[data-pool]").first().waitFor())
          const held = Promise.withResolvers<void>()
          yield* step(() =>
            page.route(/\/devnet\/pools\?/, async (route) => {
              await held.promise
              await route.continue().catch(() => {})
            })
          )
          const late = pools.getByText("Still waiting: the service has not answered for 5 seconds.")
          yield* step(() => late.waitFor())
          yield* step(() => pools.getByText(/^What is below was read at /).waitFor())
          assert.isAbove(yield* step(() => pools.locator("[data-pool]").count()), 0)
          assert.deepStrictEqual(yield* violations(page), [])
          held.resolve()
          yield* step(() => late.waitFor({ state: "detached" }))
          assert.strictEqual(yield* step(() => pools.locator("[data-old]").count()), 0)
        }).pipe(Effect.scoped),
      300_000
    )

    it.effect(
      "reads the status again after a request that is never answered",
      () =>
        Effect.gen(function* () {
          const [demo] = yield* openDemo()
          const { page } = demo ?? assert.fail("there is no page")
          yield* step(() => page.route("**/status", () => {}, { times: 1 }))
          yield* goTo(page, "Health")
          yield* step(() => page.getByText("The status of the service can't be read.").waitFor())
          yield* step(() => page.locator("[data-bar]").first().waitFor())
        }).pipe(Effect.scoped),
      300_000
    )

    it.effect(
      "says that a request sent by hand is still unanswered",
      () =>
        Effect.gen(function* () {
          const [demo] = yield* openDemo()
          const { page } = demo ?? assert.fail("there is no page")
          yield* step(() => page.getByRole("button", { name: "Try it" }).click())
          const dialog = page.getByRole("dialog")
          yield* step(() => page.route("**/v2/**", () => {}))
          yield* step(() => dialog.getByRole("button", { name: "Send" }).click())
          yield* step(() => dialog.getByText("The response is being read.").waitFor())
          yield* step(() => dialog.getByText(/^Still waiting: /).waitFor())
          yield* step(() => page.unroute("**/v2/**"))
          yield* step(() => dialog.getByRole("button", { name: "Send" }).click())
          yield* step(() => dialog.getByText("HTTP 200").waitFor())
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
