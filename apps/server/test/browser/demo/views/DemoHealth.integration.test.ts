import { assert, describe, layer } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import type { Page } from "playwright-core"
import { chromiumPath, picture, step } from "../../Chromium.ts"
import { goTo, openDemo, setHidden, violations } from "../DemoPage.ts"
import { DemoProgram } from "../DemoProgram.ts"

const recording = "[data-recording='BTC/USD']"

/** The times of the requests of a page for the status, from now on. */
const toTimes = (page: Page): ReadonlyArray<number> => {
  const times: Array<number> = []
  page.on("request", (request) => {
    if (request.url().endsWith("/status")) times.push(performance.now())
  })
  return times
}

const reached = (times: ReadonlyArray<number>, count: number) =>
  Effect.sync(() => times.length).pipe(
    Effect.repeat({ until: (length) => length >= count, schedule: Schedule.spaced("100 millis") }),
    Effect.timeout("60 seconds"),
    Effect.orDie
  )

describe.skipIf(chromiumPath === undefined)("the health page (CHAINTAPE_CHROMIUM)", () => {
  layer(DemoProgram.layer, { excludeTestServices: true, timeout: "400 seconds" })((it) => {
    it.effect(
      "asks for the status at most as often as it says, and not while it is hidden",
      () =>
        Effect.gen(function* () {
          const [demo, clock] = yield* openDemo({ viewport: { width: 1280, height: 900 } }, 2)
          if (demo === undefined || clock === undefined) return assert.fail("there are no two pages")
          const { page } = demo
          for (const one of [page, clock.page]) {
            yield* goTo(one, "Health")
            yield* step(() => one.locator(recording).waitFor())
          }
          const text = yield* step(() => page.locator("main").innerText())
          const [, seconds = ""] = /Refreshes every (\d+) s while this page is visible\./.exec(text) ?? []
          const times = toTimes(page)
          yield* reached(times, 4)
          const [first = 0, , , fourth = 0] = times
          // Requests are reported a little later than they are sent.
          assert.isAtLeast(fourth - first, 3 * Number(seconds) * 900)

          yield* setHidden(page, true)
          const asked = times.length
          yield* reached(toTimes(clock.page), 4)
          assert.isAtMost(times.length, asked + 1)
          yield* setHidden(page, false)
          yield* reached(times, asked + 2)
        }).pipe(Effect.scoped),
      400_000
    )

    for (const [colorScheme, width] of [
      ["light", 1280],
      ["dark", 1280],
      ["dark", 360]
    ] as const)
      it.effect(
        `shows a gap on the timeline with the missing ids, and its end: ${colorScheme}, ${width} px`,
        () =>
          Effect.gen(function* () {
            const [demo] = yield* openDemo({ colorScheme, viewport: { width, height: 900 } })
            const { complaints, page } = demo ?? assert.fail("there is no page")
            yield* goTo(page, "Health")
            const row = page.locator(recording)
            yield* step(() => row.locator("[data-bar]").first().waitFor())
            assert.strictEqual(yield* step(() => row.locator("[data-bar]").count()), 90)
            yield* step(() => page.getByRole("button", { name: /Cut the upstream/ }).click())
            yield* step(() => row.locator("[data-bar=open]").first().waitFor())
            // The pressed button states what the sandbox does, not what this page has done.
            yield* step(() => page.reload())
            yield* step(() => page.getByRole("button", { name: /Cut the upstream/, pressed: true }).waitFor())
            assert.strictEqual(yield* step(() => page.locator("main [aria-pressed=true]").count()), 1)
            yield* step(() => row.locator("summary").click())
            yield* step(() =>
              row
                .getByText(/^ids? [\d,]+( to [\d,]+)?, /)
                .first()
                .waitFor()
            )
            yield* picture(page, `demo-health-${colorScheme}-${width}`)
            assert.deepStrictEqual(yield* violations(page), [])
            const wide = yield* step(() => page.evaluate("document.documentElement.scrollWidth"))
            assert.isAtMost(Number(wide), width)
            if (width === 1280) {
              const cut =
                "[...document.querySelectorAll('main .scroll')].filter((one) => one.scrollWidth > one.clientWidth).length"
              assert.strictEqual(yield* step(() => page.evaluate(cut)), 0, "a table is cut")
            }
            yield* step(() => page.getByRole("button", { name: /^Heal/ }).click())
            // The service does not call the failing exchange for half a minute.
            yield* Effect.promise(() =>
              page.locator("main [data-bar=open]").first().waitFor({ state: "detached", timeout: 120_000 })
            )
            yield* Effect.promise(() => row.getByText("No trade is missing.").waitFor({ timeout: 120_000 }))
            assert.deepStrictEqual(complaints, [])
          }).pipe(Effect.scoped),
        400_000
      )
  })
})
