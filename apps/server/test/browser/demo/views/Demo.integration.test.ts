import { gzipSync } from "node:zlib"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import type { Page } from "playwright-core"
import { call } from "../../../HttpCall.ts"
import { measureRealTime } from "../../../MeasureRealTime.ts"
import { chromiumPath, openBrowser, picture, step } from "../../Chromium.ts"
import { goTo, openDemo, violations } from "../DemoPage.ts"
import { DemoProgram } from "../DemoProgram.ts"

/** Each view, and an element that appears once it is loaded. */
const views = {
  Market: ".tape tbody tr",
  DEX: "[data-pool]",
  Blocks: "[data-head]",
  Health: ".switches button"
} as const

const visit = Effect.fnUntraced(function* (page: Page, name: string, width: number) {
  yield* picture(page, `demo-${name}`)
  const wide = yield* step(() => page.evaluate("document.documentElement.scrollWidth"))
  assert.isAtMost(Number(wide), width, `${name} is broader than the window`)
  assert.deepStrictEqual(yield* violations(page), [], name)
})

const Paints = Schema.Array(Schema.Struct({ name: Schema.String, startTime: Schema.Finite }))

/** The first paint of the demo in a new browser, in milliseconds, and the URLs of its scripts. */
const painted = Effect.gen(function* () {
  const [demo] = yield* openDemo()
  const { page } = demo ?? assert.fail("there is no page")
  const entries = yield* step(() =>
    page.evaluate("performance.getEntriesByType('paint').map(({ name, startTime }) => ({ name, startTime }))")
  )
  const paints = yield* Schema.decodeUnknownEffect(Paints)(entries)
  const first = paints.find(({ name }) => name === "first-contentful-paint")?.startTime ?? Infinity
  const sources = yield* step(() =>
    page.evaluate(
      "performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.endsWith('.js'))"
    )
  )
  return { first, urls: yield* Schema.decodeUnknownEffect(Schema.Array(Schema.String))(sources) }
}).pipe(Effect.scoped)

