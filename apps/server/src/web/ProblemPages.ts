import { HeadersTooLarge, MethodNotAllowed, NotFound, UriTooLong } from "@chaintape/contract"
import * as Core from "@chaintape/core"
import type { HttpServerResponse } from "effect/http"
import { html } from "./layout/Html.ts"
import { page } from "./layout/Page.ts"

const classes = [
  Core.InvalidParameter,
  Core.MissingApiKey,
  Core.InvalidApiKey,
  Core.KeyNotAllowed,
  NotFound,
  Core.ExchangeNotFound,
  Core.MarketNotFound,
  Core.OperationNotSupported,
  Core.NoData,
  Core.BlockchainNotFound,
  Core.BlockNotFound,
  Core.TokenNotFound,
  Core.PoolNotFound,
  MethodNotAllowed,
  UriTooLong,
  Core.RateLimited,
  Core.QuotaExceeded,
  HeadersTooLarge,
  Core.Internal,
  Core.UpstreamFailed,
  Core.NotReady,
  Core.Overloaded,
  Core.UpstreamBusy,
  Core.UpstreamTimeout
] as const

/** The code of every problem. */
export type ProblemCode = (typeof classes)[number]["code"]

const explanations = {
  "invalid-parameter": {
    cause: "At least one parameter of the path or the query is not allowed. The member issues names each of them.",
    remedy:
      "Correct every parameter that issues names. A misspelt parameter is refused too: nothing is ignored silently."
  },
  "missing-api-key": {
    cause: "The request carries no key, and the operation needs one.",
    remedy: "Send the key in the header api-key or in the query parameter apiKey."
  },
  "invalid-api-key": {
    cause: "The key is unknown, malformed, revoked or expired, or the header and the query carry different keys.",
    remedy: "Copy the key again, or make a new one."
  },
  "key-not-allowed": {
    cause: "The key is limited to some groups of operations (cex, dex, blocks), and this operation is of another one.",
    remedy: "Use a key without this limit. The member group names the group that it must allow."
  },
  "not-found": {
    cause: "No operation and no page has this path.",
    remedy: "Look the path up in /docs. Operations other than ping begin with /v2/."
  },
  "exchange-not-found": {
    cause: "The service knows no exchange with this id.",
    remedy: "Take an id from /v2/cex/exchanges."
  },
  "market-not-found": {
    cause: "The exchange does not list this market.",
    remedy: "Write the market as BASE-QUOTE in the symbols of the exchange, such as BTC-USD."
  },
  "operation-not-supported": {
    cause:
      "The exchange does not offer this to callers without an account, or not in this timeframe; or it is a live stream of a market that is not recorded, or of a subgraph; or a subgraph does not have these data; or the protocol of the pool has no ticks.",
    remedy:
      "The properties of a centralized exchange say what it offers: hasTrades, hasAggregates and aggregateTimeframes. Without a live stream, ask at intervals."
  },
  "no-data": {
    cause: "The market exists and has had no trade yet.",
    remedy: "Ask again when it has traded."
  },
  "blockchain-not-found": {
    cause: "The service knows no blockchain with this id.",
    remedy: "Take an id from /v2/blocks."
  },
  "block-not-found": {
    cause: "The block is newer than the newest one that can be read, or older than the first.",
    remedy:
      "The member head is the newest block. Ask for it or an older one; detail names the first where there is one."
  },
  "token-not-found": {
    cause: "No pool of the deployment holds a token with this address, or none did at the block.",
    remedy: "Take an id from the list of tokens, of the same blockchain and block."
  },
  "pool-not-found": {
    cause: "The deployment has no pool with this address, or had none yet at the block.",
    remedy: "Take an id from the list of pools, of the same blockchain and block."
  },
  "method-not-allowed": {
    cause: "The interface is read-only: every operation is a GET request.",
    remedy: "Use GET or HEAD."
  },
  "uri-too-long": { cause: "The URL is longer than the service reads.", remedy: "Send a shorter one." },
  "rate-limited": {
    cause:
      "The key, or all keys of the caller's address, have used up their budget for the moment, or the key has too many concurrent requests. Large responses cost more than small ones. Too many wrong keys, or requests without a key, from one address have the same response.",
    remedy:
      "Wait as long as the header Retry-After says. The headers RateLimit and RateLimit-Policy state the budget in every response."
  },
  "quota-exceeded": {
    cause: "The key has used up what its plan allows in one day. Large responses cost more than small ones.",
    remedy:
      "Wait until the next day begins, by UTC: Retry-After says when. The operator can give the key a larger plan."
  },
  "headers-too-large": {
    cause: "The headers of the request are larger than the service reads.",
    remedy: "Send fewer or smaller headers."
  },
  internal: {
    cause: "The service failed. Its details are in the log of the service only.",
    remedy: "Try again. If it happens again, give the operator the requestId: the log explains it."
  },
  "upstream-failed": {
    cause:
      "The exchange or the node that was asked failed, refused, or answered with something unusable. Nothing of a broken response is used.",
    remedy: "Try again later. The member source says who failed, /status since when."
  },
  "not-ready": {
    cause:
      "The service is starting or stopping, has no data for this operation yet, or cannot read its store at the moment.",
    remedy: "Wait as long as Retry-After says."
  },
  overloaded: { cause: "The service has more work than it can do.", remedy: "Wait as long as Retry-After says." },
  "upstream-busy": {
    cause: "The exchange or the node limits the service. Your own budget is not the reason.",
    remedy: "Wait as long as Retry-After says."
  },
  "upstream-timeout": {
    cause: "The exchange or the node did not answer in time.",
    remedy: "Try again later. The member source says which."
  }
} as const satisfies Record<ProblemCode, { readonly cause: string; readonly remedy: string }>

