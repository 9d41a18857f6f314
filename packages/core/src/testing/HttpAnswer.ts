/**
 * Responses that a test passes on or creates.
 *
 * @since 0.1.0
 *
 * @example
 * ```ts
 * import * as assert from "node:assert/strict"
 * import { headersOf, responseOf } from "@chaintape/core/testing/HttpAnswer"
 * import * as HttpClientRequest from "effect/http/HttpClientRequest"
 * import * as HttpClientResponse from "effect/http/HttpClientResponse"
 *
 * const response = HttpClientResponse.fromWeb(
 *   HttpClientRequest.get("http://service.test/ping"),
 *   responseOf(200, { etag: '"1"', server: "proxy" }, "{}")
 * )
 * assert.equal(headersOf(response)["etag"], '"1"')
 * assert.equal(headersOf(response)["server"], undefined)
 * ```
 */
import type * as HttpClientResponse from "effect/http/HttpClientResponse"

/** The headers of the interface; the others belong to the connection. */
const words =
  /^(content-type|x-request-id|chaintape-.*|ratelimit.*|retry-after|etag|cache-control|age|date|location|www-authenticate|allow)$/

/**
 * The headers of a response that belong to the interface.
 *
 * @since 0.1.0
 * @category conversions
 */
export const headersOf = (response: HttpClientResponse.HttpClientResponse): { readonly [name: string]: string } => {
  const kept: { [name: string]: string } = {}
  for (const [name, text] of Object.entries(response.headers)) {
    if (words.test(name) && typeof text === "string") kept[name] = text
  }
  return kept
}

/**
 * A response; statuses without content have no body.
 *
 * @since 0.1.0
 * @category constructors
 */
export const responseOf = (status: number, headers: { readonly [name: string]: string }, body: string): Response =>
  new Response(status === 204 || status === 205 || status === 304 ? null : body, { status, headers })
