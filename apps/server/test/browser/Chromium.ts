import { mkdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { Effect, FileSystem } from "effect"
import { chromium } from "playwright-core"
import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core"

/** The path of the browser. Browser tests are skipped without it. */
export const chromiumPath = process.env["CHAINTAPE_CHROMIUM"]

/** How long the browser waits for an element (milliseconds). */
const patience = 60_000

/** The folder of screenshots. */
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

/** A browser with an empty profile, which is removed with the scope. */
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

/** One action of a user, with a timeout that distinguishes a hang from a slow machine. */
export const step = <A>(act: () => Promise<A>) => Effect.promise(act).pipe(Effect.timeout("90 seconds"), Effect.orDie)

/** Takes a screenshot of the whole page. */
export const picture = (page: Page, name: string) =>
  step(() => {
    mkdirSync(artifacts, { recursive: true })
    return page.screenshot({ path: `${artifacts}${name}.png`, fullPage: true })
  })
