/**
 * Responses that a test passes on or creates.
 *
 * @since 0.1.0
 */
import type * as HttpClientResponse from "effect/http/HttpClientResponse"

/** The headers of the interface; the others belong to the connection. */
const metadata =
  /^(content-type|x-request-id|chaintape-.*|ratelimit.*|retry-after|etag|cache-control|age|date|location|www-authenticate|allow)$/

/**
 * The headers of a response that belong to the interface.
 *
 * @since 0.1.0
 * @category conversions
 */
export const getHeaders = (response: HttpClientResponse.HttpClientResponse): { readonly [name: string]: string } => {
  const kept: { [name: string]: string } = {}
  for (const [name, text] of Object.entries(response.headers)) {
    if (metadata.test(name) && typeof text === "string") kept[name] = text
  }
  return kept
}

/**
 * A response; statuses without content have no body.
 *
 * @since 0.1.0
 * @category constructors
 */
export const toResponse = (status: number, headers: { readonly [name: string]: string }, body: string): Response =>
  new Response(status === 204 || status === 205 || status === 304 ? null : body, { status, headers })
