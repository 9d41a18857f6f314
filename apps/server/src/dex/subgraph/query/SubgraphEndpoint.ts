import type { Redacted } from "effect"
import { Data, Effect, Schedule, Schema, Semaphore } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { monotonicMillis } from "../../../internal/monotonic.ts"
import { DexSourceError, isTransient } from "../../DexSource.ts"
import type { DexFailure } from "../../DexSource.ts"
import type { BlockNotIndexedError } from "./SubgraphFailure.ts"
import { readReply } from "./SubgraphReply.ts"
import type { SubgraphReplyError } from "./SubgraphReply.ts"

const attemptTimeout = "5 seconds"
const concurrentRequests = 8
const retries = Schedule.exponential("100 millis").pipe(Schedule.jittered, Schedule.upTo({ times: 4 }))

/** A GraphQL request and the schema of its data. */
export class SubgraphRequest<A> extends Data.Class<{
  readonly document: string
  readonly variables: { readonly [name: string]: unknown }
  readonly data: Schema.ConstraintDecoder<A>
}> {}

/** One subgraph over HTTP. */
export interface SubgraphEndpoint {
  /** Of the deployment. */
  readonly key: string
  readonly failed: (reason: DexFailure, what: string, retryAfterMs?: number) => DexSourceError
  /** One attempt. */
  readonly send: <A>(request: SubgraphRequest<A>) => Effect.Effect<A, DexSourceError | BlockNotIndexedError>
  /** Retries transient failures with growing delays. The caller sets the deadline. */
  readonly retried: <A, E>(request: Effect.Effect<A, E | DexSourceError>) => Effect.Effect<A, E | DexSourceError>
}

interface EndpointOptions {
  readonly key: string
  readonly url: string
  readonly apiKey?: Redacted.Redacted
}

const makeFailed =
  (key: string): SubgraphEndpoint["failed"] =>
  (reason, what, retryAfterMs) =>
    new DexSourceError({
      source: key,
      reason,
      message: `The subgraph of "${key}" ${what}.`,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs })
    })

const toHttpRequest = ({ apiKey, url }: EndpointOptions, query: string, variables: unknown) =>
  HttpClientRequest.post(url).pipe(
    HttpClientRequest.acceptJson,
    apiKey === undefined ? (same) => same : HttpClientRequest.bearerToken(apiKey),
    HttpClientRequest.bodyJsonUnsafe({ query, variables })
  )

/** Limits the concurrency of requests to the endpoint, and sends none while it has asked to wait. */
export const makeSubgraphEndpoint = Effect.fnUntraced(function* (options: EndpointOptions) {
  const http = yield* HttpClient.HttpClient
  const turns = yield* Semaphore.make(concurrentRequests)
  const failed = makeFailed(options.key)
  let heldUntil = Number.NEGATIVE_INFINITY

  const refuse = Effect.fnUntraced(function* ({ reason, retryAfterMs, what }: SubgraphReplyError) {
    if (reason !== "Busy") return yield* failed(reason, what)
    heldUntil = Math.max(heldUntil, (yield* monotonicMillis) + retryAfterMs)
    return yield* failed(reason, what, retryAfterMs)
  })

  const post = Effect.fnUntraced(function* (request: HttpClientRequest.HttpClientRequest) {
    const held = heldUntil - (yield* monotonicMillis)
    if (held > 0) return yield* failed("Busy", "limits the service", held)
    return yield* http.execute(request).pipe(
      // The cause is omitted: it holds the request with its key.
      Effect.mapError(() => failed("Unavailable", "cannot be reached")),
      Effect.flatMap(readReply),
      Effect.catchTag("SubgraphReplyError", refuse),
      Effect.timeoutOrElse({
        duration: attemptTimeout,
        orElse: () => Effect.fail(failed("Timeout", `did not answer within ${attemptTimeout}`))
      }),
      // A span of the client would contain the URL, in which some gateways expect the key.
      Effect.provideService(HttpClient.TracerDisabledWhen, () => true)
    )
  })

  const endpoint: SubgraphEndpoint = {
    key: options.key,
    failed,
    send: ({ data, document, variables }) =>
      turns
        .withPermits(1)(post(toHttpRequest(options, document, variables)))
        .pipe(
          Effect.flatMap((response) =>
            Schema.decodeUnknownEffect(data)(response).pipe(
              Effect.mapError(() => failed("BadResponse", "answered with data of another form than its schema's"))
            )
          ),
          Effect.withSpan("SubgraphEndpoint.send", { attributes: { deployment: options.key } })
        ),
    retried: Effect.retry({
      schedule: retries,
      while: (error) => error instanceof DexSourceError && isTransient(error)
    })
  }
  return endpoint
})
