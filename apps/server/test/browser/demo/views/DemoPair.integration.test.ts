import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { chromiumPath, picture, step } from "../../Chromium.ts"
import { openDemo, violations } from "../DemoPage.ts"
import { DemoProgram } from "../DemoProgram.ts"

const events = "[aria-label='Events, newest first'] tbody tr"

describe.skipIf(chromiumPath === undefined)("the page of a pair (CHAINTAPE_CHROMIUM)", () => {
  layer(DemoProgram.layer, { excludeTestServices: true, timeout: "400 seconds" })((it) => {
    it.effect(
      "shows the properties of a pool without ticks, and omits those that need ticks",
      () =>
        Effect.gen(function* () {
          const { origin } = yield* DemoProgram
          const [demo] = yield* openDemo({ colorScheme: "light", viewport: { width: 1280, height: 900 } })
          const { complaints, page } = demo ?? assert.fail("there is no page")
          yield* step(() => page.goto(`${origin}/#/dex/uniswap-v2/devnet`))
          yield* step(() => page.locator("[data-pool]").first().waitFor())
          assert.strictEqual(yield* step(() => page.locator("[data-pool]").count()), 4)
          yield* step(() => page.locator("[data-pool] a").first().click())
          yield* step(() => page.waitForURL(/#\/dex\/uniswap-v2\/devnet\/0x[0-9a-f]{40}/))
          yield* step(() => page.locator(events).first().waitFor())
          yield* step(() => page.getByText("The protocol has no ticks").waitFor())
          yield* step(() => page.getByText("Supply of LP tokens").waitFor())
          yield* step(() => page.locator("canvas").first().waitFor())
          yield* picture(page, "demo-pair")
          const text = yield* step(() => page.locator("main").innerText())
          assert.notMatch(text, /NaN|undefined|Infinity|no price yet|Liquidity in range/)
          assert.match(text, /0\.3 %/)
          assert.deepStrictEqual(yield* violations(page), [])
          assert.deepStrictEqual(complaints, [])
        }).pipe(Effect.scoped),
      400_000
    )
  })
})
