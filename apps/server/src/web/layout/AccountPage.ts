import { HttpServerResponse } from "effect/http"
import { html } from "./Html.ts"
import type { Html } from "./Html.ts"
import { framed, hashSource, toStyle } from "./Page.ts"

const style = `
.bar { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: .25rem 1rem; margin: 0 0 2rem; padding: 0 0 .75rem; border-bottom: 1px solid var(--line) }
.bar a.home { color: var(--text); font-weight: 650; text-decoration: none }
.bar a.home:hover { text-decoration: underline }
.bar > div { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1rem; overflow-wrap: anywhere }
body:has(.broad) { max-width: 70rem }
form.narrow { max-width: 26rem }
.field { margin: 1.25rem 0 }
label, legend { font-weight: 600 }
.hint { margin: .1rem 0 .4rem; color: var(--quiet); font-size: .925rem }
.issue { margin: .1rem 0 .4rem; color: var(--bad); font-weight: 600 }
input, select, textarea, button, .button { font: inherit; color: inherit }
input:not([type=checkbox]), select, textarea { display: block; width: 100%; margin-top: .25rem; padding: .55rem .7rem; min-height: 2.75rem; background: var(--back); border: 1px solid var(--edge); border-radius: .4rem }
input[readonly], textarea[readonly] { background: var(--code); font: .95em/1.5 ui-monospace, monospace }
textarea { resize: vertical; overflow-wrap: anywhere; field-sizing: content }
input[aria-invalid=true] { border-color: var(--bad); box-shadow: inset 0 0 0 1px var(--bad) }
fieldset { margin: 1.25rem 0; padding: 0; border: 0 }
legend { padding: 0 }
.choices { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem }
.choices label { display: inline-flex; align-items: center; gap: .5rem; min-height: 2.75rem; font-weight: 400 }
input[type=checkbox] { flex: none; width: 1.2rem; height: 1.2rem; accent-color: var(--accent) }
button, .button { display: inline-block; min-height: 2.75rem; padding: .55rem 1.1rem; background: var(--accent); color: var(--on-accent); border: 1px solid var(--accent); border-radius: .4rem; font-weight: 600; line-height: 1.5; text-decoration: none; cursor: pointer }
button:hover, .button:hover { filter: brightness(1.1) }
button.second, .button.second { background: transparent; color: var(--accent) }
button.danger { background: var(--bad); border-color: var(--bad); color: var(--back) }
button.plain { min-height: 0; padding: .25rem 0; background: none; border: 0; color: var(--accent); font-weight: 400; text-decoration: underline }
[hidden] { display: none !important }
.row { display: flex; flex-wrap: wrap; align-items: center; gap: .75rem 1rem; margin: 1.25rem 0 }
.errors, .done { margin: 1rem 0; padding: .9rem 1.1rem; border-left: 4px solid var(--bad); border-radius: .4rem; background: var(--bad-back) }
.errors h2 { margin: 0; font-size: 1.05rem }
.errors ul { margin: .4rem 0 0 }
.errors a { color: inherit; font-weight: 600 }
.done { border-color: var(--good); background: var(--good-back) }
.state { white-space: nowrap; font-weight: 600 }
.state.live { color: var(--good) }
.state.ended { color: var(--quiet) }
.keys td, .keys th[scope=row] { padding-block: .7rem }
.keys code { white-space: nowrap }
.keys tr.ended { color: var(--quiet) }
.acts { display: flex; flex-wrap: wrap; gap: .25rem 1rem }
.number { text-align: right }
.scroll { overflow-x: auto }
time, .nowrap { white-space: nowrap }
svg { display: block; width: 100%; height: 11rem }
.axis { display: flex; justify-content: space-between; margin: .25rem 0; color: var(--quiet); font-size: .925rem; font-variant-numeric: tabular-nums }
svg .served { fill: var(--accent) }
svg .refused { fill: var(--bad) }
svg line { stroke: var(--line); vector-effect: non-scaling-stroke }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin: .25rem 0 .75rem; padding: 0; list-style: none; color: var(--quiet); font-size: .925rem }
.legend li::before { content: ""; display: inline-block; width: .8rem; height: .8rem; margin-right: .45rem; vertical-align: -.05rem; border-radius: .15rem; background: var(--accent) }
.legend li.refused::before { background: var(--bad) }
summary { cursor: pointer; color: var(--accent) }
@media (max-width: 46rem) {
  body { padding-top: 1.25rem }
  .stack thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
  .stack, .stack tbody, .stack tr, .stack td, .stack th[scope=row] { display: block }
  .stack tr { padding: .6rem 0; border-bottom: 1px solid var(--line) }
  .stack td, .stack th[scope=row] { display: flex; justify-content: space-between; gap: 1rem; padding: .2rem 0; border: 0; text-align: right; overflow-wrap: anywhere }
  .stack td::before, .stack th[scope=row]::before { content: attr(data-label); flex: none; color: var(--quiet); font-weight: 400 }
  .stack .acts { justify-content: flex-end }
}
@media (forced-colors: active) {
  button, .button { border: 1px solid ButtonText }
  svg .served { fill: CanvasText }
  svg .refused { fill: Mark }
}
`

