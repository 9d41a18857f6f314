import { DateTime } from "effect"
import type { AccountKey } from "../../auth/keys/AccountKeys.ts"
import { groupDigits } from "../../internal/groupDigits.ts"
import { html } from "../layout/Html.ts"
import type { Html } from "../layout/Html.ts"
import { day, moment } from "../layout/Moment.ts"
import { stackCell, stackTable } from "../layout/Table.ts"
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

const toAllowed = ({ scopes }: AccountKey) =>
  scopes === undefined ? "all" : scopes.length === 0 ? "nothing" : scopes.join(", ")

const row = (key: AccountKey, now: DateTime.Utc) => {
  const state = getState(key, now)
  return html`<tr role="row" ${state === "live" ? undefined : html` class="ended"`}>
    <th scope="row" role="rowheader" data-label="Name">${renderKeyName(key.name)}</th>
    ${stackCell("Key", html`<code>${key.shown}</code>`)} ${stackCell("Allowed", toAllowed(key))}
    ${stackCell("Created", day(key.createdAt))}
    ${stackCell("Last used", key.lastUsedAt === undefined ? "never" : moment(key.lastUsedAt))}
    ${stackCell("Today", groupDigits(key.requestsToday), "number")}
    ${stackCell("Expires", key.expiresAt === undefined ? "never" : day(key.expiresAt))}
    ${stackCell("State", html`<span class="state ${state === "live" ? "live" : "ended"}">${stateWords[state]}</span>`)}
    ${state === "live" ? stackCell("Change", html`<span class="acts">${renderActions(key, state)}</span>`) : html`<td role="cell"></td>`}
  </tr>`
}

const columns = ["Name", "Key", "Allowed", "Created", "Last used", "Today", "Expires", "State", "Change"]

/** The keys of an account. */
export const keysTable = (keys: ReadonlyArray<AccountKey>, now: DateTime.Utc): Html =>
  keys.length === 0
    ? html`<p>You have no key yet: create one below.</p>`
    : stackTable(
        "keys",
        columns,
        keys.map((key) => row(key, now)),
        ["Today"]
      )
