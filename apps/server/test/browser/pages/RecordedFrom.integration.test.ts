import { assert, describe, layer } from "@effect/vitest"
import { Clock, Effect } from "effect"
import type { Page } from "playwright-core"
import { chromiumPath, openBrowser, picture, step } from "../Chromium.ts"
import { violations } from "../demo/DemoPage.ts"
import { DemoProgram } from "../demo/DemoProgram.ts"

const minute = 60_000

/**
 * The sandbox records its market from the first trade on. To the page it seems to begin at `from` (Unix milliseconds), with
 * candles of the exchange before.
 */
const beginAt = (page: Page, from: number) =>
  step(async () => {
    const start = Math.floor(from / minute) * minute
    await page.route("**/status", async (route) => {
      const response = await route.fetch()
      const body = (await response.text()).replaceAll(
        /"from":\d+,"to":(\d+),"stored"/g,
        `"from":${from},"to":$1,"stored"`
      )
      await route.fulfill({ response, body })
    })
    await page.route("**/aggregates/1m?*", async (route) => {
      const response = await route.fetch()
      const coverage = `complete=?0, from=0, to=${from + 60 * minute}, unproven=(0 ${start})`
      await route.fulfill({ response, headers: { ...response.headers(), "chaintape-coverage": coverage } })
    })
  })

describe.skipIf(chromiumPath === undefined)("the beginning of a recording (CHAINTAPE_CHROMIUM)", () => {
  layer(DemoProgram.layer, { excludeTestServices: true, timeout: "400 seconds" })((it) => {
    for (const [colorScheme, width] of [
      ["light", 1280],
      ["dark", 360]
    ] as const)
      it.effect(
        `is marked in the chart, and stated below it: ${colorScheme}, ${width} px`,
        () =>
          Effect.gen(function* () {
            const { link } = yield* DemoProgram
            const from = Math.floor(((yield* Clock.currentTimeMillis) - 30 * minute) / minute) * minute + 20_000
            const context = yield* openBrowser({ colorScheme, timezoneId: "UTC", viewport: { width, height: 900 } })
            const page = yield* step(() => context.newPage())
            yield* beginAt(page, from)
            yield* step(() => page.goto(link))
            const mark = page.locator(`[data-recorded-from="${from}"]`)
            const time = new Date(from).toISOString().slice(11, 19)
            yield* step(() => mark.getByText(new RegExp(`^recorded from .*${time}$`)).waitFor())
            const note = yield* step(() => page.locator(".candles .note").innerText())
            assert.match(note, new RegExp(`Recorded from .*${time}: the candle of that time is not recorded whole\\.`))
            yield* picture(page, `demo-recorded-from-${colorScheme}-${width}`)
            assert.deepStrictEqual(yield* violations(page), [])
            const wide = yield* step(() => page.evaluate("document.documentElement.scrollWidth"))
            assert.isAtMost(Number(wide), width)
            // The time has its date once the day is over.
            yield* step(() => page.evaluate("{ const now = Date.now; Date.now = () => now() + 86_400_000 }"))
            const year = new Date(from).getUTCFullYear()
            yield* step(() => mark.getByText(new RegExp(`^recorded from .*${year}.*${time}$`)).waitFor())
            // Another timeframe marks its own candle.
            yield* step(() => page.getByRole("button", { name: "5m", exact: true }).click())
            yield* step(() => mark.waitFor({ state: "detached" }))
            yield* step(() => page.unrouteAll({ behavior: "ignoreErrors" }))
          }).pipe(Effect.scoped),
        400_000
      )
  })
})
