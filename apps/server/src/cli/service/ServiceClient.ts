import { Client, type ClientOptions, type RetryPolicy } from "@chaintape/core"
import { Context, Duration, Effect, Layer, Option, Ref } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { wrongUsage } from "../terminal/CommandError.ts"
import { Progress } from "../terminal/Progress.ts"
import type { AccessKey } from "./AccessKey.ts"

/** Fails soon if the service is unreachable. */
const fewRetries: Partial<RetryPolicy.RetryPolicy> = { attempts: 3 }

/** A long command retries for long. The retry budget is for callers that share an outage; this one is alone. */
const manyRetries: Partial<RetryPolicy.RetryPolicy> = {
  attempts: 10,
  attemptTimeout: Duration.minutes(2),
  deadline: Duration.minutes(15),
  maxRetryAfter: Duration.minutes(5),
  retryBudget: Number.MAX_SAFE_INTEGER
}

/** A connection to a running service. */
export interface ServiceClient {
  readonly fewRetries: Client["Service"]
  readonly manyRetries: Client["Service"]
  /** The text of the last successful response. */
  readonly body: Effect.Effect<string>
}

/** Stores the text of the last response, and reports responses after which the client waits. */
const watchResponses = (http: HttpClient.HttpClient, body: Ref.Ref<string>, progress: Progress["Service"]) =>
  http.pipe(
    HttpClient.tap(
      Effect.fnUntraced(function* (response) {
        if (response.status === 200) {
          yield* Ref.set(body, yield* response.text)
          return yield* progress.wait("")
        }
        if (response.status < 500 && response.status !== 429) return
        const retryAfter = response.headers["retry-after"]
        const pause = retryAfter === undefined ? "" : `, which asks for a pause of ${retryAfter} s`
        yield* progress.wait(`answered with status ${response.status}${pause}`)
      })
    ),
    HttpClient.tapError(() => progress.wait("no connection to the service"))
  )

const fetching = FetchHttpClient.layer.pipe(
  // The service does not redirect: following a redirect would send the key to another host.
  Layer.provide(Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" }))
)

export const createClient = Effect.fnUntraced(function* (url: URL, key: Option.Option<AccessKey>) {
  const body = yield* Ref.make("")
  const http = watchResponses(Context.get(yield* Layer.build(fetching), HttpClient.HttpClient), body, yield* Progress)
  const options: ClientOptions = {
    baseUrl: url,
    apiKey: Option.getOrUndefined(Option.map(key, (known) => known.key)),
    apiKeyLocation: "header"
  }
  const owner = Option.match(key, { onNone: () => "The key", onSome: ({ origin }) => `The key of ${origin}` })
  const clientWith = (retry: Partial<RetryPolicy.RetryPolicy>) =>
    Client.make({ ...options, retry }).pipe(
      Effect.provideService(HttpClient.HttpClient, http),
      // The client refuses its options with a sentence that begins with the name of the wrong one.
      Effect.catchDefect((defect) =>
        defect instanceof TypeError
          ? wrongUsage(`${defect.message.replace(/^baseUrl/, "--url").replace(/^apiKey/, owner)}.`)
          : Effect.die(defect)
      )
    )
  return {
    fewRetries: yield* clientWith(fewRetries),
    manyRetries: yield* clientWith(manyRetries),
    body: Ref.get(body)
  } satisfies ServiceClient
})
