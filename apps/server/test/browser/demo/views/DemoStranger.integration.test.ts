import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { assert, describe, layer } from "@effect/vitest"
import { Clock, Effect } from "effect"
import type { Page } from "playwright-core"
import { chromiumPath, openBrowser, picture, step } from "../../Chromium.ts"
import { goTo } from "../DemoPage.ts"
import { DemoProgram } from "../DemoProgram.ts"

const run = promisify(execFile)

/** The output for a person who pastes the line into a terminal. */
const paste = (line: string) => step(() => run("sh", ["-c", line], { timeout: 60_000 }))

/** Waits for something that takes longer than a user's action. */
const eventually = (page: Page, selector: string, state: "attached" | "detached" = "attached") =>
  Effect.promise(() => page.locator(selector).first().waitFor({ state, timeout: 120_000 }))

const pressed = (page: Page, name: RegExp) => step(() => page.getByRole("button", { name }).click())

/** Requests that the service may refuse for now, with the time to wait, on a machine that runs other tests, too. */
const maxRefused = 1

/** A slow machine takes a multiple of what a person needs. */
const fiveMinutes = 300_000

const findMarket = Effect.fnUntraced(function* (page: Page) {
  yield* step(() => page.locator(".tape tbody tr").nth(5).waitFor())
  yield* picture(page, "stranger-1-opened")
  yield* step(() => page.keyboard.press("/"))
  yield* step(() => page.keyboard.type("eth/usd"))
  yield* step(() =>
    page
      .getByRole("option", { name: /ETH\/USD/ })
      .first()
      .waitFor()
  )
  yield* step(() => page.keyboard.press("Enter"))
  yield* step(() => page.waitForURL(/#\/market\/sandbox\/ETH-USD$/))
  yield* eventually(page, "[data-coverage=complete]")
  yield* picture(page, "stranger-2-market")
})

/** Reads the proof of a trade, and returns its price, and what the copied request returns. */
const readProof = Effect.fnUntraced(function* (page: Page) {
  // The newest trades may wait for the store.
  yield* step(() => page.locator(".tape button.proven").nth(25).click())
  yield* step(() => page.locator("[data-verdict=proven]").waitFor())
  yield* step(() => page.getByText("How gaps are found").waitFor())
  yield* picture(page, "stranger-3-proof")
  const price = yield* step(() => page.locator("[data-exact='Price, USD']").innerText())
  yield* pressed(page, /^Copy: The request/)
  yield* step(() => page.getByText("Copied.").waitFor())
  const line = String(yield* step(() => page.evaluate("navigator.clipboard.readText()")))
  const { stdout } = yield* paste(line)
  yield* step(() => page.keyboard.press("Escape"))
  return { price, stdout }
})

const travel = Effect.fnUntraced(function* (page: Page) {
  yield* goTo(page, "DEX")
  yield* step(() => page.locator("[data-pool] a").first().click())
  yield* step(() => page.locator("[data-figure=txCount]").waitFor())
  const toEvents = step(() => page.locator("[data-figure=txCount]").innerText()).pipe(
    Effect.map((text) => Number(text.replaceAll(",", "")))
  )
  const newest = yield* toEvents
  yield* step(() => page.getByRole("slider").fill("61"))
  yield* step(() => page.getByText(/^block 61 ·/).waitFor())
  assert.isBelow(yield* toEvents, newest)
  yield* picture(page, "stranger-4-old-block")
})

const healGap = Effect.fnUntraced(function* (page: Page) {
  yield* goTo(page, "Health")
  yield* pressed(page, /Cut the upstream/)
  yield* eventually(page, "[data-bar=open]")
  yield* picture(page, "stranger-5-gap")
  yield* pressed(page, /^Heal/)
  // The service does not call the failing exchange for half a minute.
  yield* eventually(page, "[data-bar=open]", "detached")
  yield* picture(page, "stranger-6-healed")
})

const seeReorg = Effect.fnUntraced(function* (page: Page) {
  yield* goTo(page, "Blocks")
  yield* eventually(page, "[data-head]")
  // The stream has begun once the chain has grown.
  const head = yield* step(() => page.locator("[data-head]").getAttribute("data-head"))
  yield* eventually(page, `[data-head]:not([data-head="${head}"])`)
  yield* goTo(page, "Health")
  yield* pressed(page, /Reorganize the chain/)
  yield* step(() => page.getByText("The chain has left its branch").waitFor())
  yield* eventually(page, "[data-reorgs]:not([data-reorgs='0'])")
  yield* picture(page, "stranger-7-reorg-health")
  yield* goTo(page, "Blocks")
  yield* eventually(page, "[data-reorg]")
  yield* picture(page, "stranger-8-reorg")
})

describe.skipIf(chromiumPath === undefined)("a stranger's five minutes (CHAINTAPE_CHROMIUM)", () => {
  layer(DemoProgram.layer, { excludeTestServices: true, timeout: "400 seconds" })((it) => {
    it.effect(
      "lead from the printed link to a proof, an old block, a gap that heals, a reorg and a request that works",
      () =>
        Effect.gen(function* () {
          const { link } = yield* DemoProgram
          const context = yield* openBrowser({
            viewport: { width: 1280, height: 900 },
            permissions: ["clipboard-read", "clipboard-write"]
          })
          const page = yield* step(() => context.newPage())
          const complaints: Array<string> = []
          page.on("console", (message) => {
            if (message.type() === "error") complaints.push(`${message.text()} ${message.location().url}`)
          })
          page.on("pageerror", (error) => complaints.push(error.message))
          const refused: Array<string> = []
          page.on("response", (response) => {
            const isRefused = response.status() === 503 && response.headers()["retry-after"] !== undefined
            if (isRefused) refused.push(response.url())
          })
          const begun = yield* Clock.currentTimeMillis
          yield* step(() => page.goto(link))
          yield* findMarket(page)
          const { price, stdout } = yield* readProof(page)
          assert.match(stdout, /^HTTP\/1\.1 200 OK/)
          assert.match(stdout, /chaintape-coverage: complete=\?1/)
          assert.include(stdout, `"price":${price},`)
          yield* travel(page)
          yield* healGap(page)
          yield* seeReorg(page)
          const took = (yield* Clock.currentTimeMillis) - begun
          yield* Effect.logInfo(`A stranger's tour took ${Math.round(took / 1000)} s`)
          assert.isBelow(took, fiveMinutes)
          assert.isAtMost(refused.length, maxRefused, refused.join(" "))
          assert.deepStrictEqual(
            complaints.filter((text) => !refused.some((url) => text.includes("status of 503 ") && text.endsWith(url))),
            []
          )
        }).pipe(Effect.scoped),
      600_000
    )
  })
})
