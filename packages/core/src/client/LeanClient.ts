/**
 * The client for small bundles: typed errors, retries within a deadline and a budget, and none of the optional parts,
 * which are the pace of the key, the circuit breaker, and the sharing of equal reads.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import { makeClient } from "../internal/client/calling.ts"
import { client } from "../internal/client/clientTag.ts"
import { fetchTransport } from "../internal/transport/fetchTransport.ts"
import type { Client } from "./Client.ts"
import type { ClientOptions } from "./ClientOptions.ts"
import type { RetryPolicy } from "./RetryPolicy.ts"

/**
 * Options of a lean client: its policy has no pace and no circuit breaker.
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
  /** Overrides parts of the standard policy. */
  readonly retry?: Partial<Omit<RetryPolicy, "paced" | "failuresToOpen" | "coolDown">> | undefined
}

/**
 * With the `HttpClient` in the context.
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
 * With an `HttpClient` that the caller provides.
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
 * With `fetch`. It retries, with the same deadlines and the same retry budget as `Client.layer`, and fails with the
 * same errors except `CircuitOpen`: it keeps calling a service that is down, within its budget. If the key's budget is
 * used up, the service rejects the call with `RateLimited`, which is retried after the time that the service names;
 * `Client.layer` waits before it sends. Concurrent equal reads are separate requests.
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
