import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { chromiumPath, openBrowser, step } from "../Chromium.ts"
import { goTo } from "./DemoPage.ts"
import { DemoProgram } from "./DemoProgram.ts"

/** A browser that cannot draw charts. */
const withoutCanvas = `(() => {
  const create = document.createElement.bind(document)
  document.createElement = (name, ...rest) => {
    if (name === "canvas") throw new Error("there is no canvas")
    return create(name, ...rest)
  }
})()`

/** A browser that refuses its storage, as with all cookies blocked. */
const withoutStorage = `for (const name of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, name, { get: () => { throw new DOMException("Access is denied", "SecurityError") } })`

describe.skipIf(chromiumPath === undefined)("a view of the demo that cannot be drawn (CHAINTAPE_CHROMIUM)", () => {
  layer(DemoProgram.layer, { excludeTestServices: true, timeout: "400 seconds" })((it) => {
    it.effect(
      "is read again after a failure, and drawn for any address",
      () =>
        Effect.gen(function* () {
          const { link } = yield* DemoProgram
          const context = yield* openBrowser()
          const page = yield* step(() => context.newPage())
          yield* step(() => page.route("**/v2/blocks", (route) => route.abort()))
          yield* step(() => page.goto(link))
          yield* goTo(page, "Blocks")
          yield* step(() => page.getByText("The page retries by itself.").first().waitFor())
          yield* step(() => page.unroute("**/v2/blocks"))
          yield* step(() => page.locator("main tbody tr").nth(2).waitFor())
          yield* step(() => page.goto(link.replace(/#.*$/, "#/market/%")))
          yield* step(() => page.getByRole("navigation", { name: "Views" }).waitFor())
          assert.strictEqual(yield* step(() => page.getByRole("alert").count()), 0)
        }).pipe(Effect.scoped),
      400_000
    )

    it.effect(
      "is drawn where the browser refuses its storage, and takes a key by hand",
      () =>
        Effect.gen(function* () {
          const { link } = yield* DemoProgram
          const context = yield* openBrowser()
          const page = yield* step(() => context.newPage())
          yield* step(() => page.addInitScript(withoutStorage))
          yield* step(() => page.goto(link.replace(/#.*$/, "")))
          yield* step(() =>
            page
              .getByRole("textbox")
              .first()
              .fill(/#key=(.+)$/.exec(link)?.[1] ?? "")
          )
          yield* step(() => page.keyboard.press("Enter"))
          yield* step(() => page.locator(".tape tbody tr").nth(5).waitFor())
          yield* goTo(page, "Blocks")
          yield* step(() => page.locator("main tbody tr").nth(2).waitFor())
        }).pipe(Effect.scoped),
      400_000
    )

    it.effect(
      "shows the response to the last request that was sent by hand, and no earlier failure",
      () =>
        Effect.gen(function* () {
          const { link } = yield* DemoProgram
          const context = yield* openBrowser()
          const page = yield* step(() => context.newPage())
          yield* step(() => page.goto(link))
          yield* goTo(page, "Blocks")
          yield* step(() => page.locator("main tbody tr").nth(2).waitFor())
          yield* step(() => page.getByRole("button", { name: "Try it" }).click())
          const dialog = page.getByRole("dialog")
          const send = dialog.getByRole("button", { name: "Send" })
          yield* step(() => page.route("**/v2/**", (route) => route.abort()))
          yield* step(() => send.click())
          yield* step(() => dialog.getByText("The service does not answer.").waitFor())
          yield* step(() => page.unroute("**/v2/**"))
          yield* step(() => send.click())
          yield* step(() => dialog.getByText("HTTP 200").waitFor())
          assert.strictEqual(yield* step(() => dialog.getByText("The service does not answer.").count()), 0)
        }).pipe(Effect.scoped),
      400_000
    )

    it.effect(
      "shows an error, and does not affect other views",
      () =>
        Effect.gen(function* () {
          const { link } = yield* DemoProgram
          const context = yield* openBrowser()
          const page = yield* step(() => context.newPage())
          yield* step(() => page.addInitScript(withoutCanvas))
          yield* step(() => page.goto(link))
          const said = yield* step(() => page.getByRole("alert").innerText())
          assert.include(said, "This page cannot be drawn in this browser, or not at the moment.")
          yield* step(() => page.getByRole("button", { name: "Load the page again" }).focus())
          yield* goTo(page, "Blocks")
          yield* step(() => page.locator("main tbody tr").nth(2).waitFor())
          assert.strictEqual(yield* step(() => page.getByRole("alert").count()), 0)
        }).pipe(Effect.scoped),
      400_000
    )
  })
})
