import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { chromiumPath, openBrowser, picture, step } from "./Chromium.ts"
import { openDemo, reached, violations } from "./demo/DemoPage.ts"
import { DemoProgram } from "./demo/DemoProgram.ts"

/** Sends the form of an operation, and returns the status line, the headers and the body that the page shows. */
const send = Effect.fnUntraced(function* (page: Page, operation: string) {
  const form = page.getByRole("form", { name: `Request of ${operation}`, exact: true })
  yield* step(() => form.getByRole("button", { name: "Send the request" }).click())
  const shown = form.getByRole("status")
  yield* step(() => shown.locator("pre").nth(1).waitFor())
  const status = yield* step(() => shown.locator("p").innerText())
  const [headers = "", body = ""] = yield* step(() => shown.locator("pre").allInnerTexts())
  return { status, headers, body, command: yield* step(() => form.locator("pre").first().innerText()) }
})

/** A browser that refuses its storage, and a page without TLS from another machine, which has no clipboard. */
const withoutStorageAndClipboard = `
for (const name of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, name, { get: () => { throw new DOMException("Access is denied", "SecurityError") } })
Object.defineProperty(Navigator.prototype, "clipboard", { get: () => undefined })`

describe.skipIf(chromiumPath === undefined)("the API reference (CHAINTAPE_CHROMIUM)", () => {
  layer(DemoProgram.layer, { excludeTestServices: true, timeout: "400 seconds" })((it) => {
    it.effect(
      "sends each request with the key of the tab and values that exist, and shows the response",
      () =>
        Effect.gen(function* () {
          const { origin } = yield* DemoProgram
          const [demo] = yield* openDemo()
          const { complaints, page } = demo ?? assert.fail("there is no page")
          yield* step(() => page.goto(`${origin}/docs`))
          // The document has an example of its own, which exists on another chain.
          const token = `document.getElementById("dex.tokenTrades-token")`
          yield* reached(page, `${token}.value === ${token}.defaultValue ? 0 : 1`, 1)

          const trade = yield* send(page, "cex.lastTrade")
          assert.match(trade.status, /^200 OK in \d+ ms\.$/)
          assert.match(trade.headers, /chaintape-source: (record|ccxt)/)
          assert.include(trade.body, `"exchange": "sandbox"`)
          assert.strictEqual(
            trade.command,
            `curl -H "api-key: $CHAINTAPE_API_KEY" "${origin}/v2/cex/sandbox/BTC-USD/lasttrade"`
          )
          for (const operation of ["dex.pool", "dex.tokenTrades", "blocks.blocks"]) {
            const { headers, status } = yield* send(page, operation)
            assert.match(status, /^200 OK/, operation)
            assert.include(headers, "chaintape-as-of: ", operation)
          }
          const stream = yield* send(page, "cex.liveTrades")
          assert.include(stream.status, "The first 5 events:")
          assert.include(stream.body, "event: trade")
          const meaning = yield* step(() => page.locator("#headers").innerText())
          assert.include(meaning, "Chaintape-Coverage")
          assert.notInclude(yield* step(() => page.locator("body").innerText()), "`")
          yield* picture(page, "reference")
          assert.deepStrictEqual(yield* violations(page), [])
          assert.deepStrictEqual(complaints, [])

          yield* step(() => page.getByLabel("limit", { exact: true }).first().fill("0"))
          const refused = yield* send(page, "cex.trades")
          assert.match(refused.status, /^400 Bad Request/)
          assert.include(refused.body, `"code": "invalid-parameter"`)
          assert.include(refused.command, "/trades?limit=0")
        }),
      200_000
    )

    it.effect(
      "sends requests and copies commands where the browser refuses its storage and has no clipboard",
      () =>
        Effect.gen(function* () {
          const { key, origin } = yield* DemoProgram
          const context = yield* openBrowser()
          const page = yield* step(() => context.newPage())
          const errors: Array<string> = []
          page.on("pageerror", ({ message }) => errors.push(message))
          yield* step(() => page.addInitScript(withoutStorageAndClipboard))
          yield* step(() => page.goto(`${origin}/docs`))
          yield* step(() => page.getByLabel("API key").fill(key))
          const { status } = yield* send(page, "cex.lastTrade")
          assert.match(status, /^200 OK/)
          const form = page.getByRole("form", { name: "Request of cex.lastTrade", exact: true })
          yield* step(() => form.getByRole("button", { name: "Copy" }).press("Enter"))
          yield* step(() => form.getByRole("button", { name: "Copied" }).waitFor())
          assert.match(String(yield* step(() => page.evaluate("document.activeElement?.textContent"))), /^Cop/)
          const input = page.getByLabel("limit", { exact: true }).first()
          yield* step(() => input.press("ControlOrMeta+v"))
          assert.strictEqual(
            yield* step(() => input.inputValue()),
            `curl -H "api-key: ${key}" "${origin}/v2/cex/sandbox/BTC-USD/lasttrade"`
          )
          assert.deepStrictEqual(errors, [])
        }).pipe(Effect.scoped),
      200_000
    )

    it.effect(
      "ends a request when its form is sent again, and shows the response to the newer one",
      () =>
        Effect.gen(function* () {
          const { key, origin } = yield* DemoProgram
          const context = yield* openBrowser()
          const page = yield* step(() => context.newPage())
          yield* step(() => page.goto(`${origin}/docs`))
          yield* step(() => page.getByLabel("API key").fill(key))
          const form = page.getByRole("form", { name: "Request of cex.lastTrade", exact: true })
          yield* step(() => page.route("**/lasttrade", () => {}, { times: 1 }))
          yield* step(() => form.getByRole("button", { name: "Send the request" }).click())
          yield* step(() => form.getByText("Waiting for the response").waitFor())
          const ended = page.waitForEvent("requestfailed", { timeout: 20_000 })
          const { status } = yield* send(page, "cex.lastTrade")
          yield* step(() => ended)
          assert.match(status, /^200 OK/)
          assert.match(yield* step(() => form.getByRole("status").locator("p").innerText()), /^200 OK/)
        }).pipe(Effect.scoped),
      200_000
    )
  })
})
