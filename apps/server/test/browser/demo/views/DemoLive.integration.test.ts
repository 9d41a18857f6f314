import { assert, describe, layer } from "@effect/vitest"
import { Effect, Schedule, Schema } from "effect"
import type { Page } from "playwright-core"
import { chromiumPath, openBrowser, picture, step } from "../../Chromium.ts"
import { makeDoor } from "../../Door.ts"
import { goTo, openDemo } from "../DemoPage.ts"
import { DemoProgram } from "../DemoProgram.ts"

/** A reorg of four blocks, of which the page may not have seen the newest. */
const fewBlocks = ":is([data-reorg='1'], [data-reorg='2'], [data-reorg='3'], [data-reorg='4'])"

/** Waits for something that takes longer than a user's action. */
const eventually = (page: Page, selector: string, state: "attached" | "detached" = "attached") =>
  Effect.promise(() => page.locator(selector).first().waitFor({ state, timeout: 120_000 }))

const pressed = (page: Page, name: RegExp) => step(() => page.getByRole("button", { name }).click())

const Texts = Schema.Array(Schema.String)

/** The text of all of these. */
const toTexts = (page: Page, selector: string) =>
  Effect.flatMap(
    step(() => page.locator(selector).allInnerTexts()),
    Schema.decodeUnknownEffect(Texts)
  )

