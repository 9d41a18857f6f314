import { mkdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { Effect, FileSystem } from "effect"
import { chromium } from "playwright-core"
import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core"

/** Where the browser is. The tests of pages in a browser are skipped without it. */
export const chromiumPath = process.env["CHAINTAPE_CHROMIUM"]

/** How long the browser waits for what is to be on a page (milliseconds). */
const patience = 60_000

/** Where screenshots are kept. */
const artifacts = fileURLToPath(new URL("artifacts/", import.meta.url))

const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
  "--no-default-browser-check"
]

/** A browser with an empty profile, which goes with the scope. */
export const openBrowser = (options: BrowserContextOptions = {}) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const profile = yield* files.makeTempDirectoryScoped()
    return yield* Effect.acquireRelease(
      Effect.promise(async () => {
        const context = await chromium.launchPersistentContext(profile, {
          ...(chromiumPath === undefined ? {} : { executablePath: chromiumPath }),
          headless: true,
          timeout: 180_000,
          args: flags,
          ...options
        })
        context.setDefaultTimeout(patience)
        return context
      }),
      (context: BrowserContext) => Effect.promise(() => context.close())
    )
  })

/** One step of a person, with a bound that tells a page that hangs from a slow machine. */
export const step = <A>(act: () => Promise<A>) => Effect.promise(act).pipe(Effect.timeout("90 seconds"), Effect.orDie)

/** Keeps what the page looks like, from its top to its end. */
export const picture = (page: Page, name: string) =>
  step(() => {
    mkdirSync(artifacts, { recursive: true })
    return page.screenshot({ path: `${artifacts}${name}.png`, fullPage: true })
  })
