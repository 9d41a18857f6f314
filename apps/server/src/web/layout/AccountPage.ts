import { HttpServerResponse } from "effect/http"
import { hiddenToken } from "./Fields.ts"
import { html } from "./Html.ts"
import type { Html } from "./Html.ts"
import { renderFrame, hashSource } from "./Page.ts"
import { accountStyle } from "./Styles.ts"

/**
 * A form is sent again after 10 seconds at the earliest, or from a page to which the user goes back: a second click during a
 * slow request would create a second key, which no page shows.
 */
const sendOnceScript = `
let sentAt = new WeakMap()
addEventListener("pageshow", () => { sentAt = new WeakMap() })
addEventListener("submit", (event) => {
  if (event.timeStamp - sentAt.get(event.target) < 10_000) event.preventDefault()
  else sentAt.set(event.target, event.timeStamp)
})
`

const getPolicy = (script: string) =>
  [
    "default-src 'none'",
    `style-src ${hashSource(accountStyle)}`,
    `script-src ${hashSource(script)}`,
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

/** The signed-in account, with the token of its forms. */
export interface SignedIn {
  readonly email: string
  readonly token: string
}

export interface AccountPage {
  readonly title: string
  readonly body: Html
  readonly signedIn?: SignedIn | undefined
  /** Whether the page uses a wide layout. */
  readonly broad?: boolean
  readonly status?: number
  /** Added to that of every account page. */
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
            ${hiddenToken(signedIn.token)}<button class="plain">Sign out</button>
          </form>
        </div>
      </nav>`

/** An account page: it may send forms to this service. Everything on it works without its script. */
export const accountPage = ({
  body,
  broad = false,
  script: ownScript = "",
  signedIn,
  status = 200,
  title
}: AccountPage): HttpServerResponse.HttpServerResponse => {
  const script = sendOnceScript + ownScript
  return HttpServerResponse.text(
    renderFrame({
      title: `${title} · Chaintape`,
      body: html`${bar(signedIn)}
<div${broad ? html` class="broad"` : undefined}>
${body}
</div>`,
      style: accountStyle,
      script
    }),
    {
      status,
      contentType: "text/html; charset=utf-8",
      headers: { ...accountHeaders, "content-security-policy": getPolicy(script) }
    }
  )
}

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
