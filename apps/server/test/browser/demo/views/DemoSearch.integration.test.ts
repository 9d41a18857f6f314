import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { chromiumPath, picture, step } from "../../Chromium.ts"
import { goTo, openDemo, reached, violations } from "../DemoPage.ts"
import { DemoProgram } from "../DemoProgram.ts"

const press = (page: Page, ...keys: ReadonlyArray<string>) =>
  Effect.forEach(keys, (key) => step(() => page.keyboard.press(key)))

/** The text of the suggestion that assistive technology takes for the current one. */
const current = (page: Page) =>
  step(() =>
    page.evaluate(
      "document.getElementById(document.activeElement.getAttribute('aria-activedescendant') ?? '')?.innerText"
    )
  ).pipe(Effect.map(String))

/** Opens the search by a key, types a text and waits for suggestions. */
const search = Effect.fnUntraced(function* (page: Page, key: string, text: string) {
  yield* press(page, key)
  yield* step(() => page.keyboard.type(text))
  yield* step(() => page.getByRole("listbox", { name: "Found pages" }).getByRole("option").first().waitFor())
})

describe.skipIf(chromiumPath === undefined)("the search of the demo (CHAINTAPE_CHROMIUM)", () => {
  layer(DemoProgram.layer, { excludeTestServices: true, timeout: "400 seconds" })((it) => {
    it.effect(
      "finds blocks, tokens, pools and markets with the keyboard alone",
      () =>
        Effect.gen(function* () {
          const { origin } = yield* DemoProgram
          const [demo] = yield* openDemo()
          const { complaints, page } = demo ?? assert.fail("there is no page")
          const arrived = (path: string | RegExp) => step(() => page.waitForURL(path))

          yield* search(page, "/", "7")
          assert.match(yield* current(page), /^7\s+block, devnet$/)
          yield* press(page, "Enter")
          yield* step(() => page.getByRole("heading", { level: 2, name: "Block 7 of devnet" }).waitFor())
          assert.strictEqual(page.url(), `${origin}/#/block/devnet/7`)

          yield* search(page, "Control+k", "weth")
          assert.match(yield* current(page), /^WETH\s+token, uniswap-v3\/devnet/)
          yield* press(page, "Enter")
          yield* arrived(/#\/dex\/uniswap-v3\/devnet\/token\/0x[0-9a-f]{40}$/)
          yield* step(() => page.locator("[data-token]").waitFor())
          assert.include(page.url(), String(yield* step(() => page.locator("[data-token]").getAttribute("data-token"))))

          yield* search(page, "/", "weth")
          yield* press(page, "ArrowDown")
          assert.match(yield* current(page), /^(WETH\S+|\S+WETH)\s+pool, \S+ %, uniswap-v3\/devnet/)
          yield* press(page, "ArrowUp")
          assert.match(yield* current(page), /^WETH\s+token/)
          yield* press(page, "ArrowDown", "Enter")
          yield* arrived(/#\/dex\/uniswap-v3\/devnet\/0x[0-9a-f]{40}$/)
          const address = page.url().slice(-40)

          yield* goTo(page, "Health")
          yield* search(page, "/", `0x${address}`)
          yield* press(page, "Enter")
          yield* arrived(`${origin}/#/dex/uniswap-v3/devnet/0x${address}`)

          yield* search(page, "/", "btc-usd")
          yield* press(page, "Enter")
          yield* arrived(`${origin}/#/market/sandbox/BTC-USD`)
          assert.strictEqual(yield* step(() => page.evaluate("document.activeElement.id")), "main")
          yield* step(() => page.getByRole("combobox", { name: "Exchange" }).focus())
          yield* press(page, "Tab")
          assert.strictEqual(
            yield* step(() => page.evaluate("document.activeElement.labels?.[0]?.textContent")),
            "Market"
          )
          assert.deepStrictEqual(complaints, [])
        }).pipe(Effect.scoped),
      400_000
    )

    it.effect(
      "scrolls its suggestions with a finger, and opens the one that is tapped",
      () =>
        Effect.gen(function* () {
          const { origin } = yield* DemoProgram
          const [demo] = yield* openDemo({ hasTouch: true, viewport: { width: 360, height: 900 } })
          const { page } = demo ?? assert.fail("there is no page")
          yield* search(page, "/", "usd")
          const list = page.getByRole("listbox", { name: "Found pages" })
          const box = (yield* step(() => list.boundingBox())) ?? assert.fail("there is no list")
          const [x, y] = [box.x + box.width / 2, box.y + box.height - 20]
          const session = yield* step(() => page.context().newCDPSession(page))
          const touch = (
            type: "touchStart" | "touchMove" | "touchEnd",
            ...touchPoints: Array<{ x: number; y: number }>
          ) => step(() => session.send("Input.dispatchTouchEvent", { type, touchPoints }))
          yield* touch("touchStart", { x, y })
          for (let by = 15; by <= 150; by += 15) yield* touch("touchMove", { x, y: y - by })
          yield* touch("touchEnd")
          yield* reached(page, "document.querySelector('.search ul').scrollTop", 1)
          assert.strictEqual(page.url(), `${origin}/#/`)
          yield* step(() => list.getByRole("option").last().tap())
          yield* step(() => page.waitForURL(/#\/dex\/.+/))
          yield* goTo(page, "Market")
          yield* step(() => page.getByRole("combobox", { name: "Market", exact: true }).click())
          yield* step(() => page.getByRole("option", { name: "ETH/USD" }).click())
          yield* step(() => page.waitForURL(/#\/market\/sandbox\/ETH-USD\/1m$/))
        }).pipe(Effect.scoped),
      400_000
    )

    for (const width of [1440, 360])
      it.effect(
        `says that nothing matches, closes by Escape, and has no fault that axe finds: ${width} px`,
        () =>
          Effect.gen(function* () {
            const [demo] = yield* openDemo({ viewport: { width, height: 900 } })
            const { page } = demo ?? assert.fail("there is no page")
            const options = page.getByRole("listbox", { name: "Found pages" }).getByRole("option")
            yield* search(page, "/", "usd")
            yield* picture(page, `demo-search-${width}`)
            assert.deepStrictEqual(yield* violations(page), [])
            const wide = yield* step(() => page.evaluate("document.documentElement.scrollWidth"))
            assert.isAtMost(Number(wide), width)
            yield* press(page, "Escape")
            assert.strictEqual(yield* step(() => options.count()), 0)
            yield* step(() => page.keyboard.type("no such thing"))
            yield* step(() => page.getByText("Nothing matches.").waitFor())
            yield* press(page, "Enter")
            assert.deepStrictEqual(yield* violations(page), [])
          }).pipe(Effect.scoped),
        400_000
      )
  })
})
