import { Cex } from "@chaintape/cex"
import type { Coverage, RetryPolicy } from "@chaintape/core"
import type { Market } from "@chaintape/core/cex/Market"
import { Client } from "@chaintape/core/client/Client"
import type { ClientOptions } from "@chaintape/core/client/Client"
import { Context, DateTime, Duration, Effect, Layer, Option, Ref } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import type { Failure } from "../terminal/Failure.ts"
import { failed } from "../terminal/Failure.ts"
import type { AccessKey } from "./AccessKey.ts"
import { Progress } from "./Progress.ts"
import { toSentence } from "./Sentence.ts"
import type { ReadError } from "./Sentence.ts"
import type { TradeText } from "./TradeText.ts"
import { tradeTexts } from "./TradeText.ts"

export interface TradePage {
  /** Oldest first. */
  readonly trades: ReadonlyArray<TradeText>
  readonly state: Coverage["state"]
  /** Unix milliseconds: the range of `state`. */
  readonly from: Option.Option<number>
  readonly to: Option.Option<number>
}

/** Fails soon if the service is unreachable. */
const eager: Partial<RetryPolicy.RetryPolicy> = { attempts: 3 }

/** A download retries for long. The retry budget is for callers that share an outage; this one is alone. */
const patient: Partial<RetryPolicy.RetryPolicy> = {
  attempts: 10,
  attemptTimeout: Duration.minutes(2),
  deadline: Duration.minutes(15),
  maxRetryAfter: Duration.minutes(5),
  budget: Number.MAX_SAFE_INTEGER
}

/** The trades of a running service, with the digits of its responses. */
export class TradePages extends Context.Service<
  TradePages,
  {
    /** Fails if the service, the key or the exchange does not exist. */
    readonly check: (exchange: string) => Effect.Effect<void, Failure>
    /** The first `limit` trades at or after `since` (Unix milliseconds), or the latest ones. */
    readonly read: (request: {
      readonly exchange: string
      readonly market: Market
      readonly since: Option.Option<number>
      readonly limit: number
    }) => Effect.Effect<TradePage, Failure>
  }
>()("@chaintape/server/cli/trades/TradePages") {
  static readonly layer = (url: URL, key: Option.Option<AccessKey>) =>
    Layer.effect(
      TradePages,
      Effect.gen(function* () {
        const progress = yield* Progress
        const body = yield* Ref.make("")
        const http = watched(yield* HttpClient.HttpClient, body, progress)
        const options: ClientOptions = {
          baseUrl: url,
          apiKey: Option.getOrUndefined(Option.map(key, (known) => known.key)),
          keyIn: "header"
        }
        const cexWith = (retry: Partial<RetryPolicy.RetryPolicy>) =>
          Cex.layerNoDeps.pipe(
            Layer.provide(Client.layerNoDeps({ ...options, retry })),
            Layer.provide(Layer.succeed(HttpClient.HttpClient, http)),
            Layer.build,
            Effect.map((built) => Context.get(built, Cex))
          )
        const first = yield* cexWith(eager)
        const cex = yield* cexWith(patient)
        const inWords = Effect.mapError((error: ReadError) => failed(toSentence(error, url, key)))

        return TradePages.of({
          check: (exchange) => first.exchange({ exchange }).pipe(inWords, Effect.asVoid),
          read: Effect.fn("TradePages.read")(function* ({ exchange, limit, market, since }) {
            const from = Option.getOrUndefined(Option.map(since, DateTime.makeUnsafe))
            const answer = yield* cex.answer.trades({ exchange, market, limit, since: from }).pipe(inWords)
            const texts = tradeTexts(yield* Ref.get(body))
            if (texts === undefined || texts.length !== answer.value.trades.length) {
              return yield* failed(
                `The answer of ${url.origin} is not written as this program reads it: do their versions differ?`
              )
            }
            const bound = (name: "from" | "to") =>
              Option.map(
                Option.flatMap(answer.coverage, (known) => known[name]),
                DateTime.toEpochMillis
              )
            return {
              trades: texts,
              state: Option.match(answer.coverage, { onNone: () => "unverifiable", onSome: ({ state }) => state }),
              from: bound("from"),
              to: bound("to")
            }
          })
        })
      })
    ).pipe(
      Layer.provide(FetchHttpClient.layer),
      // The service does not redirect: following a redirect would send the key to another host.
      Layer.provide(Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" }))
    )
}

/** Stores the text of the last response, and reports responses after which the client waits. */
const watched = (http: HttpClient.HttpClient, body: Ref.Ref<string>, progress: Progress["Service"]) =>
  http.pipe(
    HttpClient.tap((response) =>
      Effect.gen(function* () {
        if (response.status === 200) {
          yield* Ref.set(body, yield* response.text)
          return yield* progress.wait("")
        }
        if (response.status < 500 && response.status !== 429) return
        const asked = response.headers["retry-after"]
        const pause = asked === undefined ? "" : `, which asks for a pause of ${asked} s`
        yield* progress.wait(`answered with status ${response.status}${pause}`)
      })
    ),
    HttpClient.tapError(() => progress.wait("no connection to the service"))
  )
