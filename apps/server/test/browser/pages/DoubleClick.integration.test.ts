import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { startProgram } from "../AccountProgram.ts"
import { chromiumPath, openBrowser, step } from "../Chromium.ts"

const signUp = Effect.fnUntraced(function* (page: Page, origin: string) {
  yield* step(() => page.goto(`${origin}/sign-up`))
  yield* step(() => page.getByLabel("E-mail").fill("ada@example.com"))
  yield* step(() => page.getByLabel("Password").fill("correct horse battery staple"))
  yield* step(() => page.getByRole("button", { name: "Sign up" }).click())
  yield* step(() => page.getByText("Your account is ready.").waitFor())
})

/** Clicks a button twice, the second time before the first request has a response. Returns the number of requests. */
const clickTwice = Effect.fnUntraced(function* (page: Page, path: string, name: string) {
  let requests = 0
  const first = Promise.withResolvers<void>()
  const clicked = Promise.withResolvers<void>()
  yield* step(() =>
    page.route(`**${path}`, async (route) => {
      if (route.request().method() === "POST") requests += 1
      first.resolve()
      await clicked.promise
      // The request of a page that the browser has left is gone.
      await route.continue().catch(() => {})
    })
  )
  const button = page.getByRole("button", { name })
  yield* step(() => button.scrollIntoViewIfNeeded())
  const box = yield* step(() => button.boundingBox())
  const [x, y] = [(box?.x ?? 0) + 5, (box?.y ?? 0) + 5]
  yield* step(() => page.mouse.click(x, y))
  yield* step(() => first.promise)
  yield* step(() => page.mouse.click(x, y))
  clicked.resolve()
  yield* step(() => page.getByRole("heading", { name: "Your new key" }).waitFor())
  yield* step(() => page.unroute(`**${path}`))
  return requests
})

const countKeys = Effect.fnUntraced(function* (page: Page, origin: string) {
  yield* step(() => page.goto(`${origin}/dashboard`))
  return yield* step(() => page.locator("table.keys tbody tr").count())
})

/** The dashboard of a new account, whose form of a key has a name. */
const openKeyForm = Effect.gen(function* () {
  const origin = yield* startProgram
  const context = yield* openBrowser({ viewport: { width: 1280, height: 900 } })
  const page = yield* step(() => context.newPage())
  yield* signUp(page, origin)
  yield* step(() => page.getByLabel("Name").fill("notebook"))
  return { origin, page }
})

describe.skipIf(chromiumPath === undefined)("a form whose button is clicked twice (CHAINTAPE_CHROMIUM)", () => {
  it.live(
    "is sent once, and creates or rotates one key",
    () =>
      Effect.gen(function* () {
        const { origin, page } = yield* openKeyForm
        assert.strictEqual(yield* clickTwice(page, "/dashboard/keys", "Create key"), 1)
        assert.strictEqual(yield* countKeys(page, origin), 1)
        yield* step(() => page.getByRole("link", { name: /^Rotate/ }).click())
        assert.strictEqual(yield* clickTwice(page, "/rotate", "Make the second key"), 1)
        assert.strictEqual(yield* countKeys(page, origin), 2)
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
    300_000
  )

  it.live(
    "is sent again from a page to which the user has gone back",
    () =>
      Effect.gen(function* () {
        const { origin, page } = yield* openKeyForm
        yield* step(() => page.getByRole("button", { name: "Create key" }).click())
        yield* step(() => page.getByRole("heading", { name: "Your new key" }).waitFor())
        yield* step(() => page.goBack())
        yield* step(() => page.getByLabel("Name").fill("laptop"))
        yield* step(() => page.getByRole("button", { name: "Create key" }).click())
        yield* step(() => page.getByRole("heading", { name: "Your new key" }).waitFor())
        assert.strictEqual(yield* countKeys(page, origin), 2)
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
    300_000
  )
})
