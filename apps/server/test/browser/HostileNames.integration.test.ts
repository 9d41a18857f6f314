import { assert, describe, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import type { Page } from "playwright-core"
import { chromiumPath, picture, step } from "./Chromium.ts"
import { goTo, openDemo, violations } from "./demo/DemoPage.ts"
import { DemoProgram } from "./demo/DemoProgram.ts"

/** Names that a contract can return. */
const names = [
  '<img src="x" onerror="window.executed = true">',
  "<script>window.executed = true</script>",
  "\u202eCDSU\u202e",
  "\u2069\u2069\u2066\u202eUSDC",
  "A".repeat(1_000_000),
  `Z${"\u0301".repeat(500)}`,
  "\u0007\u001b[2J\u0000",
  "مرحبا بالعالم",
  "W".repeat(200),
  "\u{1F363}".repeat(300),
  " ",
  "two\n\nlines\u2028three"
]

const Named = Schema.Record(Schema.String, Schema.Unknown)
const isNamed = Schema.is(Named)

/** The same JSON with hostile names of all tokens, each token with its own. */
const withHostileNames = (value: unknown, from: number): unknown => {
  if (Array.isArray(value)) return value.map((one) => withHostileNames(one, from))
  if (!isNamed(value)) return value
  const members = Object.entries(value).map(([name, member]) => [name, withHostileNames(member, from)] as const)
  if (!("symbol" in value)) return Object.fromEntries(members)
  const at = from + Number.parseInt(String(value["id"]).slice(-4), 16)
  const pick = (more: number) => names[(at + more) % names.length]
  return { ...Object.fromEntries(members), symbol: pick(0), name: pick(1) }
}

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Unknown))

/** Until the scope closes: requests in flight are then forgotten. */
const rewriteNames = (page: Page, from: number) =>
  Effect.acquireRelease(
    step(() =>
      page.route("**/v2/dex/**", async (route) => {
        try {
          // The service may close a connection just when it is used again.
          const response = await route.fetch({ maxRetries: 3 })
          await route.fulfill({ response, body: JSON.stringify(withHostileNames(decode(await response.text()), from)) })
        } catch {
          // A page that is still open gets the names of the service instead.
          await route.continue().catch(() => {})
        }
      })
    ),
    () => step(() => page.unrouteAll({ behavior: "ignoreErrors" }))
  )

/**
 * Characters of the page, outside of names, that are not to the right of the one before them on their line; characters
 * of direction; and boxes of names that are too large. Names inside of `bdi` may have any direction.
 */
const findings = `(() => {
  const found = []
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    if (/\\p{Bidi_Control}/u.test(node.data)) found.push("a character of direction: " + node.data.slice(0, 40))
    if (node.parentElement.closest("bdi, script, style, [aria-hidden]") !== null || node.data.length > 400) continue
    let before
    for (let at = 0; at < node.data.length; at += 1) {
      const range = document.createRange()
      range.setStart(node, at)
      range.setEnd(node, at + 1)
      const { bottom, left, top, width } = range.getBoundingClientRect()
      if (width === 0) continue
      if (before !== undefined && top < before.bottom && bottom > before.top && left < before.left)
        found.push("reordered: " + node.data.slice(0, 60))
      before = { bottom, left, top }
    }
  }
  for (const name of document.querySelectorAll("bdi")) {
    const { height, width } = name.getBoundingClientRect()
    if (height > 40 || width > 400) found.push("a name of " + width + " by " + height + ": " + name.textContent.slice(0, 40))
  }
  for (const titled of document.querySelectorAll("[title]"))
    if (titled.title.length > 400 || /\\p{Bidi_Control}/u.test(titled.title)) found.push("a title: " + titled.title.slice(0, 40))
  for (const cell of document.querySelectorAll("td"))
    for (const name of cell.querySelectorAll(".num + bdi"))
      if (name.getBoundingClientRect().left < cell.querySelector(".num").getBoundingClientRect().right)
        found.push("a name before its amount: " + cell.textContent.slice(0, 40))
  return [...new Set(found)]
})()`

const decodeFindings = Schema.decodeUnknownSync(Schema.Array(Schema.String))

const inspect = Effect.fnUntraced(function* (page: Page, what: string, width: number) {
  yield* picture(page, `hostile-${what}-${width}`)
  assert.deepStrictEqual(decodeFindings(yield* step(() => page.evaluate(findings))), [], what)
  assert.isUndefined(yield* step(() => page.evaluate("window.executed")), what)
  const wide = yield* step(() => page.evaluate("document.documentElement.scrollWidth"))
  assert.isAtMost(Number(wide), width, `${what} is broader than the window`)
  assert.deepStrictEqual(yield* violations(page), [], what)
})

describe.skipIf(chromiumPath === undefined)("tokens with hostile names in the demo (CHAINTAPE_CHROMIUM)", () => {
  layer(DemoProgram.layer, { excludeTestServices: true, timeout: "400 seconds" })((it) => {
    for (const [width, rounds] of [
      [1440, [4]],
      [360, [0, 4, 8]]
    ] as const)
      it.effect(
        `run nothing, and leave all other text and the layout as they are: ${width} px`,
        () =>
          Effect.gen(function* () {
            const [demo] = yield* openDemo({ viewport: { width, height: 900 } })
            const { complaints, page } = demo ?? assert.fail("there is no page")
            for (const from of rounds)
              yield* Effect.gen(function* () {
                yield* rewriteNames(page, from)
                yield* goTo(page, "DEX")
                yield* step(() => page.locator("[data-pool] .token").first().waitFor())
                yield* step(() => page.getByRole("region", { name: "Table of tokens" }).waitFor())
                yield* inspect(page, `DEX-${from}`, width)
                yield* step(() => page.locator("[data-pool] a").first().click())
                const events = page.getByRole("region", { name: "Events, newest first" })
                // A busy service refuses requests, which the page sends again after a pause.
                yield* Effect.promise(() => events.waitFor({ timeout: 120_000 }))
                yield* inspect(page, `Pool-${from}`, width)
                yield* step(() => page.getByRole("button", { name: "Try it" }).click())
                yield* step(() => page.getByRole("button", { name: "Send" }).click())
                yield* step(() => page.getByText("HTTP 200").waitFor())
                yield* inspect(page, `Try-${from}`, width)
                yield* step(() => page.getByRole("button", { name: "Close" }).click())
                yield* goTo(page, "Market")
              }).pipe(Effect.scoped)
            // A service that is too busy refuses requests.
            assert.deepStrictEqual(
              complaints.filter((text) => !text.includes("503 (Service Unavailable)")),
              []
            )
          }).pipe(Effect.scoped),
        600_000
      )
  })
})
