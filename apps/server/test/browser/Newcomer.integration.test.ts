import { execFile } from "node:child_process"
import { promisify } from "node:util"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Schema } from "effect"
import type { Page } from "playwright-core"
import { measureRealTime } from "../MeasureRealTime.ts"
import { startProgram } from "./AccountProgram.ts"
import { chromiumPath, openBrowser, picture, step } from "./Chromium.ts"

const run = promisify(execFile)

/** The output for a person who pastes the command into a terminal. */
const paste = (line: string) => step(() => run("sh", ["-c", line], { timeout: 60_000 }))

const Exchanges = Schema.fromJsonString(Schema.Array(Schema.Unknown))

const password = "correct horse battery staple"

const texts = (page: Page) => step(() => page.locator("body").innerText())

/** The focused element: the id of a field, or the text of another element. */
const focused = (page: Page) =>
  step(() =>
    page.evaluate(
      "((at) => (at.matches('input, textarea, select') ? at.id : at.textContent.trim()))(document.activeElement)"
    )
  )

/** Presses Tab until the focused element is called `name`. */
const tabTo = Effect.fnUntraced(function* (page: Page, name: string) {
  for (let presses = 0; presses < 30; presses += 1) {
    yield* step(() => page.keyboard.press("Tab"))
    if ((yield* focused(page)) === name) return
  }
  return yield* Effect.die(`The Tab key never comes to "${name}"`)
})

const enter = (page: Page) =>
  step(() => Promise.all([page.waitForEvent("load"), page.keyboard.press("Enter")])).pipe(Effect.asVoid)

const type = (page: Page, text: string) => step(() => page.keyboard.type(text))

const next = "another battery, another horse"

/** Changes the password, signs out everywhere, signs in again and deletes the account, with the keyboard alone. */
const keepsAccount = Effect.fnUntraced(function* (page: Page) {
  yield* tabTo(page, "Account")
  yield* enter(page)
  yield* tabTo(page, "current")
  yield* type(page, password)
  yield* tabTo(page, "password")
  yield* type(page, next)
  yield* enter(page)
  assert.include(yield* texts(page), "The password is changed.")
  yield* picture(page, "10-narrow-account")
  yield* tabTo(page, "Sign out everywhere")
  yield* enter(page)
  assert.include(yield* texts(page), "You are signed out in every browser.")
  yield* tabTo(page, "email")
  yield* type(page, "grace@example.com")
  yield* tabTo(page, "password")
  yield* type(page, next)
  yield* enter(page)
  yield* tabTo(page, "Account")
  yield* enter(page)
  yield* tabTo(page, "Delete the account")
  yield* enter(page)
  yield* tabTo(page, "password")
  yield* type(page, "a wrong password")
  yield* tabTo(page, "sure")
  yield* step(() => page.keyboard.press("Space"))
  yield* tabTo(page, "Delete the account")
  yield* enter(page)
  assert.include(String(yield* focused(page)), "This is not the password of the account.")
  yield* picture(page, "11-narrow-delete-error")
  yield* tabTo(page, "password")
  yield* type(page, next)
  yield* tabTo(page, "sure")
  yield* step(() => page.keyboard.press("Space"))
  yield* enter(page)
  assert.include(yield* texts(page), "The account is deleted.")
  assert.include(page.url(), "/sign-in")
})

