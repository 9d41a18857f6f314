import { DateTime } from "effect"
import type { AccountKey } from "../../auth/keys/AccountKeys.ts"
import { groupDigits } from "../../internal/groupDigits.ts"
import { html } from "../layout/Html.ts"
import type { Html } from "../layout/Html.ts"
import { day, moment } from "../layout/Moment.ts"
import { renderKeyName } from "./KeyName.ts"

type KeyState = "live" | "expired" | "revoked"

const getState = ({ expiresAt, revokedAt }: AccountKey, now: DateTime.Utc): KeyState => {
  if (revokedAt !== undefined) return "revoked"
  return expiresAt !== undefined && DateTime.isLessThanOrEqualTo(expiresAt, now) ? "expired" : "live"
}

const stateWords = { live: "Live", expired: "Expired", revoked: "Revoked" } as const

/** Two keys have the same name after one was rotated. */
const renderActions = ({ id, name, shown }: AccountKey, state: KeyState): Html | undefined =>
  state === "live"
    ? html`<a href="/dashboard/keys/${id}/rotate" aria-label="Rotate ${name}, ${shown}">Rotate</a>
        <a href="/dashboard/keys/${id}/revoke" aria-label="Revoke ${name}, ${shown}">Revoke</a>`
    : undefined

const cell = (label: string, content: Html | string, name?: string) =>
  html`<td role="cell" data-label="${label}" ${name === undefined ? undefined : html` class="${name}"`}>${content}</td>`

const toAllowed = ({ scopes }: AccountKey) =>
  scopes === undefined ? "all" : scopes.length === 0 ? "nothing" : scopes.join(", ")

const row = (key: AccountKey, now: DateTime.Utc) => {
  const state = getState(key, now)
  return html`<tr role="row" ${state === "live" ? undefined : html` class="ended"`}>
    <th scope="row" role="rowheader" data-label="Name">${renderKeyName(key.name)}</th>
    ${cell("Key", html`<code>${key.shown}</code>`)} ${cell("Allowed", toAllowed(key))}
    ${cell("Created", day(key.createdAt))}
    ${cell("Last used", key.lastUsedAt === undefined ? "never" : moment(key.lastUsedAt))}
    ${cell("Today", groupDigits(key.requestsToday), "number")}
    ${cell("Expires", key.expiresAt === undefined ? "never" : day(key.expiresAt))}
    ${cell("State", html`<span class="state ${state === "live" ? "live" : "ended"}">${stateWords[state]}</span>`)}
    ${state === "live" ? cell("Change", html`<span class="acts">${renderActions(key, state)}</span>`) : html`<td role="cell"></td>`}
  </tr>`
}

const columns = ["Name", "Key", "Allowed", "Created", "Last used", "Today", "Expires", "State", "Change"]

/** The keys of an account. In a narrow window each row is stacked; its roles keep it a table for screen readers. */
export const keysTable = (keys: ReadonlyArray<AccountKey>, now: DateTime.Utc): Html =>
  keys.length === 0
    ? html`<p>You have no key yet: create one below.</p>`
    : html`<table class="keys stack" role="table" aria-labelledby="keys">
        <thead role="rowgroup">
          <tr role="row">
            ${columns.map((name) => html`<th scope="col" role="columnheader" ${name === "Today" ? html` class="number"` : undefined}>${name}</th>`)}
          </tr>
        </thead>
        <tbody role="rowgroup">
          ${keys.map((key) => row(key, now))}
        </tbody>
      </table>`
