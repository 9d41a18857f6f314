import { operations, textOf } from "@chaintape/contract"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { toOrigin } from "../forms/Browser.ts"
import { html } from "../layout/Html.ts"
import { page } from "../layout/Page.ts"

const rows = operations.map(
  (operation) =>
    html`<tr>
      <td><code>${operation.path.replace(/:(\w+)/g, "{$1}")}</code></td>
      <td>${textOf(operation).summary}</td>
    </tr>`
)

const building = html`<p role="status">
  The demo is being built. This page shows it as soon as it is there, in a few seconds.
</p>`

/** A `Refresh` header would navigate within the page if its URL has a fragment, as the printed link does. */
const reload = "setTimeout(() => location.reload(), 1500)"

const body = (origin: string, example: string, isBuilding: boolean) =>
  html`<h1>Chaintape</h1>
    ${isBuilding ? building : undefined}
    <p class="quiet">Crypto market and blockchain data. Read-only, JSON, every operation is a GET request.</p>

    <h2>Get a key</h2>
    <p>
      <a href="/sign-up">Sign up</a> or <a href="/sign-in">sign in</a>, and create a key in the
      <a href="/dashboard">dashboard</a>. The first start of the service printed one as well.
    </p>

    <h2>Use the key</h2>
    <p>Send it in the header <code>api-key</code> or in the query parameter <code>apiKey</code>:</p>
    <pre tabindex="0"><code>curl -H "api-key: $CHAINTAPE_API_KEY" ${origin}${example}</code></pre>
    <p>Checking the connection needs none:</p>
    <pre tabindex="0"><code>curl ${origin}/ping</code></pre>

    <h2>Look further</h2>
    <ul>
      <li><a href="/">Demo</a>: markets, pools and blocks, alive</li>
      <li><a href="/docs">Documentation of every operation</a>, where each can be tried</li>
      <li><a href="/guide/">Guide</a>: the packages, step by step</li>
      <li><a href="/openapi.json">OpenAPI document</a></li>
      <li><a href="/problems">Problems</a>: what each means and what to do</li>
      <li><a href="/status">Status of the sources</a></li>
    </ul>

    <h2>Operations</h2>
    <table>
      <thead>
        <tr>
          <th scope="col">Path</th>
          <th scope="col">What it does</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>`

/**
 * The page at `/about`, and at `/` if there is no demo. It names the address by which it was requested. `example` is the
 * path of a working operation.
 */
export const startPage = (example: string, isBuilding: boolean) =>
  Effect.map(HttpServerRequest.HttpServerRequest, (request) =>
    HttpServerResponse.setHeader(
      page("Chaintape", body(toOrigin(request), example, isBuilding), { script: isBuilding ? reload : undefined }),
      "cache-control",
      isBuilding ? "no-store" : "private, no-cache"
    )
  )