describe.skipIf(chromiumPath === undefined)("the demo in a browser (CHAINTAPE_CHROMIUM)", () => {
  layer(DemoProgram.layer, { excludeTestServices: true, timeout: "400 seconds" })((it) => {
    for (const colorScheme of ["light", "dark"] as const)
      for (const width of [2560, 1440, 360])
        it.effect(
          `shows every view without a complaint of the browser or of axe: ${colorScheme}, ${width} px`,
          () =>
            Effect.gen(function* () {
              const [demo] = yield* openDemo({ colorScheme, viewport: { width, height: 900 } })
              if (demo === undefined) return assert.fail("there is no page")
              const { complaints, page } = demo
              for (const [view, shown] of Object.entries(views)) {
                yield* goTo(page, view)
                yield* step(() => page.locator(shown).first().waitFor())
                yield* visit(page, `${view}-${colorScheme}-${width}`, width)
              }
              yield* goTo(page, "DEX")
              yield* step(() => page.locator("[data-pool] a").first().click())
              yield* step(() => page.getByRole("region", { name: "Events, newest first" }).waitFor())
              yield* step(() =>
                page.getByRole("group", { name: /^\d+ candles of 1m each, of \S+ in \S+\. / }).waitFor()
              )
              yield* step(() => page.getByRole("img", { name: /^Liquidity at prices from \S+ to \S+ \S+$/ }).waitFor())
              yield* visit(page, `Pool-${colorScheme}-${width}`, width)
              yield* goTo(page, "Blocks")
              yield* step(() => page.locator("main tbody a").first().click())
              yield* step(() => page.locator("[data-hash]").waitFor())
              yield* visit(page, `Block-${colorScheme}-${width}`, width)
              yield* step(() => page.getByRole("button", { name: "Try it" }).click())
              yield* step(() => page.getByRole("button", { name: "Send" }).click())
              yield* step(() => page.getByText("HTTP 200").waitFor())
              yield* visit(page, `Try-${colorScheme}-${width}`, width)
              assert.deepStrictEqual(complaints, [])
            }).pipe(Effect.scoped),
          600_000
        )

    it.effect(
      "lists the recorded markets with their coverage, and opens one",
      () =>
        Effect.gen(function* () {
          const { origin } = yield* DemoProgram
          const [demo] = yield* openDemo({ viewport: { width: 360, height: 900 } })
          const { page } = demo ?? assert.fail("there is no page")
          const markets = page.locator("[data-recorded]")
          yield* step(() => markets.first().waitFor())
          const texts = yield* step(() => markets.allInnerTexts())
          assert.strictEqual(texts.length, 3)
          assert.isTrue(
            texts.every((text) => /^[A-Z]+\/USD( complete since \w{3} \d+, \d\d:\d\d)?$/.test(text)),
            texts.join()
          )
          yield* step(() => page.getByRole("navigation", { name: "Recorded markets" }).getByText("ETH/USD").click())
          yield* step(() => page.waitForURL(`${origin}/#/market/sandbox/ETH-USD`))
          yield* step(() => page.locator("[data-recorded='ETH/USD'] [aria-current=page]").waitFor())
        }).pipe(Effect.scoped),
      300_000
    )

    it.effect(
      "draws the size of a trade as its part of the largest one",
      () =>
        Effect.gen(function* () {
          const [demo] = yield* openDemo()
          const { page } = demo ?? assert.fail("there is no page")
          const shares = yield* Effect.flatMap(
            step(() =>
              page.evaluate(`[...document.querySelectorAll(".tape td.size")].map((cell) => {
                const style = getComputedStyle(cell)
                return [style.backgroundImage, style.getPropertyValue("--size") / style.getPropertyValue("--largest")]
              })`)
            ),
            Schema.decodeUnknownEffect(Schema.Array(Schema.Tuple([Schema.String, Schema.Finite])))
          )
          assert.isAbove(shares.length, 5)
          assert.isTrue(shares.every(([image]) => image.startsWith("linear-gradient(")))
          assert.strictEqual(Math.max(...shares.map(([, share]) => share)), 1)
          assert.isTrue(shares.every(([, share]) => share > 0))
        }).pipe(Effect.scoped),
      300_000
    )

    it.effect(
      "removes the key from the address, and asks for one if there is none",
      () =>
        Effect.gen(function* () {
          const { key, origin } = yield* DemoProgram
          const [demo] = yield* openDemo()
          assert.strictEqual(demo?.page.url(), `${origin}/#/`)
          const context = yield* openBrowser()
          const page = yield* step(() => context.newPage())
          yield* step(() => page.goto(`${origin}/`))
          yield* step(() => page.getByRole("link", { name: "Sign up" }).waitFor())
          assert.deepStrictEqual(yield* violations(page), [])
          yield* picture(page, "demo-key")
          yield* step(() => page.getByLabel("Key").fill("chaintape_wrong"))
          yield* step(() => page.getByRole("button", { name: "Open" }).click())
          yield* step(() => page.getByText("The service does not know this key").first().waitFor())
          yield* picture(page, "demo-wrong-key")
          yield* step(() => page.locator(".problem").getByRole("button", { name: "Use another key" }).first().click())
          yield* step(() => page.getByLabel("Key").fill(key))
          yield* step(() => page.keyboard.press("Enter"))
          yield* step(() => page.locator(".tape tbody tr").first().waitFor())
          // The form that had the focus is gone.
          assert.strictEqual(yield* step(() => page.evaluate("document.activeElement.id")), "main")
        }).pipe(Effect.scoped),
      300_000
    )

    it.effect(
      "takes the key of a newer link in the tab that is open",
      () =>
        Effect.gen(function* () {
          const { link, origin } = yield* DemoProgram
          const [demo] = yield* openDemo()
          const { page } = demo ?? assert.fail("there is no page")
          yield* step(() => page.getByRole("button", { name: "Try it" }).click())
          yield* step(() => page.getByRole("dialog").waitFor())
          yield* step(() => page.goto(`${origin}/#key=chaintape_wrong`))
          yield* step(() => page.getByRole("dialog").waitFor({ state: "detached" }))
          yield* step(() => page.getByText("The service does not know this key").first().waitFor())
          assert.strictEqual(page.url(), `${origin}/#/`)
          // The budget was that of the other key.
          assert.strictEqual(yield* step(() => page.locator(".budget").count()), 0)
          yield* step(() => page.goto(link))
          yield* step(() => page.locator(".problem").first().waitFor({ state: "detached" }))
          yield* step(() => page.locator(".tape tbody tr").first().waitFor())
          assert.strictEqual(page.url(), `${origin}/#/`)
        }).pipe(Effect.scoped),
      300_000
    )

    it.effect(
      "shows only that a market is unknown, and nothing about its trades",
      () =>
        Effect.gen(function* () {
          const { origin } = yield* DemoProgram
          const [demo] = yield* openDemo()
          const { page } = demo ?? assert.fail("there is no page")
          yield* step(() => page.goto(`${origin}/#/market/sandbox/NO-SUCH/1m`))
          yield* step(() => page.locator(".problem").first().waitFor())
          yield* picture(page, "demo-unknown-market")
          const text = yield* step(() => page.locator("main").innerText())
          assert.notMatch(text, /no trade yet|Made here|being read|…/)
          yield* step(() => page.getByRole("combobox", { name: "Exchange" }).fill("zzz"))
          yield* step(() => page.getByText("Nothing matches.").waitFor())
          yield* picture(page, "demo-nothing-matches")
          assert.deepStrictEqual(yield* violations(page), [])
        }).pipe(Effect.scoped),
      300_000
    )

    it.effect(
      "paints within a second, with less than 300 kB of JavaScript",
      () =>
        Effect.gen(function* () {
          const { origin } = yield* DemoProgram
          const { first, urls } = yield* measureRealTime(painted, ({ first }) => first < 1000)
          const paths = urls.map((url) => url.slice(origin.length))
          assert.isNotEmpty(paths)
          const sizes = yield* Effect.forEach(paths, (path) =>
            Effect.map(call(origin, { path }), ({ body }) => gzipSync(body, { level: 9 }).length)
          )
          const size = sizes.reduce((sum, one) => sum + one, 0)
          yield* Effect.logInfo(`First paint after ${Math.round(first)} ms, ${size} bytes of JavaScript (gzip)`)
          assert.isBelow(size, 300_000)
        }),
      300_000
    )

    it.effect(
      "copies a curl line that works, and never shows the key",
      () =>
        Effect.gen(function* () {
          const { key, origin } = yield* DemoProgram
          const [demo] = yield* openDemo({ permissions: ["clipboard-read", "clipboard-write"] })
          const { page } = demo ?? assert.fail("there is no page")
          yield* step(() => page.getByRole("button", { name: "Try it" }).click())
          yield* step(() => page.getByRole("button", { name: "Copy: curl" }).click())
          yield* step(() => page.getByText("Copied.").waitFor())
          const line = String(yield* step(() => page.evaluate("navigator.clipboard.readText()")))
          assert.include(line, key)
          assert.notInclude(yield* step(() => page.content()), key)
          const [, path = ""] = /"http:\/\/[^/"]+([^"]+)"/.exec(line) ?? []
          assert.strictEqual((yield* call(origin, { path, headers: { "api-key": key } })).status, 200)
        }).pipe(Effect.scoped),
      300_000
    )
  })
})
