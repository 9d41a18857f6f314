import { hash } from "node:crypto"
import { HttpServerResponse } from "effect/http"
import type { HttpServerRequest } from "effect/http"
import { budgetHeaderNames } from "../../auth/limits/BudgetHeaders.ts"
import { type RequestContext, requestIdHeader } from "../request/RequestContext.ts"

/** The default: no cache stores the response. */
const noStore = "no-store"

/** Private caches store the response, and revalidate it by its ETag. */
const privateRevalidated = "private, no-cache"

const getEtag = (body: Uint8Array) => `"${hash("sha1", body, "base64url")}"`

export const matchesEtag = (header: string | undefined, etag: string) =>
  header !== undefined &&
  header.split(",").some((part) => {
    const tag = part.trim().replace(/^W\//, "")
    return tag === "*" || tag === etag
  })

/**
 * The headers about caching. A response that is the same for every caller says so by `public`. It does not apply to a
 * request that carries a key or any other parameter: a shared cache would store the key with it.
 */
export const cachingHeaders = (
  { headers }: HttpServerRequest.HttpServerRequest,
  { path, query }: RequestContext,
  response: HttpServerResponse.HttpServerResponse
): Readonly<Record<string, string>> => {
  const declared = response.headers["cache-control"] ?? (path.startsWith("/v2/") ? privateRevalidated : noStore)
  if (response.status !== 200 || declared === noStore) return { "cache-control": noStore }
  const isPlain = query === "" && headers["api-key"] === undefined
  const control = isPlain ? declared : declared.replace("public", "private")
  const etag = response.headers["etag"] ?? toBodyEtag(response)
  return etag === undefined ? { "cache-control": control } : { "cache-control": control, etag }
}

/** Responds 304 if the client has the body. */
export const toNotModified = (
  request: HttpServerRequest.HttpServerRequest,
  response: HttpServerResponse.HttpServerResponse
): HttpServerResponse.HttpServerResponse => {
  const { etag } = response.headers
  if (response.status !== 200 || etag === undefined) return response
  return matchesEtag(request.headers["if-none-match"], etag)
    ? HttpServerResponse.empty({ status: 304, headers: withoutContent(response.headers) })
    : response
}

const toBodyEtag = ({ body }: HttpServerResponse.HttpServerResponse) =>
  body._tag === "Uint8Array" ? getEtag(body.body) : undefined

/** The headers of a 304 response. */
export const withoutContent = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith("content-")))

const exposed = [
  requestIdHeader,
  "etag",
  "retry-after",
  ...budgetHeaderNames,
  "chaintape-source",
  "chaintape-as-of",
  "chaintape-coverage",
  "chaintape-candle"
].join(", ")

/**
 * The headers of every response. Data may be read from any origin, but never with credentials, because every request
 * needs a key. `Strict-Transport-Security` is for the proxy that terminates TLS.
 */
export const commonHeaders: Readonly<Record<string, string>> = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": exposed,
  "cross-origin-resource-policy": "cross-origin",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  vary: "api-key, accept, accept-encoding"
}

/** The headers of a response: those of every response, some of them overridden by a page's own. */
export const toCommonHeaders = (
  own: Readonly<Record<string, string | undefined>>
): Readonly<Record<string, string>> => {
  const { "cross-origin-resource-policy": policy, "referrer-policy": referrer } = own
  if (policy === undefined && referrer === undefined) return commonHeaders
  return {
    ...commonHeaders,
    ...(policy === undefined ? {} : { "cross-origin-resource-policy": policy }),
    ...(referrer === undefined ? {} : { "referrer-policy": referrer })
  }
}
