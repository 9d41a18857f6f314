import { createHash } from "node:crypto"
import { HttpServerResponse } from "effect/http"
import type { HttpServerRequest } from "effect/http"

const isCacheable = (path: string) => path.startsWith("/v2/") || path === "/openapi.json"

const etagOf = (body: Uint8Array) => `"${createHash("sha1").update(body).digest("base64url")}"`

const matches = (header: string | undefined, etag: string) =>
  header !== undefined &&
  header.split(",").some((part) => {
    const tag = part.trim().replace(/^W\//, "")
    return tag === "*" || tag === etag
  })

/** Gives an answer its tag, and sends no body to a caller who already has it. */
export const withEtag = (
  request: HttpServerRequest.HttpServerRequest,
  response: HttpServerResponse.HttpServerResponse
): HttpServerResponse.HttpServerResponse => {
  const path = request.url.split("?", 1)[0] ?? ""
  if (response.status !== 200 || response.body._tag !== "Uint8Array" || !isCacheable(path)) return response
  const etag = etagOf(response.body.body)
  const headers = { "cache-control": "private, no-cache", ...response.headers, etag }
  return matches(request.headers["if-none-match"], etag)
    ? HttpServerResponse.empty({ status: 304, headers: withoutContent(headers) })
    : HttpServerResponse.setHeaders(response, headers)
}

const withoutContent = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith("content-")))
