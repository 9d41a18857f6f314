/**
 * The common part of all faults.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import { makeTrigger, type FaultTrigger } from "./FaultTrigger.ts"

/**
 * A layer between a client and its transport.
 *
 * @example
 * ```ts
 * import { Faults } from "@chaintape/core/testing"
 *
 * const down: Faults.Fault = Faults.outage({})
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export type Fault = Layer.Layer<HttpClient.HttpClient, never, HttpClient.HttpClient>

type Answered = Effect.Effect<HttpClientResponse.HttpClientResponse, HttpClientError.HttpClientError>

/**
 * Creates a fault from a handler of the affected requests; `pass` sends the request, or another one, on.
 *
 * @example
 * ```ts
 * import { Faults } from "@chaintape/core/testing"
 * import * as Effect from "effect/Effect"
 *
 * const twice = Faults.makeFault({}, (request, pass) => Effect.andThen(pass(request), pass(request)))
 * ```
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeFault = (
  trigger: FaultTrigger,
  strike: (
    request: HttpClientRequest.HttpClientRequest,
    pass: (request: HttpClientRequest.HttpClientRequest) => Answered,
    url: URL
  ) => Answered
): Fault =>
  Layer.effect(
    HttpClient.HttpClient,
    Effect.gen(function* () {
      const http = yield* HttpClient.HttpClient
      const strikes = yield* makeTrigger(trigger)
      return HttpClient.make((request, url) =>
        Effect.flatMap(strikes(url), (struck) => (struck ? strike(request, http.execute, url) : http.execute(request)))
      )
    })
  )
