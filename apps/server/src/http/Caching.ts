import { hash } from "node:crypto"
import { HttpServerResponse } from "effect/http"
import type { HttpServerRequest } from "effect/http"

const isCacheable = (path: string) => path.startsWith("/v2/") || path === "/openapi.json"

const pathOf = ({ url }: HttpServerRequest.HttpServerRequest) => url.split("?", 1)[0] ?? ""

const etagOf = (body: Uint8Array) => `"${hash("sha1", body, "base64url")}"`

export const matches = (header: string | undefined, etag: string) =>
  header !== undefined &&
  header.split(",").some((part) => {
    const tag = part.trim().replace(/^W\//, "")
    return tag === "*" || tag === etag
  })

/** Gives an answer its tag, unless it has one. */
export const withEtag = (
  request: HttpServerRequest.HttpServerRequest,
  response: HttpServerResponse.HttpServerResponse
): HttpServerResponse.HttpServerResponse => {
  if (response.status !== 200 || !isCacheable(pathOf(request))) return response
  const etag = response.headers["etag"] ?? tagOfBody(response)
  if (etag === undefined) return response
  return HttpServerResponse.setHeaders(response, { "cache-control": "private, no-cache", ...response.headers, etag })
}

/** Sends no body to a caller who already has it. */
export const unlessKnown = (
  request: HttpServerRequest.HttpServerRequest,
  response: HttpServerResponse.HttpServerResponse
): HttpServerResponse.HttpServerResponse => {
  const { etag } = response.headers
  if (response.status !== 200 || etag === undefined || !isCacheable(pathOf(request))) return response
  return matches(request.headers["if-none-match"], etag)
    ? HttpServerResponse.empty({ status: 304, headers: withoutContent(response.headers) })
    : response
}

const tagOfBody = ({ body }: HttpServerResponse.HttpServerResponse) =>
  body._tag === "Uint8Array" ? etagOf(body.body) : undefined

/** The headers of an answer whose body its caller has. */
export const withoutContent = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith("content-")))
