/** What stands between an attempt and its request: nothing, or a cache. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Headers from "effect/http/Headers"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"

/** What a cache keeps of an answer. */
export interface Kept {
  /** As it was decoded. */
  readonly value: unknown
  readonly headers: Headers.Headers
  /** Characters of the body. */
  readonly size: number
}

/** A response and its body. */
export type Received = readonly [response: HttpClientResponse.HttpClientResponse, text: string]

/** Gets the answer to a request: `execute` sends one, and `read` decodes what it received. */
export type Revalidation = <E>(
  request: HttpClientRequest.HttpClientRequest,
  execute: (request: HttpClientRequest.HttpClientRequest) => Effect.Effect<Received, E>,
  read: (received: Received) => Effect.Effect<Kept, E>
) => Effect.Effect<Kept, E>

/** Sends the request and reads its answer where there is no cache. */
export const Revalidation = /* @__PURE__ */ Context.Reference<Revalidation>("@chaintape/core/internal/Revalidation", {
  defaultValue: () => (request, execute, read) => Effect.flatMap(execute(request), read)
})
