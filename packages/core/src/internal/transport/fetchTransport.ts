/**
 * An `HttpClient` on `fetch` for requests without a body and responses read as text. `FetchHttpClient.layer` also
 * streams in both directions and parses cookies and forms: 5.7 kB of a bundle that never uses them.
 */
import * as Effect from "effect/Effect"
import { Fetch } from "effect/http/FetchHttpClient"
import * as Headers from "effect/http/Headers"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"

/** `source` is for live streams, which bring their own reader of it. */
export interface FetchResponse extends Pick<
  HttpClientResponse.HttpClientResponse,
  "request" | "status" | "headers" | "text"
> {
  readonly source: Response
}

const client = HttpClient.make((request, url, signal, fiber) => {
  const failed = (cause: unknown) =>
    new HttpClientError.HttpClientError({ reason: new HttpClientError.TransportError({ request, cause }) })
  return Effect.tryPromise({
    // The service does not redirect: following a redirect would send the key to another host.
    try: () => fiber.getRef(Fetch)(url, { headers: request.headers, redirect: "manual", signal }),
    catch: failed
  }).pipe(
    Effect.map((response) => {
      const answer: FetchResponse = {
        request,
        status: response.status,
        headers: Headers.fromInput(response.headers),
        text: Effect.tryPromise({ try: () => response.text(), catch: failed }),
        source: response
      }
      // Only our attempts and live streams see it, and they use only these members.
      return answer as object as HttpClientResponse.HttpClientResponse
    })
  )
})

export const fetchTransport: Layer.Layer<HttpClient.HttpClient> = Layer.succeed(HttpClient.HttpClient, client)
