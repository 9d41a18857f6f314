import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { chromiumPath, openBrowser, step } from "../Chromium.ts"
import { openDemo } from "../demo/DemoPage.ts"
import { DemoProgram } from "../demo/DemoProgram.ts"

/** Opens an address of the demo in a page that has a key. */
const goToHash = (page: Page, hash: string) =>
  step(() => page.evaluate(`window.location.hash = ${JSON.stringify(hash)}`))

/** The market page of BTC/USD without its stream, and with each response changed. */
const openChanged = Effect.fnUntraced(function* (change: (body: string) => string) {
  const { link } = yield* DemoProgram
  const context = yield* openBrowser()
  const page = yield* step(() => context.newPage())
  const errors: Array<string> = []
  page.on("pageerror", ({ message }) => errors.push(message))
  yield* step(() => page.route("**/live/cex/**", (route) => route.abort()))
  yield* step(() =>
    page.route(/\/v2\/cex\/sandbox\/BTC-USD\/(trades|aggregates)/, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: change(await response.text()) })
    })
  )
  yield* Effect.addFinalizer(() => step(() => page.unrouteAll({ behavior: "ignoreErrors" })))
  yield* step(() => page.goto(link))
  yield* goToHash(page, "#/market/sandbox/BTC-USD/1m")
  return { errors, page }
})

describe.skipIf(chromiumPath === undefined)("a page of the demo without what it shows (CHAINTAPE_CHROMIUM)", () => {
  layer(DemoProgram.layer, { excludeTestServices: true, timeout: "400 seconds" })((it) => {
    it.effect(
      "leads on from a blockchain or an exchange that there is not",
      () =>
        Effect.gen(function* () {
          const [demo] = yield* openDemo()
          const { page } = demo ?? assert.fail("there is no page")
          for (const [hash, said, next] of [
            ["#/blocks/nope", "There is no blockchain “nope”", "devnet"],
            ["#/block/nope/3", "There is no blockchain “nope”", "devnet"],
            ["#/dex/nope/devnet", "There is no decentralized exchange “nope/devnet”", "algebra/devnet"]
          ] as const) {
            yield* goToHash(page, hash)
            yield* step(() => page.getByRole("heading", { name: said }).waitFor())
            yield* step(() => page.getByRole("main").getByRole("link", { name: next }).click())
            yield* step(() => page.getByRole("heading", { name: said }).waitFor({ state: "detached" }))
            assert.strictEqual(yield* step(() => page.getByRole("alert").count()), 0)
          }
        }).pipe(Effect.scoped),
      300_000
    )

    it.effect(
      "says that the block of an address is no number",
      () =>
        Effect.gen(function* () {
          const [demo] = yield* openDemo()
          const { page } = demo ?? assert.fail("there is no page")
          for (const hash of ["#/dex?block=abc", "#/dex/uniswap-v3/devnet?block=abc", "#/block/devnet/abc"]) {
            yield* goToHash(page, hash)
            yield* step(() => page.getByText("“abc” is no number of a block").waitFor())
            assert.strictEqual(yield* step(() => page.getByRole("slider").count()), 0)
            yield* goToHash(page, "#/health")
            yield* step(() => page.getByText("is no number of a block").waitFor({ state: "detached" }))
          }
        }).pipe(Effect.scoped),
      300_000
    )

    it.effect(
      "fits a narrow screen, however long the names of its address are",
      () =>
        Effect.gen(function* () {
          const width = 320
          const [demo] = yield* openDemo({ viewport: { width, height: 640 } })
          const { page } = demo ?? assert.fail("there is no page")
          const long = "A".repeat(120)
          for (const [hash, said] of [
            [`#/blocks/${long}`, "There is no blockchain"],
            [`#/block/devnet/${long}`, "is no number of a block"],
            [`#/dex/uniswap-v3/devnet/${long}`, "is no address of a pool"],
            [`#/market/sandbox/${long}`, "is no market"]
          ] as const) {
            yield* goToHash(page, hash)
            yield* step(() => page.getByText(said).first().waitFor())
            const wide = yield* step(() => page.evaluate("document.documentElement.scrollWidth"))
            assert.isAtMost(Number(wide), width, hash)
          }
        }).pipe(Effect.scoped),
      300_000
    )

    it.effect(
      "says that there is no candle",
      () =>
        Effect.gen(function* () {
          const { page } = yield* openChanged((body) => body.replace(/"(trades|aggregates)":\[.*\]/, '"$1":[]'))
          yield* step(() => page.getByText("There is no candle yet.").waitFor())
        }).pipe(Effect.scoped),
      300_000
    )

    it.effect(
      "shows a price of eighteen decimals",
      () =>
        Effect.gen(function* () {
          const { errors, page } = yield* openChanged((body) =>
            body.replace(/"(o|h|l|c|price)":[\d.]+/g, '"$1":0.000000000000001234')
          )
          yield* step(() => page.getByRole("paragraph").getByText("0.000000000000001234").nth(4).waitFor())
          yield* step(() => page.locator(".tape .price").getByText("0.000000000000001234").first().waitFor())
          assert.strictEqual(yield* step(() => page.getByRole("alert").count()), 0)
          assert.deepStrictEqual(errors, [])
        }).pipe(Effect.scoped),
      300_000
    )
  })
})