/** Every problem with its cause and remedy, by its class. */
export const explainedProblems = classes.map((problem) => ({ problem, ...explanations[problem.code] }))

const pages = classes.map(
  ({ code, status, title }) =>
    [
      `/problems/${code}`,
      page(
        title,
        html`<p><a href="/problems">Problems</a></p>
          <h1>${title}</h1>
          <p class="quiet">Status ${status}, code <code>${code}</code></p>
          <h2>Cause</h2>
          <p>${explanations[code].cause}</p>
          <h2>Remedy</h2>
          <p>${explanations[code].remedy}</p>`
      )
    ] as const
)

const index = page(
  "Problems",
  html`<p><a href="/">Chaintape</a></p>
    <h1>Problems</h1>
    <p>
      Every response with a status of 400 or more is a problem: <code>application/problem+json</code> with
      <code>type</code>, <code>title</code>, <code>status</code>, <code>detail</code>, <code>code</code> and
      <code>requestId</code>.
    </p>
    <table>
      <thead>
        <tr>
          <th scope="col">Status</th>
          <th scope="col">Code</th>
          <th scope="col">Title</th>
        </tr>
      </thead>
      <tbody>
        ${classes.map(
          ({ code, status, title }) =>
            html`<tr>
              <td>${status}</td>
              <td>
                <a href="/problems/${code}"><code>${code}</code></a>
              </td>
              <td>${title}</td>
            </tr>`
        )}
      </tbody>
    </table>`
)

/** For a browser at a path that does not exist. */
export const notFoundPage = (path: string): HttpServerResponse.HttpServerResponse =>
  page(
    "Page not found",
    html`<p><a href="/">Chaintape</a></p>
      <h1>Page not found</h1>
      <p>There is nothing at <code>${path}</code>.</p>
      <ul>
        <li><a href="/">Markets, pools and blocks</a></li>
        <li><a href="/docs">API reference</a></li>
        <li><a href="/guide/">Guide</a></li>
        <li><a href="/problems">Problems</a>: what each code means</li>
        <li><a href="/status">Status of the sources</a></li>
      </ul>`,
    { status: 404 }
  )

/** The problem pages by path. */
export const problemPages: ReadonlyMap<"/problems" | `/problems/${string}`, HttpServerResponse.HttpServerResponse> =
  new Map([["/problems", index] as const, ...pages])
