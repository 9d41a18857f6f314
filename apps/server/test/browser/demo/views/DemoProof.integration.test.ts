import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { call } from "../../../HttpCall.ts"
import { chromiumPath, picture, step } from "../../Chromium.ts"
import { goTo, openDemo, violations } from "../DemoPage.ts"
import { DemoProgram } from "../DemoProgram.ts"

/** Opens the proof of the first figure of a selector with the keyboard, and waits for the response. */
const openProof = Effect.fnUntraced(function* (page: Page, selector: string) {
  yield* step(() => page.locator(`${selector} button.proven`).first().press("Enter"))
  yield* step(() => page.getByRole("dialog", { name: /^Proof: / }).waitFor())
  yield* step(() => page.locator("[data-verdict]").waitFor())
})

const closeProof = Effect.fnUntraced(function* (page: Page) {
  yield* step(() => page.keyboard.press("Escape"))
  yield* step(() => page.getByRole("dialog").waitFor({ state: "detached" }))
})

const texts = (page: Page) => step(() => page.getByRole("dialog").innerText())

const exact = (page: Page, name: string) => step(() => page.locator(`[data-exact="${name}"]`).innerText())

const isFocused = (page: Page, selector: string) =>
  step(() => page.evaluate(`document.activeElement.closest(${JSON.stringify(selector)}) !== null`))