describe.skipIf(chromiumPath === undefined)("the live demo in a browser (CHAINTAPE_CHROMIUM)", () => {
  layer(DemoProgram.layer, { excludeTestServices: true, timeout: "400 seconds" })((it) => {
    it.effect(
      "updates its tape with new trades",
      () =>
        Effect.gen(function* () {
          const [demo] = yield* openDemo()
          const { page } = demo ?? assert.fail("there is no page")
          const before = yield* toTexts(page, ".tape tbody tr")
          const after = yield* toTexts(page, ".tape tbody tr").pipe(
            Effect.repeat({
              until: (rows) => rows[0] !== before[0],
              schedule: Schedule.spaced("200 millis").pipe(Schedule.upTo({ times: 300 }))
            })
          )
          assert.notStrictEqual(after[0], before[0])
        }).pipe(Effect.scoped),
      400_000
    )

    it.effect(
      "shows pools and totals as of the block that the slider is at",
      () =>
        Effect.gen(function* () {
          const [demo] = yield* openDemo()
          const { page } = demo ?? assert.fail("there is no page")
          yield* goTo(page, "DEX")
          yield* eventually(page, "[data-pool]")
          const newest = yield* toTexts(page, "[data-field=txCount]")
          const slider = page.getByRole("slider")
          yield* step(() => slider.press("Home"))
          yield* step(() => page.getByText("There is no pool yet at this block.").waitFor())
          yield* step(() => slider.fill("61"))
          yield* step(() => page.getByText(/^block 61\b/).waitFor())
          yield* eventually(page, "[data-pool]")
          yield* picture(page, "demo-as-of-61")
          const then = yield* toTexts(page, "[data-field=txCount]")
          const sum = (texts: ReadonlyArray<string>) =>
            texts.reduce((all, text) => all + Number(text.replaceAll(",", "")), 0)
          assert.isAbove(sum(then), 0)
          assert.isBelow(sum(then), sum(newest))
          // A pool before its creation: one sentence, and no number of another block.
          yield* step(() => page.locator("[data-pool] a").first().click())
          yield* eventually(page, ".figures dd")
          yield* step(() => slider.press("Home"))
          yield* step(() => page.getByText(/^There was no pool .* as of block 1\./).waitFor())
          yield* picture(page, "demo-no-pool-yet")
          assert.lengthOf(yield* toTexts(page, ".problem"), 1)
          assert.deepStrictEqual(yield* toTexts(page, "dd, td, .badge"), [])
        }).pipe(Effect.scoped),
      400_000
    )

    it.effect(
      "draws a forced cut of the upstream as a gap with its reason, and then as filled",
      () =>
        Effect.gen(function* () {
          // A page that is opened after the cut may come too late: the tape has the newest trades only.
          const [watching, ordering] = yield* openDemo({ viewport: { width: 1440, height: 900 } }, 2)
          if (watching === undefined || ordering === undefined) return assert.fail("there are no two pages")
          const { page } = watching
          yield* goTo(ordering.page, "Health")
          yield* pressed(ordering.page, /Cut the upstream/)
          yield* step(() => ordering.page.getByText("Cut the upstream: on.").waitFor())
          yield* eventually(page, "tr[data-gap=open]")
          yield* eventually(page, ".band[data-gap=open]")
          yield* eventually(page, "[data-coverage=incomplete]")
          yield* picture(page, "demo-gap")
          const [told = ""] = yield* toTexts(page, ".gaps [data-gap=open]")
          assert.match(told, /\d+ trades? (is|are) missing and still asked for\. \S+/)
          yield* pressed(ordering.page, /Heal/)
          // The service does not call the failing exchange for half a minute.
          yield* eventually(page, "[data-gap=open]", "detached")
          yield* eventually(page, "[data-coverage=complete]")
          yield* picture(page, "demo-healed")
        }).pipe(Effect.scoped),
      400_000
    )

    it.effect(
      "shows a reorg as a branch that is cut",
      () =>
        Effect.gen(function* () {
          const [watching, ordering] = yield* openDemo({ viewport: { width: 1440, height: 900 } }, 2)
          if (watching === undefined || ordering === undefined) return assert.fail("there are no two pages")
          yield* step(() => watching.page.bringToFront())
          yield* goTo(watching.page, "Blocks")
          yield* eventually(watching.page, "[data-head]")
          yield* goTo(ordering.page, "Health")
          yield* pressed(ordering.page, /Reorganize the chain/)
          yield* step(() => ordering.page.getByText("The chain has left its branch").waitFor())
          yield* eventually(watching.page, fewBlocks)
          yield* picture(watching.page, "demo-reorg")
          const [told = ""] = yield* toTexts(watching.page, "[data-reorg]")
          assert.match(told, /blocks? w\w+ cut from the chain; \d+ stands? in (its|their) place/)
          // A replaced block is drawn once another one stands in for it.
          yield* eventually(watching.page, "rect.cut")
          // It is still listed after another page was open.
          yield* step(() => watching.page.locator("main tbody a").first().click())
          yield* eventually(watching.page, "[data-hash]")
          yield* step(() => watching.page.getByRole("link", { name: "All blocks" }).click())
          yield* eventually(watching.page, fewBlocks)
        }).pipe(Effect.scoped),
      400_000
    )

    it.effect(
      "shows a block on a page of its own, with links to its neighbours",
      () =>
        Effect.gen(function* () {
          const [demo] = yield* openDemo()
          const { page } = demo ?? assert.fail("there is no page")
          const { origin } = yield* DemoProgram
          const headingOf = (number: number) =>
            step(() => page.getByRole("heading", { level: 2, name: `Block ${number} of devnet` }).waitFor())
          yield* goTo(page, "Blocks")
          yield* eventually(page, "main tbody tr:nth-child(5)")
          // The mouse over the list stops its rows: a number that is read before may have moved to another row.
          const link = page.locator("main tbody tr:nth-child(5) a").first()
          yield* step(() => link.hover())
          yield* eventually(page, "[data-paused]")
          const number = yield* step(() => link.innerText())
          yield* step(() => link.click())
          yield* headingOf(Number(number))
          yield* eventually(page, "[data-hash]")
          const hash = yield* step(() => page.locator("[data-hash]").innerText())
          assert.match(hash, /^0x[0-9a-f]{64}$/)
          assert.strictEqual(
            (yield* toTexts(page, ".card dt")).join(", "),
            "Gas used, Gas limit, % of gas limit, Size, bytes, Total difficulty, Time, Author, Hash, State"
          )
          yield* step(() => page.getByRole("link", { name: "Previous" }).click())
          yield* headingOf(Number(number) - 1)
          yield* step(() => page.locator(`[data-hash]:not([data-hash="${hash}"])`).waitFor())
          yield* step(() => page.getByRole("link", { name: "Next" }).click())
          yield* step(() => page.locator(`[data-hash="${hash}"]`).waitFor())
          assert.strictEqual(page.url(), `${origin}/#/block/devnet/${number}`)
          // A block that is not there yet appears by itself.
          yield* step(() => page.goto(`${origin}/#/block/devnet/${Number(number) + 20}`))
          yield* eventually(page, ".problem")
          yield* eventually(page, "[data-hash]")
        }).pipe(Effect.scoped),
      400_000
    )

    it.effect(
      "marks its data as old when the service does not respond",
      () =>
        Effect.gen(function* () {
          const { key, origin } = yield* DemoProgram
          const door = yield* makeDoor(origin)
          const context = yield* openBrowser({ viewport: { width: 1440, height: 900 } })
          const page = yield* step(() => context.newPage())
          yield* step(() => page.goto(`${door.origin}/#key=${key}`))
          const shown = { Market: ".tape tbody tr", Blocks: "[data-head]", Health: "main table" }
          for (const [view, selector] of Object.entries(shown)) {
            yield* goTo(page, view)
            yield* eventually(page, selector)
            yield* eventually(page, "[data-old]", "detached")
            yield* door.setOpen(false)
            yield* eventually(page, "[data-old]")
            yield* picture(page, `demo-old-${view}`)
            const [told = ""] = yield* toTexts(page, "[data-old]")
            assert.match(told, /^What is below was read at \d\d:\d\d:\d\d, and may be different by now\.$/)
            assert.isAbove(yield* step(() => page.locator(selector).count()), 0, "what was known stays")
            yield* door.setOpen(true)
            yield* eventually(page, "[data-old]", "detached")
          }
        }).pipe(Effect.scoped),
      400_000
    )
  })
})
