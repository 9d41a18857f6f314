import { operations } from "@chaintape/core/api/Api"
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { escape, page } from "./Page.ts"

const rows = operations
  .map(
    ({ path, summary }) =>
      `<tr><td><code>${escape(path.replace(/:(\w+)/g, "{$1}"))}</code></td><td>${escape(summary)}</td></tr>`
  )
  .join("\n")

const originOf = (request: HttpServerRequest.HttpServerRequest) =>
  /^[\w.:[\]-]{1,255}$/.test(request.headers["host"] ?? "") ? `http://${request.headers["host"]}` : ""

const body = (origin: string, example: string) => `
<h1>Chaintape</h1>
<p class="quiet">Crypto market and blockchain data. Read-only, JSON, every operation is a GET request.</p>

<h2>Use the key</h2>
<p>The program that started this service printed a key. Send it in the header <code>api-key</code> or in the query
parameter <code>apiKey</code>:</p>
<pre tabindex="0"><code>curl -H "api-key: $CHAINTAPE_API_KEY" ${escape(origin)}${escape(example)}</code></pre>
<p>Checking the connection needs none:</p>
<pre tabindex="0"><code>curl ${escape(origin)}/ping</code></pre>

<h2>Look further</h2>
<ul>
<li><a href="/docs">Documentation of every operation</a>, where each can be tried</li>
<li><a href="/openapi.json">OpenAPI document</a></li>
<li><a href="/problems">Problems</a>: what each means and what to do</li>
<li><a href="/status">Status of the sources</a>, <a href="/metrics">metrics</a></li>
</ul>

<h2>Operations</h2>
<table>
<thead><tr><th scope="col">Path</th><th scope="col">What it does</th></tr></thead>
<tbody>
${rows}
</tbody>
</table>
`

/** The page at `/`. `example` is the path of an operation that works on this service. */
export const startPage = (example: string) =>
  Effect.map(HttpServerRequest.HttpServerRequest, (request) => page("Chaintape", body(originOf(request), example)))