/** The path of the copied line, which contains the key, and not the masked one. */
const copyPath = Effect.fnUntraced(function* (page: Page) {
  const { key } = yield* DemoProgram
  yield* step(() => page.getByRole("button", { name: "Copy: The request, for a terminal" }).click())
  yield* step(() => page.getByText("Copied.").waitFor())
  const line = String(yield* step(() => page.evaluate("navigator.clipboard.readText()")))
  assert.include(line, key)
  const [, path = ""] = /"http:\/\/[^/"]+([^"]+)"/.exec(line) ?? []
  return path
})

const permissions = ["clipboard-read", "clipboard-write"]

describe.skipIf(chromiumPath === undefined)("the proof of a figure of the demo (CHAINTAPE_CHROMIUM)", () => {
  layer(DemoProgram.layer, { excludeTestServices: true, timeout: "400 seconds" })((it) => {
    it.effect(
      "of a trade names its recording, and the copied request returns the same price",
      () =>
        Effect.gen(function* () {
          const { key, origin } = yield* DemoProgram
          const [demo] = yield* openDemo({ permissions, viewport: { width: 1280, height: 900 } })
          const { complaints, page } = demo ?? assert.fail("there is no page")
          // The newest trades may wait for the store: the response has them a moment later.
          yield* openProof(page, ".tape tbody tr:nth-child(28)")
          yield* step(() => page.getByText("How gaps are found").waitFor())
          const text = yield* texts(page)
          assert.include(text, "the response has the same values", text)
          assert.match(
            text,
            /Source\s+(Trades that this service recorded \(record\)|The exchange, read for this request \(ccxt\))/
          )
          assert.include(text, "Proven: no trade is missing in this range.")
          assert.match(text, /Recorded\s+.+ to .+/)
          const [id, price] = [yield* exact(page, "Trade id"), yield* exact(page, "Price, USD")]
          const path = yield* copyPath(page)
          const { body } = yield* call(origin, { path, headers: { "api-key": key } })
          assert.match(body, new RegExp(`"id":"${id}","timestamp":"\\d+","price":${price.replace(".", "\\.")},`))
          yield* picture(page, "demo-proof-trade")
          yield* closeProof(page)
          // The row has left the tape, or the figure has the focus again.
          assert.isTrue(yield* isFocused(page, ".tape"))
          assert.deepStrictEqual(complaints, [])
        }).pipe(Effect.scoped),
      400_000
    )

    it.effect(
      "of a candle opens from the chart by the keyboard",
      () =>
        Effect.gen(function* () {
          const [demo] = yield* openDemo({ viewport: { width: 1280, height: 900 } })
          const { complaints, page } = demo ?? assert.fail("there is no page")
          const chart = page.getByRole("group", { name: /^\d+ candles of BTC\/USD of 1m each\. / })
          yield* step(() => chart.focus())
          for (const key of ["End", "ArrowLeft", "ArrowLeft"]) yield* step(() => page.keyboard.press(key))
          const start = yield* step(() => page.locator(".legend time").getAttribute("datetime"))
          yield* step(() => page.keyboard.press("Enter"))
          assert.strictEqual(yield* exact(page, "Start"), start)
          yield* closeProof(page)
          assert.isTrue(yield* isFocused(page, ".chart"))
          // Drawn to the right, the newest candle leaves the chart.
          const { height, width, x, y } = (yield* step(() => chart.boundingBox())) ?? assert.fail("there is no chart")
          yield* step(() => page.mouse.move(x + width / 4, y + height / 2))
          yield* step(() => page.mouse.down())
          yield* step(() => page.mouse.move(x + (width * 3) / 4, y + height / 2, { steps: 5 }))
          yield* step(() => page.mouse.up())
          yield* step(() => page.getByRole("button", { name: "Newest candle" }).click())
          yield* step(() => page.getByRole("button", { name: "Newest candle" }).waitFor({ state: "detached" }))
          assert.deepStrictEqual(complaints, [])
        }).pipe(Effect.scoped),
      200_000
    )

    it.effect(
      "of a pool is that of one block, which later requests return unchanged",
      () =>
        Effect.gen(function* () {
          const { key, origin } = yield* DemoProgram
          const [demo] = yield* openDemo({ permissions, viewport: { width: 1280, height: 900 } })
          const { page } = demo ?? assert.fail("there is no page")
          yield* goTo(page, "DEX")
          yield* step(() => page.locator("[data-pool] a").first().click())
          yield* openProof(page, "[data-figure=totalValueLockedUSD]")
          const text = yield* texts(page)
          assert.include(text, "the response has the same values", text)
          assert.match(text, /Read as of block\s+\d+\s+Hash of the block\s+0x[0-9a-f]{64}\s/)
          assert.include(text, "Proven. Every log up to this block was checked against the receipts root")
          const tvl = yield* exact(page, "TVL, USD")
          const path = yield* copyPath(page)
          assert.match(path, /\?block=\d+$/)
          const { body } = yield* call(origin, { path, headers: { "api-key": key } })
          assert.include(body, `"totalValueLockedUSD":"${tvl}"`)
          yield* closeProof(page)
          assert.isTrue(yield* isFocused(page, "[data-figure=totalValueLockedUSD] button"))
        }).pipe(Effect.scoped),
      400_000
    )

    for (const [colorScheme, width] of [
      ["light", 1280],
      ["dark", 360]
    ] as const)
      it.effect(
        `opens for every kind of figure, without a finding of axe: ${colorScheme}, ${width} px`,
        () =>
          Effect.gen(function* () {
            const [demo] = yield* openDemo({ colorScheme, viewport: { width, height: 900 } })
            const { complaints, page } = demo ?? assert.fail("there is no page")
            const check = Effect.fnUntraced(function* (name: string, selector: string) {
              yield* openProof(page, selector)
              assert.deepStrictEqual(yield* violations(page), [], name)
              yield* picture(page, `demo-proof-${name}-${colorScheme}-${width}`)
              yield* closeProof(page)
            })
            yield* check("last-trade", ".last")
            yield* check("tape", "[data-coverage]")
            yield* check("day", ".day")
            yield* check("candle", ".legend")
            yield* goTo(page, "DEX")
            yield* check("total", "[data-total]")
            yield* check("pool", "[data-pool]")
            yield* step(() => page.locator("[data-pool] a").first().click())
            yield* check("pool-candle", ".legend")
            yield* check("event", "[aria-label='Events, newest first']")
            yield* goTo(page, "Blocks")
            yield* check("block", "[aria-label='Blocks, newest first']")
            assert.deepStrictEqual(complaints, [])
          }).pipe(Effect.scoped),
        400_000
      )
  })
})