/** Everything that a newcomer does, and the time to the first response, in milliseconds. */
const newcomer = Effect.gen(function* () {
  const origin = yield* startProgram
  const context = yield* openBrowser({
    viewport: { width: 1280, height: 900 },
    permissions: ["clipboard-read", "clipboard-write"]
  })
  const page = yield* step(() => context.newPage())
  const complaints: Array<string> = []
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()))
  page.on("pageerror", (error) => complaints.push(error.message))
  const begun = yield* Clock.currentTimeMillis
  yield* step(() => page.goto(`${origin}/`))
  yield* picture(page, "1-start")
  yield* step(() => page.getByRole("link", { name: "Sign up" }).click())
  yield* step(() => page.getByLabel("E-mail address").fill("ada@example.com"))
  yield* step(() => page.getByLabel("Password").fill(password))
  yield* picture(page, "2-sign-up")
  yield* step(() => page.getByRole("button", { name: "Sign up" }).click())
  yield* step(() => page.getByRole("heading", { name: "Dashboard" }).waitFor())
  yield* picture(page, "3-dashboard")
  yield* step(() => page.getByLabel("Name").fill("notebook"))
  yield* step(() => page.getByRole("button", { name: "Create key" }).click())
  yield* step(() => page.getByRole("heading", { name: "Your new key" }).waitFor())
  yield* picture(page, "4-key")
  yield* step(() => page.getByRole("button", { name: "Copy the key" }).click())
  yield* step(() => page.getByText("The key is copied.").waitFor())
  const key = yield* step(() => page.evaluate("navigator.clipboard.readText()"))
  assert.match(String(key), /^chaintape_\w{42}$/)
  yield* step(() => page.getByRole("button", { name: "Copy the line" }).click())
  yield* step(() => page.getByText("The line is copied.").waitFor())
  const line = String(yield* step(() => page.evaluate("navigator.clipboard.readText()")))
  assert.include(line, String(key))
  const { stdout } = yield* paste(line)
  assert.isArray(yield* Schema.decodeUnknownEffect(Exchanges)(stdout))
  const took = (yield* Clock.currentTimeMillis) - begun
  yield* Effect.logInfo(`From the start page to the first answer: ${took} ms`)
  // Neither the history nor a reload shows the key again.
  yield* step(() => page.getByRole("link", { name: "To the dashboard" }).click())
  assert.include(yield* texts(page), "notebook")
  yield* picture(page, "5-dashboard-with-key")
  yield* step(() => page.goBack())
  assert.notInclude(yield* step(() => page.content()), String(key))
  assert.notInclude(page.url(), "chaintape_")
  yield* step(() => page.goto(`${origin}/dashboard`))
  yield* step(() => page.getByRole("link", { name: "Revoke notebook" }).click())
  yield* picture(page, "6-revoke")
  yield* step(() => page.getByRole("button", { name: "Revoke the key" }).click())
  yield* step(() => page.getByRole("status").getByText("The key is revoked").waitFor())
  yield* step(() => page.getByRole("button", { name: "Sign out" }).click())
  yield* step(() => page.getByRole("heading", { name: "Sign in" }).waitFor())
  assert.deepStrictEqual(complaints, [])
  return took
}).pipe(Effect.scoped)

describe.skipIf(chromiumPath === undefined)("a newcomer with a browser (CHAINTAPE_CHROMIUM)", () => {
  it.live(
    "signs up, copies a key, and the first curl works, in under a minute",
    () => measureRealTime(newcomer, (took) => took < 60_000, 3).pipe(Effect.provide(NodeServices.layer)),
    900_000
  )

  it.live(
    "does the same with the keyboard alone, in a narrow window, without JavaScript",
    () =>
      Effect.gen(function* () {
        const origin = yield* startProgram
        const context = yield* openBrowser({ viewport: { width: 360, height: 740 }, javaScriptEnabled: false })
        const page = yield* step(() => context.newPage())
        yield* step(() => page.goto(`${origin}/`))
        yield* tabTo(page, "Sign up")
        yield* enter(page)
        yield* tabTo(page, "email")
        yield* type(page, "grace@example.com")
        yield* tabTo(page, "password")
        yield* type(page, "1234567890")
        yield* enter(page)
        // The error has the focus, and links to its field.
        assert.include(String(yield* focused(page)), "This is one of the first passwords that others try.")
        yield* picture(page, "7-narrow-error")
        yield* tabTo(page, "This is one of the first passwords that others try.")
        yield* step(() => page.keyboard.press("Enter"))
        yield* tabTo(page, "password")
        yield* type(page, password)
        yield* enter(page)
        assert.include(yield* texts(page), "Your account is ready")
        yield* tabTo(page, "name")
        yield* type(page, "terminal")
        yield* enter(page)
        yield* picture(page, "8-narrow-key")
        yield* tabTo(page, "line")
        const line = yield* step(() => page.locator("#line").inputValue())
        const { stdout } = yield* paste(line)
        assert.isArray(yield* Schema.decodeUnknownEffect(Exchanges)(stdout))
        assert.strictEqual(yield* step(() => page.getByRole("button", { name: "Copy the key" }).count()), 0)
        yield* tabTo(page, "Dashboard")
        yield* enter(page)
        yield* tabTo(page, "Revoke")
        yield* enter(page)
        yield* tabTo(page, "Revoke the key")
        yield* enter(page)
        assert.include(yield* texts(page), "The key is revoked")
        yield* picture(page, "9-narrow-dashboard")
        yield* keepsAccount(page)
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
    600_000
  )
})
