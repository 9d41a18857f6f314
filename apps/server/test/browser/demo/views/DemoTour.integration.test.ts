import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { startProgram } from "../../AccountProgram.ts"
import { chromiumPath, openBrowser, picture, step } from "../../Chromium.ts"
import { goTo, openDemo, violations } from "../DemoPage.ts"
import { DemoProgram } from "../DemoProgram.ts"

/** Waits for something that takes longer than a user's action. */
const eventually = (page: Page, selector: string) =>
  Effect.promise(() => page.locator(selector).first().waitFor({ state: "attached", timeout: 120_000 }))

/** The steps, and what the view shows once a step is done. */
const shown: ReadonlyArray<readonly [step: string, evidence: string]> = [
  ["Cut the exchange", "[data-bar=open]"],
  ["See the gap", "[data-coverage=incomplete]"],
  ["See it fill", "[data-coverage=complete]"],
  ["Reorganize the chain", "[data-reorg]"],
  ["Travel to the block before", "[data-field=txCount]"]
]

const focused = (page: Page) => step(() => page.evaluate("document.activeElement?.textContent"))

const focusedButton = (page: Page) =>
  step(() => page.evaluate("document.activeElement?.closest('button')?.textContent"))

/** Moves the focus forward to the next button of the tour, and presses it. */
const press = Effect.fnUntraced(function* (page: Page, name: string) {
  for (let tabs = 0; (yield* focusedButton(page)) !== name; tabs += 1) {
    assert.isBelow(tabs, 4, `"${name}" is not reached by the keyboard`)
    yield* step(() => page.keyboard.press("Tab"))
  }
  yield* step(() => page.keyboard.press("Enter"))
})

const takeStep = Effect.fnUntraced(function* (page: Page, at: number, title: string, evidence: string) {
  const panel = page.locator(`.tour[data-step="${at}"]`)
  yield* step(() => panel.waitFor())
  assert.strictEqual(yield* focused(page), title)
  const action = yield* step(() => panel.locator("button").first().innerText())
  yield* press(page, action)
  yield* eventually(page, `.tour[data-step="${at}"][data-done=true]`)
  yield* eventually(page, evidence)
  assert.match(yield* step(() => panel.getByRole("status").innerText()), /^Done\. \w/)
  yield* picture(page, `demo-tour-${at}`)
  assert.deepStrictEqual(yield* violations(page), [])
})

