import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { Effect, Schedule, Schema } from "effect"
import type { BrowserContextOptions, Page } from "playwright-core"
import { openBrowser, step } from "../Chromium.ts"
import { DemoProgram } from "./DemoProgram.ts"

const axe = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8")

const Violations = Schema.Array(
  Schema.Struct({ id: Schema.String, nodes: Schema.Array(Schema.Struct({ html: Schema.String })) })
)

const decodeViolations = Schema.decodeUnknownEffect(Violations)

/**
 * The findings of axe on the page. It is run by the debugger, to which the page's content security policy does not
 * apply.
 */
export const violations = Effect.fnUntraced(function* (page: Page) {
  yield* step(() => page.evaluate(axe))
  const found = yield* step(() =>
    page.evaluate("axe.run(document, { resultTypes: ['violations'] }).then((result) => result.violations)")
  )
  return (yield* decodeViolations(found)).map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])
})

export interface DemoPage {
  readonly page: Page
  /** Everything that the browser reports about the page: errors, policy violations, requests to other origins. */
  readonly complaints: ReadonlyArray<string>
}

const collectComplaints = (page: Page, origin: string) => {
  const complaints: Array<string> = []
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning")
      complaints.push(`${message.text()} ${message.location().url}`)
  })
  page.on("pageerror", (error) => complaints.push(error.message))
  page.on("request", (request) => {
    if (!request.url().startsWith(`${origin}/`) && !request.url().startsWith("data:")) complaints.push(request.url())
  })
  return complaints
}

/** The demo in a browser, opened by the link that the start prints. */
export const openDemo = Effect.fnUntraced(function* (options: BrowserContextOptions = {}, pages = 1) {
  const { link, origin } = yield* DemoProgram
  const context = yield* openBrowser(options)
  return yield* Effect.forEach(Array.from({ length: pages }), () =>
    Effect.gen(function* () {
      const page = yield* step(() => context.newPage())
      const complaints = collectComplaints(page, origin)
      yield* step(() => page.goto(link))
      yield* step(() => page.locator(".tape tbody tr").nth(5).waitFor())
      const found: DemoPage = { page, complaints }
      return found
    })
  )
})

/** Opens a view by its link in the navigation. */
export const goTo = (page: Page, view: string) =>
  step(() => page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: view }).click())

/** Waits until the page has a number of at least this. */
export const reached = (page: Page, expression: string, least: number) =>
  step(() => page.evaluate(expression)).pipe(
    Effect.repeat({ until: (found) => Number(found) >= least, schedule: Schedule.spaced("100 millis") }),
    Effect.timeout("60 seconds"),
    Effect.orDie,
    Effect.asVoid
  )

/** Waits until a number of the page has grown by this much. */
export const grown = Effect.fnUntraced(function* (page: Page, expression: string, by: number) {
  yield* reached(page, expression, Number(yield* step(() => page.evaluate(expression))) + by)
})

/** Sets whether the page counts as hidden, which a headless browser does not do by itself. */
export const setHidden = (page: Page, isHidden: boolean) =>
  step(() =>
    page.evaluate(`(() => {
      Object.defineProperty(document, "visibilityState", { configurable: true, get: () => "${isHidden ? "hidden" : "visible"}" })
      document.dispatchEvent(new Event("visibilitychange"))
    })()`)
  )
