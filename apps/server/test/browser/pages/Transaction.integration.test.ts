import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { chromiumPath, picture, step } from "../Chromium.ts"
import { goTo, openDemo, violations } from "../demo/DemoPage.ts"
import { DemoProgram } from "../demo/DemoProgram.ts"

const events = "[aria-label='Events, newest first'] tbody tr"

describe.skipIf(chromiumPath === undefined)("the page of a transaction (CHAINTAPE_CHROMIUM)", () => {
  layer(DemoProgram.layer, { excludeTestServices: true, timeout: "400 seconds" })((it) => {
    for (const [colorScheme, width] of [
      ["light", 1280],
      ["dark", 360]
    ] as const)
      it.effect(
        `shows the block and the events of a transaction, and opens from its link: ${colorScheme}, ${width} px`,
        () =>
          Effect.gen(function* () {
            const { origin } = yield* DemoProgram
            const [demo] = yield* openDemo({ colorScheme, viewport: { width, height: 900 } })
            const { complaints, page } = demo ?? assert.fail("there is no page")
            yield* goTo(page, "DEX")
            yield* step(() => page.locator("[data-pool] a").first().click())
            yield* step(() => page.getByRole("slider").fill("61"))
            yield* step(() => page.getByText(/^block 61 ·/).waitFor())
            yield* step(() => page.waitForURL(/block=61$/))
            yield* step(() => page.locator(`${events} a[href*='/tx/']`).first().click())
            yield* step(() =>
              page.waitForURL(/\/tx\/0x[0-9a-f]{64}\?time=\d+&tokens=0x[0-9a-f]{40},0x[0-9a-f]{40}&block=61$/)
            )
            yield* step(() => page.locator(events).first().waitFor())
            const [, hash = ""] = /\/tx\/(0x[0-9a-f]+)/.exec(page.url()) ?? []
            assert.strictEqual(
              yield* step(() => page.title()),
              `Transaction ${hash.slice(0, 8)}… · as of block 61 · uniswap-v3 on devnet · DEX · Chaintape`
            )
            const codes = yield* step(() =>
              page
                .locator(`${events} td:last-child code`)
                .evaluateAll((all) => all.map((one) => one.getAttribute("title")))
            )
            assert.deepStrictEqual(new Set(codes), new Set([hash]))
            const wide = yield* step(() => page.evaluate("document.documentElement.scrollWidth"))
            assert.isAtMost(Number(wide), width)
            yield* picture(page, `transaction-${colorScheme}-${width}`)
            assert.deepStrictEqual(yield* violations(page), [])
            yield* step(() => page.locator(`${events} button.proven`).first().click())
            yield* step(() => page.locator("[data-verdict=proven]").waitFor())
            yield* step(() => page.keyboard.press("Escape"))
            yield* step(() => page.locator("[data-blocks] a").first().click())
            yield* step(() => page.waitForURL(/#\/block\/devnet\/\d+$/))
            yield* step(() => page.goBack())
            yield* step(() => page.locator(events).first().waitFor())
            yield* step(() => page.goto(`${origin}/#/dex/uniswap-v3/devnet/tx/${hash}`))
            yield* step(() => page.getByText("The link is cut off").waitFor())
            assert.deepStrictEqual(complaints, [])
          }).pipe(Effect.scoped),
        400_000
      )
  })
})
