/**
 * The HTTP client: runs operations against a Chaintape service.
 *
 * @since 0.1.0
 */
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Operation from "../api/Operation.ts"
import { attemptWith } from "../internal/attempt.ts"
import { withRetries } from "../internal/retries.ts"
import type { Answer } from "./Answer.ts"
import type { ClientError } from "./ClientError.ts"
import type { ClientOptions } from "./ClientOptions.ts"
import * as RetryPolicy from "./RetryPolicy.ts"

export type { ClientOptions } from "./ClientOptions.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface CallOptions {
  /** Replaces the client's deadline for this call. */
  readonly deadline?: Duration.Duration | undefined
}

/**
 * A function that runs one operation and answers its value.
 *
 * @since 0.1.0
 * @category models
 */
export type Read<Op extends Operation.Any> = (
  request: Operation.Request<Op>
) => Effect.Effect<Operation.Success<Op>, Operation.Problem<Op> | ClientError>

/**
 * A function that runs one operation and answers its value with what the answer says about it.
 *
 * @since 0.1.0
 * @category models
 */
export type ReadAnswer<Op extends Operation.Any> = (
  request: Operation.Request<Op>
) => Effect.Effect<Answer<Operation.Success<Op>>, Operation.Problem<Op> | ClientError>

/**
 * Runs operations. A call fails with exactly the problems that the operation can answer, or with a `ClientError`.
 *
 * @since 0.1.0
 * @category services
 */
export class Client extends Context.Service<
  Client,
  {
    readonly call: <Op extends Operation.Any>(
      operation: Op,
      request: Operation.Request<Op>,
      options?: CallOptions
    ) => Effect.Effect<Answer<Operation.Success<Op>>, Operation.Problem<Op> | ClientError>
  }
>()("@chaintape/core/client/Client") {
  /** Over the `HttpClient` of the surroundings. */
  static readonly make = (options: ClientOptions): Effect.Effect<Client["Service"], never, HttpClient.HttpClient> =>
    Effect.gen(function* () {
      const http = yield* HttpClient.HttpClient
      if (!URL.canParse(String(options.baseUrl))) {
        return yield* Effect.die(
          new TypeError(`baseUrl is "${String(options.baseUrl)}": it must be an address such as http://127.0.0.1:3000`)
        )
      }
      const attempt = attemptWith(http, options)
      const retrying = withRetries({ ...RetryPolicy.standard, ...options.retry })
      return Client.of({
        call: (operation, request, call) =>
          retrying(operation, (attempts) => attempt(operation, request, attempts), call?.deadline)
      })
    })

  /** Over the `HttpClient` that the caller provides. */
  static readonly layerNoDeps = (options: ClientOptions): Layer.Layer<Client, never, HttpClient.HttpClient> =>
    Layer.effect(Client, Client.make(options))

  /** Over `fetch`. */
  static readonly layer = (options: ClientOptions): Layer.Layer<Client> =>
    Client.layerNoDeps(options).pipe(
      Layer.provide(FetchHttpClient.layer),
      // The service does not redirect: following whoever does would hand the key over.
      Layer.provide(Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" }))
    )

  /** Over `fetch`, with the address and the key from the environment (or any other `ConfigProvider`). */
  static readonly layerConfig = (
    options: Omit<ClientOptions, "baseUrl" | "apiKey"> & { readonly baseUrl?: string; readonly apiKey?: string } = {}
  ): Layer.Layer<Client, Config.ConfigError> =>
    Layer.unwrap(
      Effect.map(
        Config.all({
          baseUrl: Config.URL(options.baseUrl ?? "CHAINTAPE_BASE_URL"),
          apiKey: Config.option(Config.Redacted(options.apiKey ?? "CHAINTAPE_API_KEY"))
        }),
        ({ apiKey, baseUrl }) => Client.layer({ ...options, baseUrl, apiKey: Option.getOrUndefined(apiKey) })
      )
    )
}