describe.skipIf(chromiumPath === undefined)("the tour through the faults (CHAINTAPE_CHROMIUM)", () => {
  layer(DemoProgram.layer, { excludeTestServices: true, timeout: "400 seconds" })((it) => {
    it.effect(
      "leads by the keyboard from a cut to its end, and from a reorg to the block before",
      () =>
        Effect.gen(function* () {
          const [demo] = yield* openDemo({ viewport: { width: 1280, height: 900 } })
          const { complaints, page } = demo ?? assert.fail("there is no page")
          yield* goTo(page, "Health")
          yield* step(() => page.getByRole("button", { name: "Take the tour in 5 steps" }).press("Enter"))
          for (const [index, [title, evidence]] of shown.entries()) {
            yield* takeStep(page, index + 1, title, evidence)
            if (index === 1) {
              // It is left, and continued after the page was loaded again.
              yield* press(page, "Leave the tour")
              yield* step(() => page.locator(".tour").waitFor({ state: "detached" }))
              assert.strictEqual(yield* step(() => page.evaluate("document.activeElement?.id")), "main")
              yield* goTo(page, "Health")
              yield* step(() => page.reload())
              yield* step(() => page.getByRole("button", { name: "Continue the tour at step 2" }).press("Enter"))
              yield* step(() => page.locator(".tour[data-step='2']").waitFor())
            }
            yield* press(page, index + 1 === shown.length ? "End the tour" : "Next step")
          }
          yield* step(() => page.locator(".tour").waitFor({ state: "detached" }))
          assert.strictEqual(yield* step(() => page.evaluate("document.activeElement?.id")), "main")
          // While the exchange is cut, the candles before the recording are refused.
          assert.deepStrictEqual(
            complaints.filter((text) => !text.includes("the server responded with a status of 502")),
            []
          )
        }).pipe(Effect.scoped),
      600_000
    )

    it.effect(
      "says that the sandbox refuses an action, and leaves the focus where a reader has gone meanwhile",
      () =>
        Effect.gen(function* () {
          const [demo] = yield* openDemo()
          const { page } = demo ?? assert.fail("there is no page")
          yield* goTo(page, "Health")
          yield* step(() => page.getByRole("button", { name: "Take the tour in 5 steps" }).press("Enter"))
          const tour = page.getByRole("complementary", { name: "Cut the exchange" })
          yield* step(() =>
            page.route("**/sandbox/faults", (route) =>
              route.request().method() === "POST" ? route.abort() : route.continue()
            )
          )
          yield* step(() => tour.getByRole("button", { name: "Cut the upstream" }).click())
          yield* step(() => tour.getByText("The service does not answer.").waitFor())
          assert.strictEqual(yield* step(() => tour.getByText(/^Waiting/).count()), 0)

          const held = Promise.withResolvers<void>()
          yield* step(() =>
            page.route("**/sandbox/faults", async (route) => {
              await held.promise
              await route.continue()
            })
          )
          yield* step(() => page.reload())
          yield* step(() => page.getByRole("combobox", { name: "Search" }).fill("usd"))
          held.resolve()
          yield* step(() => tour.waitFor())
          assert.strictEqual(yield* step(() => page.evaluate("document.activeElement.value")), "usd")
        }).pipe(Effect.scoped),
      400_000
    )

    it.effect(
      "reports the refusal of an action of an earlier step no more",
      () =>
        Effect.gen(function* () {
          const [demo] = yield* openDemo()
          const { page } = demo ?? assert.fail("there is no page")
          yield* goTo(page, "Health")
          yield* step(() => page.getByRole("button", { name: "Take the tour in 5 steps" }).click())
          const lost = Promise.withResolvers<void>()
          const ended = Promise.withResolvers<void>()
          yield* step(() =>
            page.route("**/sandbox/faults", async (route) => {
              if (route.request().method() !== "POST") return route.continue()
              await route.fetch()
              await lost.promise
              await route.abort()
              ended.resolve()
            })
          )
          const first = page.getByRole("complementary", { name: "Cut the exchange" })
          yield* step(() => first.getByRole("button", { name: "Cut the upstream" }).click())
          yield* step(() => first.getByRole("button", { name: "Next step" }).click())
          const tour = page.getByRole("complementary", { name: "See the gap" })
          yield* step(() => tour.waitFor())
          lost.resolve()
          yield* step(() => ended.promise)
          yield* Effect.sleep("1 second")
          assert.strictEqual(yield* step(() => tour.getByText("The service does not answer.").count()), 0)
        }).pipe(Effect.scoped),
      400_000
    )

    it.effect(
      "is not offered where there is no sandbox",
      () =>
        Effect.gen(function* () {
          const origin = yield* startProgram
          const context = yield* openBrowser()
          yield* step(() =>
            context.addInitScript(
              `sessionStorage.setItem("chaintape-tour", '{"isOpen":true,"step":1,"isBegun":false,"isDone":false}')`
            )
          )
          const page = yield* step(() => context.newPage())
          yield* step(() => page.goto(`${origin}/#key=of-another-service`))
          yield* goTo(page, "Health")
          yield* eventually(page, ".health")
          // Two readings of the panel.
          yield* step(() => page.waitForResponse(/status/))
          yield* step(() => page.waitForResponse(/status/))
          assert.strictEqual(yield* step(() => page.locator(".tour, .sandbox").count()), 0)
        }).pipe(Effect.scoped),
      400_000
    )
  })
})
