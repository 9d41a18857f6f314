import { fileURLToPath } from "node:url"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Option, Schema } from "effect"
import type { HttpServerResponse } from "effect/http"
import type { Page } from "playwright-core"
import { referencePage } from "../../src/http/docs/ReferencePage.ts"
import { statusPage } from "../../src/observability/StatusPage.ts"
import { deleteAccountPage, ownAccountPage } from "../../src/web/account/OwnAccountPages.ts"
import { keyGonePage, newKeyPage, revokePage, rotatePage } from "../../src/web/dashboard/KeyPages.ts"
import { resetPage, signInPage, signOutPage, signUpPage } from "../../src/web/sign-in/SignPages.ts"
import { sampleIncidents, sampleStatus } from "../observability/SampleStatus.ts"
import { chromiumPath, openBrowser, picture, step } from "./Chromium.ts"
import { sampleDashboard } from "./SampleDashboard.ts"

const axe = fileURLToPath(import.meta.resolve("axe-core/axe.min.js"))

const Violations = Schema.Array(
  Schema.Struct({
    id: Schema.String,
    help: Schema.String,
    nodes: Schema.Array(Schema.Struct({ html: Schema.String, failureSummary: Schema.optionalKey(Schema.String) }))
  })
)

const textOf = ({ body }: HttpServerResponse.HttpServerResponse) =>
  body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : ""

const signedIn = { email: "ada@example.com", token: "t".repeat(43) }
const issues = new Map([
  ["email", "Write an e-mail address, such as name@example.com."],
  ["password", "Use at least 10 characters."]
])
const resetIssues = new Map([...issues, ["code", "This code is unknown, used or too old."]])
const passwordIssues = new Map([
  ["current", "This is not the password of the account."],
  ["password", "Use at least 10 characters."]
])
const deleteIssues = new Map([
  ["password", "Write the password of the account."],
  ["sure", "Confirm that the account is to be deleted."]
])

const key = {
  id: "a1b2c3d4e5",
  name: "notebook",
  shown: "chaintape_a1b2c3d4e5…9Xq2",
  scopes: undefined,
  createdAt: DateTime.makeUnsafe(0),
  expiresAt: undefined,
  revokedAt: undefined,
  lastUsedAt: undefined,
  requestsToday: 0
}

const example = "http://127.0.0.1:3000/v2/cex/sandbox/BTC-USD/lasttrade"

const pages = {
  "sign-up": signUpPage("open", { token: "t" }),
  "sign-up-wrong": signUpPage("invitation", { token: "t", email: "nobody", issues }),
  "sign-up-closed": signUpPage("closed", { token: "t" }),
  "sign-in": signInPage({ token: "t", email: "ada@example.com", issues: new Map([["", "It is wrong."]]) }, "open"),
  "sign-in-deleted": signInPage({ token: "t", outcome: "deleted" }, "open"),
  "sign-out": signOutPage(signedIn),
  reset: resetPage({ token: "t" }),
  "reset-wrong": resetPage({ token: "t", email: "nobody", issues: resetIssues }),
  account: ownAccountPage({ signedIn, isChanged: true }),
  "account-wrong": ownAccountPage({ signedIn, issues: passwordIssues }),
  delete: deleteAccountPage({ signedIn }),
  "delete-wrong": deleteAccountPage({ signedIn, issues: deleteIssues }),
  dashboard: sampleDashboard(),
  reference: referencePage(new Map()),
  status: statusPage(sampleStatus, 'The index "uniswap-v3/devnet" is behind.', Option.some(sampleIncidents)),
  "new-key": newKeyPage({ signedIn, name: "notebook", key: `chaintape_${"k".repeat(42)}`, example }),
  "key-gone": keyGonePage(signedIn),
  rotate: rotatePage(signedIn, key),
  "rotate-long": rotatePage(signedIn, { ...key, name: "W".repeat(60) }),
  revoke: revokePage(signedIn, key, [
    { ...key, shown: "chaintape_f6g7h8i9j0…Lm41", lastUsedAt: DateTime.makeUnsafe(0) }
  ])
} as const

/** The number of tables that are broader than their place. */
const cutTables = `[...document.querySelectorAll(".scroll")].filter((one) => one.scrollWidth > one.clientWidth).length`

/** The texts of stacked cells that are in several parts beside each other. */
const splitCells = `[...document.querySelectorAll(".stack :is(td, th)")]
  .filter((cell) => getComputedStyle(cell).display === "flex")
  .filter((cell) => [...cell.childNodes].filter((part) => part.textContent.trim() !== "").length > 1)
  .map((cell) => cell.textContent)`

const check = Effect.fnUntraced(function* (page: Page) {
  yield* step(() => page.addScriptTag({ path: axe }))
  const found = yield* step(() =>
    page.evaluate("axe.run(document, { resultTypes: ['violations'] }).then((r) => r.violations)")
  )
  return yield* Schema.decodeUnknownEffect(Violations)(found)
})

describe.skipIf(chromiumPath === undefined)("the pages of accounts in a browser (CHAINTAPE_CHROMIUM)", () => {
  for (const colorScheme of ["light", "dark"] as const)
    for (const width of [1280, 800, 360])
      it.live(
        `have no fault that axe finds, and fit: ${colorScheme}, ${width} px`,
        () =>
          Effect.gen(function* () {
            const context = yield* openBrowser({ colorScheme, viewport: { width, height: 800 }, bypassCSP: true })
            const page = yield* step(() => context.newPage())
            for (const [name, response] of Object.entries(pages)) {
              yield* step(() => page.setContent(textOf(response)))
              yield* picture(page, `${name}-${colorScheme}-${width}`)
              const wide = yield* step(() => page.evaluate("document.documentElement.scrollWidth"))
              assert.isAtMost(Number(wide), width, `${name} is broader than the window`)
              assert.deepStrictEqual(yield* step(() => page.evaluate(splitCells)), [], `${name} splits cells`)
              if (width >= 1280)
                assert.strictEqual(yield* step(() => page.evaluate(cutTables)), 0, `${name} cuts tables`)
              assert.deepStrictEqual(yield* check(page), [], name)
            }
          }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
        300_000
      )
})
