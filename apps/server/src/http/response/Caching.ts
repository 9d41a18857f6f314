import { hash } from "node:crypto"
import { HttpServerResponse } from "effect/http"
import type { HttpServerRequest } from "effect/http"

const isCacheable = (path: string) => path.startsWith("/v2/") || path === "/openapi.json" || path === "/docs"

const getEtag = (body: Uint8Array) => `"${hash("sha1", body, "base64url")}"`

export const matches = (header: string | undefined, etag: string) =>
  header !== undefined &&
  header.split(",").some((part) => {
    const tag = part.trim().replace(/^W\//, "")
    return tag === "*" || tag === etag
  })

/** The headers of a cacheable response, besides its own: an ETag, unless it has one. */
export const cachingHeaders = (
  path: string,
  response: HttpServerResponse.HttpServerResponse
): Readonly<Record<string, string>> => {
  if (response.status !== 200 || !isCacheable(path)) return {}
  const etag = response.headers["etag"] ?? tagOfBody(response)
  return etag === undefined ? {} : { "cache-control": response.headers["cache-control"] ?? "private, no-cache", etag }
}

/** Responds 304 if the client has the body. */
export const unlessKnown = (
  path: string,
  request: HttpServerRequest.HttpServerRequest,
  response: HttpServerResponse.HttpServerResponse
): HttpServerResponse.HttpServerResponse => {
  const { etag } = response.headers
  if (response.status !== 200 || etag === undefined || !isCacheable(path)) return response
  return matches(request.headers["if-none-match"], etag)
    ? HttpServerResponse.empty({ status: 304, headers: withoutContent(response.headers) })
    : response
}

const tagOfBody = ({ body }: HttpServerResponse.HttpServerResponse) =>
  body._tag === "Uint8Array" ? getEtag(body.body) : undefined

/** The headers of a 304 response. */
export const withoutContent = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith("content-")))
