import type { DateTime } from "effect"
import type { AuditEvent, AuditKind } from "../../auth/AuditLog.ts"
import type { AccountKey, KeyScope, UsageOfDay, UsageOfOperation } from "../../auth/keys/AccountKeys.ts"
import { keyScopes } from "../../auth/keys/AccountKeys.ts"
import { accountPage } from "../layout/AccountPage.ts"
import type { SignedIn } from "../layout/AccountPage.ts"
import { hiddenToken, issueSummary, noIssues, textField, toTitle } from "../layout/Fields.ts"
import type { Issues } from "../layout/Fields.ts"
import { html } from "../layout/Html.ts"
import type { Html } from "../layout/Html.ts"
import { moment } from "../layout/Moment.ts"
import { stackCell, stackTable } from "../layout/Table.ts"
import { renderKeyName } from "./KeyName.ts"
import { keysTable } from "./KeysTable.ts"
import { operationsTable } from "./OperationsTable.ts"
import { usagePlot } from "./UsagePlot.ts"

export const maxNameLength = 60

/** Lifetimes of a key in days; 0 is unlimited. */
export const lifetimes = [
  { days: 0, text: "Never" },
  { days: 30, text: "In 30 days" },
  { days: 90, text: "In 90 days" },
  { days: 365, text: "In a year" }
] as const

const scopeWords = {
  cex: "Centralized exchanges (cex)",
  dex: "Decentralized exchanges (dex)",
  blocks: "Blocks (blocks)"
} as const satisfies Record<KeyScope, string>

const kindWords = {
  "account-created": "Account created",
  "account-disabled": "Account disabled",
  "account-enabled": "Account enabled",
  "account-deleted": "Account deleted",
  "signed-in": "Signed in",
  "sign-in-failed": "Sign-in failed",
  "signed-out": "Signed out",
  "signed-out-everywhere": "Signed out everywhere",
  "password-changed": "Password changed",
  "password-refused": "Wrong password",
  "password-reset": "Password reset",
  "password-reset-created": "Password reset allowed by the operator",
  "invitation-created": "Invitation created",
  "invitation-used": "Invitation used",
  "key-created": "Key created",
  "key-rotated": "Key rotated",
  "key-revoked": "Key revoked",
  "key-plan-changed": "Plan of a key changed",
  "key-installed": "Key installed"
} as const satisfies Record<AuditKind, string>

const isKnownKind = (kind: string): kind is AuditKind => Object.hasOwn(kindWords, kind)

/** A newer version may have recorded a kind that this one has no words for. */
const toKindWords = (kind: string): string => (isKnownKind(kind) ? kindWords[kind] : kind)

/** The status messages after a form. */
export const outcomes = {
  revoked: "The key is revoked. Requests with it are refused within seconds.",
  password: "The password is set, and you are signed in. Every other session has ended.",
  welcome: "Your account is ready. Create a key below."
} as const

export type DashboardOutcome = keyof typeof outcomes

export const isDashboardOutcome = (text: unknown): text is DashboardOutcome =>
  typeof text === "string" && Object.hasOwn(outcomes, text)

export interface WantedKey {
  readonly name: string
  readonly scopes: ReadonlyArray<string>
  readonly lifetime: string
}

export interface Dashboard {
  readonly signedIn: SignedIn
  readonly keys: ReadonlyArray<AccountKey>
  readonly usage: ReadonlyArray<UsageOfDay>
  readonly operations: ReadonlyArray<UsageOfOperation>
  readonly events: ReadonlyArray<AuditEvent>
  readonly now: DateTime.Utc
  readonly outcome?: DashboardOutcome | undefined
  /** The key that the outcome is about. */
  readonly changed?: AccountKey | undefined
  readonly wanted?: WantedKey
  readonly issues?: Issues
}

const nothingWanted: WantedKey = { name: "", scopes: [], lifetime: "0" }

const createForm = (token: string, wanted: WantedKey, issues: Issues) =>
  html`<form class="narrow" method="post" action="/dashboard/keys">
    ${hiddenToken(token)}
    ${textField(
      {
        name: "name",
        label: "Name",
        type: "text",
        autocomplete: "off",
        hint: "What you will use it for, such as “notebook”.",
        value: wanted.name,
        maxLength: maxNameLength
      },
      issues
    )}
    <fieldset aria-describedby="scopes-hint">
      <legend>Limit it to</legend>
      <p class="hint" id="scopes-hint">Optional. With none chosen, it is allowed everything.</p>
      <div class="choices">
        ${keyScopes.map(
          (scope) =>
            html`<label
              ><input
                type="checkbox"
                name="scope"
                value="${scope}"
                ${wanted.scopes.includes(scope) ? html` checked` : undefined}
              />
              ${scopeWords[scope]}</label
            >`
        )}
      </div>
    </fieldset>
    <div class="field">
      <label for="lifetime">Expires</label>
      <select id="lifetime" name="lifetime">
        ${lifetimes.map(
          ({ days, text }) =>
            html`<option value="${days}" ${wanted.lifetime === String(days) ? html` selected` : undefined}>
              ${text}
            </option>`
        )}
      </select>
    </div>
    <button>Create key</button>
  </form>`

/** In one element: a stacked cell puts its parts beside each other. */
const describeEvent = ({ detail, key, kind }: AuditEvent) =>
  html`<span>${toKindWords(kind)}${key === null || detail === "" ? undefined : html`: ${renderKeyName(detail)}`}</span>`

const renderEvent = (event: AuditEvent) => {
  const { address, at, key } = event
  return html`<tr role="row">
    ${stackCell("Time", moment(at))} ${stackCell("What", describeEvent(event))}
    ${stackCell("Key", key === null ? "–" : html`<code>${key}</code>`)} ${stackCell("From", address ?? "–")}
  </tr>`
}

const outcomeText = (outcome: DashboardOutcome, changed: AccountKey | undefined): Html =>
  html`<p class="done" role="status">
    ${outcomes[outcome]}
    ${changed === undefined ? undefined : html`It is “${renderKeyName(changed.name)}”, <code>${changed.shown}</code>.`}
  </p>`

export const dashboardPage = ({
  changed,
  events,
  issues = noIssues,
  keys,
  now,
  operations,
  outcome,
  signedIn,
  usage,
  wanted = nothingWanted
}: Dashboard) =>
  accountPage({
    title: toTitle("Dashboard", issues),
    status: issues.size === 0 ? 200 : 422,
    signedIn,
    broad: true,
    body: html`<h1>Dashboard</h1>
      <p class="quiet">All times are UTC.</p>
      ${outcome === undefined ? undefined : outcomeText(outcome, changed)} ${issueSummary(issues)}
      <h2 id="keys">Keys</h2>
      ${keysTable(keys, now)}
      <h2>Create a key</h2>
      ${createForm(signedIn.token, wanted, issues)}
      <h2>Usage</h2>
      ${usagePlot(usage)}
      <h3 id="operations">By operation</h3>
      ${operationsTable(operations, usage)}
      <h2 id="trail">What happened lately</h2>
      ${stackTable("trail", ["Time", "What", "Key", "From"], events.map(renderEvent))}`
  })
