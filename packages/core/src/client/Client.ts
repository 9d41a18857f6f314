/**
 * The HTTP client: runs operations against a Chaintape service.
 *
 * @since 0.1.0
 *
 * @example
 * ```ts
 * import { Client, type CallOptions, Market } from "@chaintape/core"
 * import * as CexOperations from "@chaintape/core/operations/cex"
 * import { Duration, Effect } from "effect"
 *
 * const hurried: CallOptions = { deadline: Duration.seconds(2), retry: { attempts: 1 } }
 *
 * const program = Effect.gen(function* () {
 *   const { call } = yield* Client
 *   const { value } = yield* call(CexOperations.lastTrade, { exchange: "kraken", market: Market.make("BTC/USD") }, hurried)
 *   return value
 * })
 *
 * const runnable = Effect.provide(program, Client.layer({ baseUrl: "http://127.0.0.1:3000" }))
 * ```
 */
import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import { type Configurable, readOptions } from "../internal/client/clientConfig.ts"
import { makeClient } from "../internal/client/operationCaller.ts"
import { fetchTransport } from "../internal/transport/fetchTransport.ts"
import type { Answer } from "../operation/Answer.ts"
import type * as Operation from "../operation/Operation.ts"
import type { CallOptions } from "../options/CallOptions.ts"
import type { ClientOptions } from "../options/ClientOptions.ts"
import type { ClientError } from "../problem/ClientError.ts"

export type { CallOptions } from "../options/CallOptions.ts"
export type { ClientOptions } from "../options/ClientOptions.ts"

/**
 * Runs operations. A call fails with exactly the problems of the operation, or with a `ClientError`.
 *
 * @since 0.1.0
 * @category services
 */
export class Client extends Context.Service<
  Client,
  {
    readonly call: <Op extends Operation.Any>(
      operation: Op,
      request: Operation.Input<Op>,
      options?: CallOptions
    ) => Effect.Effect<Answer<Operation.Success<Op>>, Operation.Problem<Op> | ClientError>
  }
>()("@chaintape/core/client/Client") {
  /** With the `HttpClient` in the context. */
  static readonly make = (options: ClientOptions): Effect.Effect<Client["Service"], never, HttpClient.HttpClient> =>
    makeClient(options)

  /** With an `HttpClient` that the caller provides. */
  static readonly layerNoDeps = (options: ClientOptions): Layer.Layer<Client, never, HttpClient.HttpClient> =>
    Layer.effect(Client, Client.make(options))

  /** With `fetch`. */
  static readonly layer = (options: ClientOptions): Layer.Layer<Client> =>
    Client.layerNoDeps(options).pipe(Layer.provide(fetchTransport))

  /**
   * With `fetch`. Each option is a value or a `Config`; without them the address and the key are those of
   * `CHAINTAPE_BASE_URL` and `CHAINTAPE_API_KEY` in the environment, or in any other `ConfigProvider`.
   */
  static readonly layerConfig = (options: Configurable<ClientOptions> = {}): Layer.Layer<Client, Config.ConfigError> =>
    Layer.unwrap(Effect.map(readOptions(options), Client.layer))
}
