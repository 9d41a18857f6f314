import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { chromiumPath, openBrowser, picture, step } from "../Chromium.ts"
import { goTo, openDemo, violations } from "../demo/DemoPage.ts"
import { DemoProgram } from "../demo/DemoProgram.ts"

/** Nine hours ahead of UTC, all year. */
const timezoneId = "Asia/Tokyo"
const offsetHours = 9

/** The hours between UTC and the time that the page shows of the same moment. */
const shownOffset = (page: Page, selector: string) =>
  Effect.gen(function* () {
    const time = page.locator(selector).first()
    const [iso, text] = [yield* step(() => time.getAttribute("datetime")), yield* step(() => time.innerText())]
    const [, hour = "", minute = ""] = /(\d\d):(\d\d)(:\d\d)?/.exec(text) ?? []
    assert.strictEqual(Number(minute), new Date(iso ?? "").getUTCMinutes())
    return (Number(hour) - new Date(iso ?? "").getUTCHours() + 24) % 24
  })

/** A browser whose clock is a day behind: the trades of now are of another day. */
const dayBehind = `window.Date = class extends Date {
  constructor(...parts) { parts.length === 0 ? super(window.Date.now()) : super(...parts) }
  static now() { return super.now() - 86_400_000 }
}`

const zoneButton = (page: Page, name: string) =>
  page.getByRole("group", { name: "Time zone" }).getByRole("button", { name })

describe.skipIf(chromiumPath === undefined)("the time zone of the demo (CHAINTAPE_CHROMIUM)", () => {
  layer(DemoProgram.layer, { excludeTestServices: true, timeout: "400 seconds" })((it) => {
    it.effect(
      "is that of the viewer or UTC on every page, and is remembered",
      () =>
        Effect.gen(function* () {
          const { origin } = yield* DemoProgram
          const [demo] = yield* openDemo({ timezoneId, viewport: { width: 360, height: 900 } })
          const { complaints, page } = demo ?? assert.fail("there is no page")
          assert.strictEqual(yield* shownOffset(page, ".legend time"), offsetHours)
          yield* step(() => page.getByText(`Times are in ${timezoneId}`).waitFor())
          yield* step(() => zoneButton(page, "UTC").press("Enter"))
          yield* step(() => page.getByText("Times are in UTC").waitFor())
          assert.strictEqual(yield* shownOffset(page, ".legend time"), 0)
          // A paragraph ends before an element such as a group: a browser that parses it moves the group out.
          assert.isNull(yield* step(() => page.evaluate("document.querySelector('p :is(div, p, ul, dl, table)')")))
          yield* picture(page, "demo-utc-360")
          assert.deepStrictEqual(yield* violations(page), [])

          yield* goTo(page, "Blocks")
          yield* step(() => page.locator("main tbody time").first().waitFor())
          assert.strictEqual(yield* shownOffset(page, "main tbody time"), 0)
          yield* step(() => page.goto(`${origin}/#/blocks`))
          yield* step(() => page.reload())
          yield* step(() => page.locator("main tbody time").first().waitFor())
          assert.strictEqual(yield* shownOffset(page, "main tbody time"), 0)
          yield* step(() => zoneButton(page, "local").click())
          assert.strictEqual(yield* shownOffset(page, "main tbody time"), offsetHours)
          assert.deepStrictEqual(complaints, [])
        }).pipe(Effect.scoped),
      400_000
    )

    it.effect(
      "is that of all open tabs, whichever of them chooses it",
      () =>
        Effect.gen(function* () {
          const [demo, other] = yield* openDemo({ timezoneId }, 2)
          if (demo === undefined || other === undefined) return assert.fail("there are no two pages")
          const isUTC = (page: Page) => step(() => page.getByText("Times are in UTC").waitFor())
          yield* step(() => zoneButton(demo.page, "UTC").click())
          yield* isUTC(demo.page)
          yield* isUTC(other.page)
          yield* step(() => zoneButton(other.page, "local").click())
          yield* step(() => demo.page.getByText(`Times are in ${timezoneId}`).waitFor())
        }).pipe(Effect.scoped),
      400_000
    )

    it.effect(
      "leaves room for every column of trades of another day, which have their date",
      () =>
        Effect.gen(function* () {
          const { link } = yield* DemoProgram
          const context = yield* openBrowser({ viewport: { width: 1280, height: 900 } })
          const page = yield* step(() => context.newPage())
          yield* step(() => page.addInitScript(dayBehind))
          yield* step(() => page.goto(link))
          yield* step(() => page.locator(".tape tbody tr").nth(5).waitFor())
          const time = yield* step(() => page.locator(".tape tbody time").first().innerText())
          assert.match(time, /^\w{3} \d+, \d{4},/)
          const tape = `document.querySelector(".tape")`
          assert.strictEqual(yield* step(() => page.evaluate(`${tape}.scrollWidth - ${tape}.clientWidth`)), 0)
          yield* picture(page, "demo-trades-of-another-day")
        }).pipe(Effect.scoped),
      300_000
    )
  })
})
