/** The parts that every client shares. */
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import type * as Operation from "../../api/Operation.ts"
import type { Answer } from "../../client/Answer.ts"
import type { CallOptions } from "../../client/CallOptions.ts"
import type { ClientError } from "../../client/ClientError.ts"
import type { ClientOptions } from "../../client/ClientOptions.ts"
import * as RetryPolicy from "../../client/RetryPolicy.ts"
import { type Admission, policyWith, withRetries } from "../retry/retries.ts"
import { attemptWith } from "../transport/attempt.ts"
import { type Encoded, encodeRequest } from "../transport/request.ts"
import { addressRule, isAddress } from "./address.ts"
import { checkOptions, clientOptions } from "./checkOptions.ts"

export const clientKey = "@chaintape/core/client/Client"

/** Runs one operation. */
export interface Call {
  readonly call: <Op extends Operation.Any>(
    operation: Op,
    request: Operation.Request<Op>,
    options?: CallOptions
  ) => Effect.Effect<Answer<Operation.Success<Op>>, Operation.Problem<Op> | ClientError>
}

export interface Parts {
  readonly admission: Admission
  /** Called with every response of a client. */
  readonly observed: (http: HttpClient.HttpClient) => HttpClient.HttpClient
  /** Runs a read, or waits for an equal one in progress. */
  readonly share: <A, E>(operation: Operation.Any, encoded: Encoded, read: Effect.Effect<A, E>) => Effect.Effect<A, E>
}

/** A client with the `HttpClient` in the context; `parts` are created for it. */
export const makeClient = (
  options: ClientOptions,
  parts?: (policy: RetryPolicy.RetryPolicy) => Parts
): Effect.Effect<Call, never, HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const http = yield* HttpClient.HttpClient
    const address = String(options.baseUrl)
    if (!isAddress(address)) {
      return yield* Effect.die(new TypeError(`baseUrl is "${address}": ${addressRule}`))
    }
    yield* Effect.sync(() => checkOptions("the client", options, clientOptions))
    const policy = policyWith(RetryPolicy.standard, options.retry)
    const own = parts?.(policy)
    const attempt = attemptWith(own?.observed(http) ?? http, options)
    const run = withRetries(policy, own?.admission)
    return {
      call: (operation, request, call) =>
        Effect.flatMap(encodeRequest(operation, request), (encoded) => {
          const read = run(operation, request, (attempts) => attempt(operation, encoded, attempts), call)
          return (call === undefined ? own?.share(operation, encoded, read) : read) ?? read
        })
    }
  })
