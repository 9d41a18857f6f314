import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { chromiumPath, picture, step } from "../../Chromium.ts"
import { goTo, openDemo, reached } from "../DemoPage.ts"
import { DemoProgram } from "../DemoProgram.ts"

/** Old enough to be final for the sandbox, and after the creation of its pools. */
const old = 61

const figures = (page: Page) => step(() => page.locator("[data-figure]").allInnerTexts())

/** Waits for the badge of the block. */
const asOf = (page: Page, block: number) => step(() => page.getByText(new RegExp(`^block ${block} ·`)).waitFor())

const copyLink = Effect.fnUntraced(function* (page: Page, block: string) {
  yield* step(() => page.getByRole("button", { name: `Copy link as of block ${block}` }).click())
  yield* step(() => page.getByText("Copied.").waitFor())
  return String(yield* step(() => page.evaluate("navigator.clipboard.readText()")))
})

describe.skipIf(chromiumPath === undefined)("the link as of a block (CHAINTAPE_CHROMIUM)", () => {
  layer(DemoProgram.layer, { excludeTestServices: true, timeout: "400 seconds" })((it) => {
    it.effect(
      "shows another reader the same figures of a pool, and contains no key",
      () =>
        Effect.gen(function* () {
          const { key, origin } = yield* DemoProgram
          const [demo] = yield* openDemo({ permissions: ["clipboard-read", "clipboard-write"] })
          const { page } = demo ?? assert.fail("there is no page")
          yield* goTo(page, "DEX")
          yield* step(() => page.locator("[data-pool] a").first().click())
          yield* step(() => page.locator("[data-figure]").first().waitFor())
          const newest = yield* figures(page)
          yield* step(() => page.getByRole("slider").fill(String(old)))
          yield* asOf(page, old)
          yield* step(() => page.waitForURL(new RegExp(`/0x[0-9a-f]{40}\\?block=${old}$`)))
          const link = yield* copyLink(page, String(old))
          assert.strictEqual(link, page.url())
          assert.notInclude(link, "chaintape_")
          const shown = yield* figures(page)
          assert.notDeepEqual(shown, newest)
          yield* picture(page, "demo-pool-as-of")

          const [other] = yield* openDemo()
          const reader = other?.page ?? assert.fail("there is no page")
          yield* step(() => reader.evaluate("sessionStorage.clear()"))
          yield* step(() => reader.goto("about:blank"))
          yield* step(() => reader.goto(link))
          // A reader with a key of their own pastes it, and arrives at the address of the link.
          yield* step(() => reader.getByLabel("Key").fill(key))
          yield* step(() => reader.keyboard.press("Enter"))
          yield* asOf(reader, old)
          assert.deepStrictEqual(yield* figures(reader), shown)

          // A new tab of the same browser has the key of the others.
          const tab = yield* step(() => reader.context().newPage())
          yield* step(() => tab.goto(link))
          yield* asOf(tab, old)
          yield* step(() => tab.close())

          // The way back and forth remembers the block of each page.
          yield* step(() => reader.getByRole("link", { name: "All pools" }).click())
          yield* asOf(reader, old)
          assert.strictEqual(reader.url(), `${origin}/#/dex/uniswap-v3/devnet?block=${old}`)
          yield* step(() => reader.getByRole("button", { name: "Back to live" }).click())
          yield* step(() => reader.waitForURL(`${origin}/#/dex/uniswap-v3/devnet`))
          yield* step(() => reader.getByText("Live, as of block").waitFor())
          yield* step(() => reader.goBack())
          yield* asOf(reader, old)
        }).pipe(Effect.scoped),
      400_000
    )

    it.effect(
      "is offered to copy by hand where the browser has no clipboard, as are requests",
      () =>
        Effect.gen(function* () {
          const [demo] = yield* openDemo()
          const { complaints, page } = demo ?? assert.fail("there is no page")
          yield* goTo(page, "DEX")
          yield* step(() => page.locator("[data-pool] a").first().click())
          yield* step(() => page.locator("[data-figure]").first().waitFor())
          yield* step(() => page.getByRole("slider").fill(String(old)))
          yield* asOf(page, old)
          yield* step(() =>
            page.evaluate('Object.defineProperty(Navigator.prototype, "clipboard", { get: () => undefined })')
          )
          yield* step(() => page.getByRole("button", { name: `Copy link as of block ${old}` }).press("Enter"))
          yield* step(() => page.getByText("The browser does not allow it: copy the address of this link.").waitFor())
          const link = page.getByRole("link", { name: `Link as of block ${old}` })
          // The button that had the focus is gone.
          assert.strictEqual(
            yield* step(() => page.evaluate("document.activeElement?.textContent")),
            `Link as of block ${old}`
          )
          const href = (yield* step(() => link.getAttribute("href"))) ?? assert.fail("the link leads nowhere")
          assert.strictEqual(new URL(href, page.url()).href, page.url())
          yield* step(() => page.getByRole("button", { name: "Try it" }).click())
          yield* step(() => page.getByRole("button", { name: "Copy: curl" }).click())
          yield* step(() => page.getByText("The browser does not allow it: mark the text and copy it.").waitFor())
          assert.deepStrictEqual(complaints, [])
        }).pipe(Effect.scoped),
      400_000
    )

    it.effect(
      "of a live page is the one of its figures, while the index is behind its chain",
      () =>
        Effect.gen(function* () {
          const [demo] = yield* openDemo()
          const { page } = demo ?? assert.fail("there is no page")
          const behind = 5
          yield* step(() =>
            page.route(/\/v2\/dex\/uniswap-v3\/devnet(\/pool\/0x[0-9a-f]+)?$/, async (route) => {
              const response = await route.fetch()
              const headers = response.headers()
              const asOfHeader = (headers["chaintape-as-of"] ?? "").replace(
                /number=(\d+)/,
                (_, number) => `number=${Number(number) - behind}`
              )
              await route.fulfill({ response, headers: { ...headers, "chaintape-as-of": asOfHeader } })
            })
          )
          const shown = "Number(document.querySelector('[data-block]').dataset.block)"
          const ofFigures =
            "Number(/^block ([0-9,]+) ·/.exec(document.querySelector('.card > header .badge').textContent)[1].replaceAll(',', ''))"
          const isSame = Effect.gen(function* () {
            const first = Number(yield* step(() => page.evaluate(shown)))
            yield* reached(page, shown, first + 4)
            assert.isTrue(yield* step(() => page.evaluate(`${shown} === ${ofFigures}`)))
          })
          yield* goTo(page, "DEX")
          yield* step(() => page.locator("[data-pool] a").first().waitFor())
          yield* isSame
          yield* step(() => page.locator("[data-pool] a").first().click())
          yield* step(() => page.locator("[data-figure]").first().waitFor())
          yield* isSame
        }).pipe(Effect.scoped),
      400_000
    )
  })
})
