import { html } from "./Html.ts"
import type { Html } from "./Html.ts"

/** The errors of a form: by the field's name, or "" for the whole form. */
export type Issues = ReadonlyMap<string, string>

export const noIssues: Issues = new Map()

/** The issues that are present. */
export const toIssues = (found: Readonly<Record<string, string | undefined>>): Issues =>
  new Map(Object.entries(found).flatMap(([name, issue]) => (issue === undefined ? [] : [[name, issue] as const])))

/** The title of a page with a form: the first that a screen reader says of a page with errors. */
export const toTitle = (title: string, issues: Issues): string => (issues.size === 0 ? title : `Error: ${title}`)

export interface TextField {
  readonly name: string
  readonly label: string
  readonly type: "text" | "email" | "password"
  readonly autocomplete: string
  readonly hint?: string
  readonly value?: string
  readonly maxLength: number
  readonly minLength?: number
}

const describedBy = (name: string, hint: string | undefined, issue: string | undefined) => {
  const ids = [...(hint === undefined ? [] : [`${name}-hint`]), ...(issue === undefined ? [] : [`${name}-issue`])]
  return ids.length === 0 ? undefined : html` aria-describedby="${ids.join(" ")}"`
}

/** A text field with its label, its hint, and its error. */
export const textField = (field: TextField, issues: Issues): Html => {
  const { autocomplete, hint, label, maxLength, minLength, name, type, value = "" } = field
  const issue = issues.get(name)
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${hint === undefined ? undefined : html`<p class="hint" id="${name}-hint">${hint}</p>`}
    ${issue === undefined ? undefined : html`<p class="issue" id="${name}-issue">${issue}</p>`}
    <input
      id="${name}"
      name="${name}"
      type="${type}"
      value="${value}"
      autocomplete="${autocomplete}"
      maxlength="${maxLength}"
      ${minLength === undefined ? undefined : html` minlength="${minLength}"`}
      required${type === "text" ? undefined : html` autocapitalize="none" spellcheck="false"`}${issue === undefined ? undefined : html` aria-invalid="true"`}${describedBy(name, hint, issue)}
    />
  </div>`
}

/** A checkbox with its label and its error. */
export const checkbox = ({ label, name }: { readonly name: string; readonly label: string }, issues: Issues): Html => {
  const issue = issues.get(name)
  return html`<div class="field choices">
    ${issue === undefined ? undefined : html`<p class="issue" id="${name}-issue">${issue}</p>`}
    <label for="${name}"
      ><input
        id="${name}"
        name="${name}"
        type="checkbox"
        value="yes"
        required${issue === undefined ? undefined : html` aria-invalid="true"`}${describedBy(name, undefined, issue)}
      />
      ${label}</label
    >
  </div>`
}

/** A summary of all errors, with a link to each field. It has the focus when the page loads. */
export const issueSummary = (issues: Issues): Html | undefined =>
  issues.size === 0
    ? undefined
    : html`<div class="errors" role="alert" tabindex="-1" autofocus>
        <h2>${issues.size === 1 ? "Something is not right" : `${issues.size} things are not right`}</h2>
        <ul>
          ${[...issues].map(([name, issue]) => (name === "" ? html`<li>${issue}</li>` : html`<li><a href="#${name}">${issue}</a></li>`))}
        </ul>
      </div>`

export const hiddenToken = (token: string): Html => html`<input type="hidden" name="token" value="${token}" />`
