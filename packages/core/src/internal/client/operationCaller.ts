/** The client over an `HttpClient`. */
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import type { Answer } from "../../operation/Answer.ts"
import type * as Operation from "../../operation/Operation.ts"
import type { CallOptions } from "../../options/CallOptions.ts"
import type { ClientOptions } from "../../options/ClientOptions.ts"
import * as RetryPolicy from "../../options/RetryPolicy.ts"
import type { ClientError } from "../../problem/ClientError.ts"
import { checkOptions, clientOptions } from "../options/checkOptions.ts"
import { makeAdmission } from "../retry/admission.ts"
import { policyWith, withRetries } from "../retry/retries.ts"
import { attemptWith } from "../transport/attempt.ts"
import { makeClientEvents } from "../transport/clientEvents.ts"
import { encodeRequest, shownUrl, toIdentity } from "../transport/request.ts"
import { RouteObserver } from "../transport/route.ts"
import { makeSingleFlight } from "./singleFlight.ts"

/** Runs one operation. */
export interface OperationCaller {
  readonly call: <Op extends Operation.Any>(
    operation: Op,
    request: Operation.Input<Op>,
    options?: CallOptions
  ) => Effect.Effect<Answer<Operation.Success<Op>>, Operation.Problem<Op> | ClientError>
}

/** A client with the `HttpClient` in the context. */
export const makeClient = (options: ClientOptions): Effect.Effect<OperationCaller, never, HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const http = yield* HttpClient.HttpClient
    checkOptions("the client", options, clientOptions)
    const admission = makeAdmission()
    const share = makeSingleFlight()
    const events = makeClientEvents(options)
    const observed = HttpClient.tap(http, ({ headers }) => admission.observe(headers))
    const attempt = attemptWith(observed, options, events)
    const run = withRetries(policyWith(RetryPolicy.standard, options.retry), admission.admit, events)
    return {
      call: (operation, request, call) =>
        Effect.gen(function* () {
          const encoded = yield* encodeRequest(operation, request)
          // Each caller needs the route, also one that shares the read of another.
          const observe = yield* RouteObserver
          observe?.(observed, options)
          const read = run(
            operation,
            request,
            shownUrl(options.baseUrl, encoded),
            (attempts) => attempt(operation, encoded, attempts),
            call
          )
          return yield* call === undefined ? share(toIdentity(operation, encoded), read) : read
        })
    }
  })