const getPolicy = (script: string | undefined) =>
  [
    "default-src 'none'",
    `style-src ${hashSource(toStyle(style))}`,
    ...(script === undefined ? [] : [`script-src ${hashSource(script)}`]),
    "img-src data:",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'"
  ].join("; ")

/** Account pages are not cached, framed, or opened by other pages. */
const accountHeaders = {
  "cache-control": "no-store",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  // A stricter policy would hide the origin of a form.
  "referrer-policy": "same-origin"
}

export interface AccountPage {
  readonly title: string
  readonly body: Html
  /** The signed-in account, with the token of its sign-out form. */
  readonly signedIn?: { readonly email: string; readonly token: string } | undefined
  /** Whether the page uses a wide layout. */
  readonly broad?: boolean
  readonly status?: number
  readonly script?: string
}

const bar = (signedIn: AccountPage["signedIn"]): Html =>
  signedIn === undefined
    ? html`<nav class="bar" aria-label="Account"><a class="home" href="/">Chaintape</a></nav>`
    : html`<nav class="bar" aria-label="Account">
        <a class="home" href="/">Chaintape</a>
        <div>
          <span class="quiet">${signedIn.email}</span> <a href="/dashboard">Dashboard</a> <a href="/account">Account</a>
          <form method="post" action="/sign-out">
            <input type="hidden" name="token" value="${signedIn.token}" /><button class="plain">Sign out</button>
          </form>
        </div>
      </nav>`

/** An account page: it may send forms to this service. Everything on it works without its script. */
export const accountPage = ({
  body,
  broad = false,
  script,
  signedIn,
  status = 200,
  title
}: AccountPage): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(
    framed({
      title: `${title} · Chaintape`,
      body: html`${bar(signedIn)}
<div${broad ? html` class="broad"` : undefined}>
${body}
</div>`.text,
      style,
      ...(script === undefined ? {} : { script })
    }),
    {
      status,
      contentType: "text/html; charset=utf-8",
      headers: { ...accountHeaders, "content-security-policy": getPolicy(script) }
    }
  )

/** After a form: the browser requests `location`, so that a reload does not send the form again. */
export const seeOther = (location: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.redirect(location, { status: 303, headers: accountHeaders })

/** The error, if no form can be shown again. */
export const refusalPage = (
  status: number,
  title: string,
  sentence: string,
  back: { readonly href: string; readonly text: string }
): HttpServerResponse.HttpServerResponse =>
  accountPage({
    title,
    status,
    body: html`<h1>${title}</h1>
      <p role="alert">${sentence}</p>
      <p><a href="${back.href}">${back.text}</a></p>`
  })
