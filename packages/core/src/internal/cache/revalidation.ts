/** The layer between an attempt and its request: nothing, or a cache. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Headers from "effect/http/Headers"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"

/** A response with its decoded value. */
export interface DecodedResponse {
  readonly value: unknown
  readonly headers: Headers.Headers
}

/** A response and its body. */
export type Received = readonly [response: HttpClientResponse.HttpClientResponse, text: string]

/** Gets the response to a request: `execute` sends one, and `read` decodes what it received. */
export type Revalidation = <E>(
  request: HttpClientRequest.HttpClientRequest,
  execute: (request: HttpClientRequest.HttpClientRequest) => Effect.Effect<Received, E>,
  read: (received: Received) => Effect.Effect<DecodedResponse, E>
) => Effect.Effect<DecodedResponse, E>

/** Sends the request and decodes its response, without a cache. */
export const Revalidation = /* @__PURE__ */ Context.Reference<Revalidation>("@chaintape/core/internal/Revalidation", {
  defaultValue: () => (request, execute, read) => Effect.flatMap(execute(request), read)
})
