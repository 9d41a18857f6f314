import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { chromiumPath, picture, step } from "../../Chromium.ts"
import { goTo, openDemo, violations } from "../DemoPage.ts"
import { DemoProgram } from "../DemoProgram.ts"

const old = 61

const events = "[aria-label='Events, newest first'] tbody tr"

/** The number of a figure of the token. */
const toNumber = (page: Page, figure: string) =>
  step(() => page.locator(`[data-figure="${figure}"]`).innerText()).pipe(
    Effect.map((text) => Number(text.replaceAll(",", "")))
  )

describe.skipIf(chromiumPath === undefined)("the page of a token (CHAINTAPE_CHROMIUM)", () => {
  layer(DemoProgram.layer, { excludeTestServices: true, timeout: "400 seconds" })((it) => {
    for (const [colorScheme, width] of [
      ["light", 1280],
      ["dark", 360]
    ] as const)
      it.effect(
        `shows its figures, pools and events, now and as of a block: ${colorScheme}, ${width} px`,
        () =>
          Effect.gen(function* () {
            const { origin } = yield* DemoProgram
            const [demo] = yield* openDemo({ colorScheme, viewport: { width, height: 900 } })
            const { complaints, page } = demo ?? assert.fail("there is no page")
            yield* goTo(page, "DEX")
            yield* step(() => page.locator("[data-pool] a").first().click())
            // From the symbol of a token in an event.
            yield* step(() => page.locator(`${events} a`).first().click())
            yield* step(() => page.waitForURL(/#\/dex\/uniswap-v3\/devnet\/token\/0x[0-9a-f]{40}$/))
            yield* step(() => page.locator(events).first().waitFor())
            yield* step(() => page.locator("[data-pool]").first().waitFor())
            yield* picture(page, `demo-token-${colorScheme}-${width}`)
            assert.deepStrictEqual(yield* violations(page), [])
            yield* step(() => page.getByRole("button", { name: "Older events" }).click())
            yield* step(() => page.locator(events).nth(30).waitFor())
            const wide = yield* step(() => page.evaluate("document.documentElement.scrollWidth"))
            assert.isAtMost(Number(wide), width)

            const pools = yield* step(() => page.locator("[data-pool]").count())
            assert.strictEqual(yield* toNumber(page, "Pools"), pools)
            const address = page.url().slice(-42)
            const symbol = yield* step(() => page.locator("[data-token] .name").first().innerText())
            assert.strictEqual(
              yield* step(() => page.title()),
              `Token ${symbol} · uniswap-v3 on devnet · DEX · Chaintape`
            )
            const newest = yield* toNumber(page, "Events")

            yield* step(() => page.getByRole("slider").fill(String(old)))
            yield* step(() => page.getByText(new RegExp(`^block ${old} ·`)).waitFor())
            yield* step(() => page.waitForURL(`${origin}/#/dex/uniswap-v3/devnet/token/${address}?block=${old}`))
            assert.isBelow(yield* toNumber(page, "Events"), newest)
            // A pool of it is shown as of the same block.
            yield* step(() => page.locator("[data-pool] a").first().click())
            yield* step(() => page.waitForURL(new RegExp(`/0x[0-9a-f]{40}\\?block=${old}$`)))
            yield* step(() => page.getByText(new RegExp(`^block ${old} ·`)).waitFor())

            yield* step(() => page.goto(`${origin}/#/dex/uniswap-v3/devnet/token/0x${"0".repeat(40)}`))
            yield* step(() => page.getByText("There was no pool with this token as of this block.").waitFor())
            assert.strictEqual(yield* step(() => page.locator("[data-figure]").count()), 0)
            assert.deepStrictEqual(complaints, [])
          }).pipe(Effect.scoped),
        400_000
      )
  })
})
