import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Random from "effect/Random"
import { Client, type ClientOptions } from "../../src/client/Client.ts"

export interface SeenRequest {
  readonly at: number
  readonly url: URL
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** A request without a response, with the message of the transport. */
export class Unreachable extends Data.TaggedError("Unreachable")<{ readonly cause: Error }> {}

/** The response of a stub to a request, by the number of the request, from 1. */
export type Behaviour = (count: number, request: SeenRequest) => Effect.Effect<Response, Unreachable>

export const json = (value: unknown, status = 200, headers: Record<string, string> = {}): Effect.Effect<Response> =>
  Effect.sync(() => Response.json(value, { status, headers }))

export const text = (value: string, status = 200, headers: Record<string, string> = {}): Effect.Effect<Response> =>
  Effect.sync(() => new Response(value, { status, headers }))

/** A problem as the service writes it. */
export const problem = (
  status: number,
  code: string,
  extra: Record<string, unknown> = {},
  headers: Record<string, string> = {}
): Effect.Effect<Response> =>
  json({ type: `/problems/${code}`, title: code, status, detail: `stub: ${code}`, code, ...extra }, status, {
    "content-type": "application/problem+json",
    ...headers
  })

export const unreachable = Effect.fail(new Unreachable({ cause: new TypeError("fetch failed") }))

/** A truncated body: the connection ends before it is complete. */
export const brokenOff = (start: string): Effect.Effect<Response> =>
  Effect.sync(() => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(start))
        controller.error(new TypeError("terminated"))
      }
    })
    return new Response(body, { status: 200, headers: { "content-type": "application/json" } })
  })

const failure = (request: HttpClientRequest.HttpClientRequest, cause: Error) =>
  new HttpClientError.HttpClientError({ reason: new HttpClientError.TransportError({ request, cause }) })

/** A client over a stub of the service, and the requests that the stub received. */
export const stubService = (behaviour: Behaviour, options: Partial<ClientOptions> = {}) => {
  const requests: Array<SeenRequest> = []
  const http = HttpClient.make((request, url) =>
    Effect.gen(function* () {
      const seen = { at: yield* Clock.currentTimeMillis, url, headers: { ...request.headers } }
      requests.push(seen)
      const response = yield* Effect.mapError(behaviour(requests.length, seen), ({ cause }) => failure(request, cause))
      return HttpClientResponse.fromWeb(request, response)
    })
  )
  return Effect.map(
    Client.make({ baseUrl: "http://stub.test", ...options }).pipe(Effect.provideService(HttpClient.HttpClient, http)),
    (client) => ({ client, requests })
  )
}

/** Every random number is `value`, so that delays are known. */
export const drawing =
  (value: number) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.provideService(effect, Random.Random, { nextDoubleUnsafe: () => value, nextIntUnsafe: () => 0 })

/** The milliseconds between requests. */
export const gaps = (requests: ReadonlyArray<SeenRequest>): ReadonlyArray<number> =>
  requests.slice(1).map((request, index) => request.at - (requests[index]?.at ?? 0))
