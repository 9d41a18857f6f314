import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { chromiumPath, step } from "../Chromium.ts"
import type { DemoPage } from "./DemoPage.ts"
import { goTo, grown, openDemo, reached, setHidden } from "./DemoPage.ts"
import { DemoProgram } from "./DemoProgram.ts"

/** In milliseconds. */
const newestTrade = "Date.parse(document.querySelector('.tape tbody time').dateTime)"
const newestBlock = "Number(document.querySelector('[data-head]').dataset.head)"
const newestOfSlider = "Number(document.querySelector('[data-block]').dataset.block)"

/** The paths of the requests of a page while something happens, without those of the page it comes from, if any. */
const requestsDuring = <E, R>({ page }: DemoPage, happens: Effect.Effect<void, E, R>, from?: string) => {
  const paths: Array<string> = []
  const note = (request: { readonly url: () => string }) => {
    if (page.url() !== from) paths.push(new URL(request.url()).pathname)
  }
  return Effect.acquireUseRelease(
    Effect.sync(() => page.on("request", note)),
    () => Effect.as(happens, paths),
    () => Effect.sync(() => page.off("request", note))
  )
}

const openOne = Effect.flatMap(openDemo({ viewport: { width: 1440, height: 900 } }), ([demo]) =>
  demo === undefined ? Effect.die("there is no page") : Effect.succeed(demo)
)

describe.skipIf(chromiumPath === undefined)("a page of the demo at rest (CHAINTAPE_CHROMIUM)", () => {
  layer(DemoProgram.layer, { excludeTestServices: true, timeout: "400 seconds" })((it) => {
    it.effect(
      "sends no requests: its streams deliver trades and blocks",
      () =>
        Effect.gen(function* () {
          const demo = yield* openOne
          const { page } = demo
          yield* step(() => page.locator("[data-coverage=complete]").waitFor())
          yield* step(() => page.locator(".day dd").first().waitFor())
          // The figures may be those of the stream while the candles before it are read.
          yield* grown(page, newestTrade, 8000)
          assert.deepStrictEqual(yield* requestsDuring(demo, grown(page, newestTrade, 10_000)), [])
          yield* goTo(page, "Blocks")
          yield* step(() => page.locator("[data-head]").waitFor())
          yield* grown(page, newestBlock, 1)
          assert.deepStrictEqual(yield* requestsDuring(demo, grown(page, newestBlock, 10)), [])
        }).pipe(Effect.scoped),
      400_000
    )

    it.effect(
      "requests a pool only after it had swaps",
      () =>
        Effect.gen(function* () {
          const demo = yield* openOne
          const { page } = demo
          yield* goTo(page, "DEX")
          yield* step(() => page.locator("[data-pool] a").first().click())
          yield* step(() => page.getByRole("region", { name: "Events, newest first" }).waitFor())
          yield* grown(page, newestOfSlider, 2)
          const paths = yield* requestsDuring(demo, grown(page, newestOfSlider, 10))
          const ofPool = paths.filter((path) => /\/v2\/dex\/.*\/pool\/0x/.test(path))
          // Four parts, once in five seconds. The figures of a day and a week, with their three blocks, when the page is
          // opened, and then once in a minute.
          assert.isAtMost(ofPool.length, 16 + 3, paths.join(" "))
          const others = paths.filter((path) => !ofPool.includes(path))
          assert.isAtMost(others.length, 3, paths.join(" "))
          assert.isTrue(
            others.every((path) => path === "/v2/blocks/devnet"),
            paths.join(" ")
          )
        }).pipe(Effect.scoped),
      400_000
    )

    it.effect(
      "asks for the figures of a day and a week of a pool, and of a token, once when the page is opened",
      () =>
        Effect.gen(function* () {
          const demo = yield* openOne
          const { page } = demo
          yield* goTo(page, "DEX")
          yield* step(() => page.locator("[data-pool] a").first().waitFor())
          yield* grown(page, newestOfSlider, 2)
          for (const link of ["[data-pool] a", ".pair a"]) {
            const paths = yield* requestsDuring(
              demo,
              Effect.gen(function* () {
                yield* step(() => page.locator(link).first().click())
                yield* step(() => page.locator("[data-span]").first().waitFor())
                yield* grown(page, newestOfSlider, 12)
              }),
              // The list that is left reads its rows once in five seconds, perhaps at the click.
              page.url()
            )
            assert.isNotEmpty(paths)
            const blocks = paths.filter((path) => path === "/v2/blocks/devnet")
            assert.isAtMost(blocks.length, 3, paths.join(" "))
            const pools = paths.filter((path) => path.endsWith("/devnet/pools"))
            assert.isAtMost(pools.length, 1, paths.join(" "))
            const tokens = paths.filter((path) => path.endsWith("/devnet/tokens"))
            // The token once in five seconds, and as of the beginnings of a day and a week.
            assert.isAtMost(tokens.length, 4 + 3, paths.join(" "))
          }
        }).pipe(Effect.scoped),
      400_000
    )

    it.effect(
      "closes its stream while it is hidden, and then shows what it has missed",
      () =>
        Effect.gen(function* () {
          const [demo, clock] = yield* openDemo({ viewport: { width: 1440, height: 900 } }, 2)
          if (demo === undefined || clock === undefined) return assert.fail("there are no two pages")
          const { page } = demo
          yield* goTo(page, "Blocks")
          yield* goTo(clock.page, "Blocks")
          yield* step(() => page.locator("[data-head]").waitFor())
          yield* grown(page, newestBlock, 2)
          const closed = page.waitForEvent("requestfailed", (request) => request.url().includes("/live/blocks/"))
          yield* setHidden(page, true)
          yield* step(() => closed)
          const head = Number(yield* step(() => page.evaluate(newestBlock)))
          yield* step(() => clock.page.locator("[data-head]").waitFor())
          yield* reached(clock.page, newestBlock, head + 4)
          assert.strictEqual(Number(yield* step(() => page.evaluate(newestBlock))), head)
          yield* setHidden(page, false)
          yield* reached(page, newestBlock, head + 4)
          const rows =
            "[...document.querySelectorAll('main tbody tr td:first-child')].map((cell) => Number(cell.textContent.replaceAll(',', '')))"
          const isWhole = `(${rows}).every((number, index, all) => index === 0 || number === all[index - 1] - 1)`
          assert.isTrue(yield* step(() => page.evaluate(isWhole)))
        }).pipe(Effect.scoped),
      400_000
    )
  })
})
