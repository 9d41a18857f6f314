import type { AccountKey } from "../../auth/keys/AccountKeys.ts"
import { accountPage } from "../layout/AccountPage.ts"
import type { SignedIn } from "../layout/AccountPage.ts"
import { hiddenToken } from "../layout/Fields.ts"
import { html } from "../layout/Html.ts"
import type { Html } from "../layout/Html.ts"
import { day, moment } from "../layout/Moment.ts"
import { isolateKeyName, renderKeyName } from "./KeyName.ts"

/** The buttons are hidden if this script does not run: the fields can be selected and copied without it. */
const copyScript = `
for (const button of document.querySelectorAll("button[data-copy]")) {
  button.hidden = false
  button.addEventListener("click", async () => {
    const field = document.getElementById(button.dataset.copy)
    field.select()
    let copied = true
    try { await navigator.clipboard.writeText(field.value) } catch { copied = document.execCommand("copy") }
    document.getElementById("copied").textContent = copied ? button.dataset.said : "Press Ctrl+C to copy it."
  })
}
`

export interface NewKey {
  readonly signedIn: SignedIn
  readonly name: string
  readonly key: string
  /** The path of a working operation. */
  readonly example: string
}

/** The one page that shows a key. */
export const newKeyPage = ({ example, key, name, signedIn }: NewKey) =>
  accountPage({
    title: "Your new key",
    signedIn,
    script: copyScript,
    body: html`<h1>Your new key</h1>
      <p class="done" role="status">
        “${renderKeyName(name)}” is ready. Copy it now: it is shown this once, and is stored nowhere.
      </p>
      <div class="field">
        <label for="key">Key</label>
        <textarea id="key" rows="2" readonly autocomplete="off" spellcheck="false">${key}</textarea>
        <div class="row">
          <button type="button" data-copy="key" data-said="The key is copied." hidden>Copy the key</button>
        </div>
      </div>
      <div class="field">
        <label for="line">The first request</label>
        <p class="hint" id="line-hint">Paste it into a terminal.</p>
        <textarea id="line" rows="4" readonly spellcheck="false" aria-describedby="line-hint">
curl -H "api-key: ${key}" "${example}"</textarea>
        <div class="row">
          <button type="button" class="second" data-copy="line" data-said="The line is copied." hidden>
            Copy the line
          </button>
        </div>
      </div>
      <p id="copied" role="status"></p>
      <p><a href="/dashboard">To the dashboard</a>, <a href="/docs">documentation of every operation</a></p>`
  })

export const keyGonePage = (signedIn: SignedIn) =>
  accountPage({
    title: "The key was shown",
    signedIn,
    body: html`<h1>The key was shown</h1>
      <p>A key is shown once. If you did not copy it, revoke it and create another one.</p>
      <p><a href="/dashboard">To the dashboard</a></p>`
  })

export const rotatePage = (signedIn: SignedIn, { id, name, shown }: AccountKey) =>
  accountPage({
    title: `Rotate ${isolateKeyName(name)}`,
    signedIn,
    body: html`<h1>Rotate “${renderKeyName(name)}”</h1>
      <p>
        You get a second key with the same limits and the same end. <code>${shown}</code> goes on working until you
        revoke it: give your programs the new one first.
      </p>
      <form class="row" method="post" action="/dashboard/keys/${id}/rotate">
        ${hiddenToken(signedIn.token)} <button>Make the second key</button>
        <a class="button second" href="/dashboard">Keep it as it is</a>
      </form>`
  })

const lastUse = ({ lastUsedAt }: AccountKey): Html | string =>
  lastUsedAt === undefined ? "never used" : html`last used at ${moment(lastUsedAt)}`

const describeKey = (key: AccountKey): Html =>
  html`<code>${key.shown}</code>, created on ${day(key.createdAt)}, ${lastUse(key)}`

/** The other live keys with the name of a key, which it has after it was rotated. */
const sameName = (name: string, others: ReadonlyArray<AccountKey>): Html | undefined => {
  if (others.length === 0) return undefined
  const stay = others.length === 1 ? "another key, which stays valid" : "other keys, which stay valid"
  return html`<p>“${renderKeyName(name)}” has ${stay}:</p>
    <ul>
      ${others.map((other) => html`<li>${describeKey(other)}</li>`)}
    </ul>`
}

/** Asks before a key is revoked. `others` are the live keys with the same name. */
export const revokePage = (signedIn: SignedIn, key: AccountKey, others: ReadonlyArray<AccountKey>) =>
  accountPage({
    title: `Revoke ${isolateKeyName(key.name)}, ${key.shown}`,
    signedIn,
    body: html`<h1>Revoke “${renderKeyName(key.name)}”?</h1>
      <p>The key to revoke is ${describeKey(key)}.</p>
      ${sameName(key.name, others)}
      <p>Requests with the revoked key are refused within seconds. This cannot be undone.</p>
      <form class="row" method="post" action="/dashboard/keys/${key.id}/revoke">
        ${hiddenToken(signedIn.token)} <button class="danger">Revoke the key</button>
        <a class="button second" href="/dashboard">Do not revoke it</a>
      </form>`
  })
