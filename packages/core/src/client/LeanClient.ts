/**
 * The client for small programs: typed errors, attempts within a deadline and a budget, and nothing that a program pays
 * for without it, which is the pace of the key, the circuit, and the sharing of equal reads.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import { client, makeClient } from "../internal/calling.ts"
import { fetchTransport } from "../internal/fetchTransport.ts"
import type { Client } from "./Client.ts"
import type { ClientOptions } from "./ClientOptions.ts"
import type { RetryPolicy } from "./RetryPolicy.ts"

/**
 * What a lean client is told: its policy has no pace and no circuit.
 *
 * @example
 * ```ts
 * import type { LeanClientOptions } from "@chaintape/core/client/LeanClient"
 *
 * const options: LeanClientOptions = { baseUrl: "http://127.0.0.1:3000", retry: { attempts: 2 } }
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export interface LeanClientOptions extends Omit<ClientOptions, "retry"> {
  /** What differs from the standard policy. */
  readonly retry?: Partial<Omit<RetryPolicy, "paced" | "failuresToOpen" | "coolDown">> | undefined
}

/**
 * Over the `HttpClient` of the surroundings.
 *
 * @example
 * ```ts
 * import * as LeanClient from "@chaintape/core/client/LeanClient"
 *
 * const client = LeanClient.make({ baseUrl: "http://127.0.0.1:3000" })
 * ```
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: LeanClientOptions): Effect.Effect<Client["Service"], never, HttpClient.HttpClient> =>
  makeClient(options)

/**
 * Over the `HttpClient` that the caller provides.
 *
 * @example
 * ```ts
 * import * as LeanClient from "@chaintape/core/client/LeanClient"
 * import * as FetchHttpClient from "effect/http/FetchHttpClient"
 * import * as Layer from "effect/Layer"
 *
 * const layer = LeanClient.layerNoDeps({ baseUrl: "http://127.0.0.1:3000" }).pipe(Layer.provide(FetchHttpClient.layer))
 * ```
 *
 * @since 0.1.0
 * @category layers
 */
export const layerNoDeps = (options: LeanClientOptions): Layer.Layer<Client, never, HttpClient.HttpClient> =>
  Layer.effect(client, makeClient(options))

/**
 * Over `fetch`. It makes the attempts, keeps the deadlines and the budget of retries, and fails with the errors that
 * `Client.layer` does, but for `CircuitOpen`: it goes on asking a service that is down, within its budget. Where the key
 * has no more room it is refused with `RateLimited`, which is tried again after the time that the service names, where
 * `Client.layer` waits before it asks; and equal reads at the same time are as many requests.
 *
 * @example
 * ```ts
 * import { lastTrade } from "@chaintape/cex/calls"
 * import { Market } from "@chaintape/core"
 * import * as LeanClient from "@chaintape/core/client/LeanClient"
 * import { Effect, Redacted } from "effect"
 *
 * const layer = LeanClient.layer({ baseUrl: "http://127.0.0.1:3000", apiKey: Redacted.make("chaintape_...") })
 * const program = lastTrade({ exchange: "kraken", market: Market.make("BTC/USD") })
 * const runnable = Effect.provide(program, layer)
 * ```
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: LeanClientOptions): Layer.Layer<Client> =>
  layerNoDeps(options).pipe(Layer.provide(fetchTransport))
