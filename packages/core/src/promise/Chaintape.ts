/**
 * The client for programs without Effect: every operation as a promise.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { Fetch } from "effect/http/FetchHttpClient"
import * as Redacted from "effect/Redacted"
import * as System from "../api/SystemOperations.ts"
import { Client } from "../client/Client.ts"
import type { ClientOptions } from "../client/ClientOptions.ts"
import { checkOptions, clientOptions } from "../internal/client/checkOptions.ts"
import { toPolicy } from "../internal/promise/plain.ts"
import { type BlocksCalls, makeBlocksCalls } from "./BlocksCalls.ts"
import type { Call } from "./Call.ts"
import { type CexCalls, makeCexCalls } from "./CexCalls.ts"
import { type DexCalls, makeDexCalls } from "./DexCalls.ts"
import type { PlainRetryPolicy } from "./PlainRetryPolicy.ts"
import { makePromiseCalls } from "./PromiseCalls.ts"

/**
 * Options of a client: the address of the service, the key, and the retry policy.
 *
 * @example
 * ```ts
 * import type { ChaintapeOptions } from "@chaintape/core/promise"
 *
 * const options: ChaintapeOptions = { baseUrl: "http://127.0.0.1:3000", apiKey: "chaintape_...", retry: { attempts: 2 } }
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export interface ChaintapeOptions {
  /** The base URL of the service, such as `http://127.0.0.1:3000`. */
  readonly baseUrl: string | URL
  /** Required by all operations except ping. */
  readonly apiKey?: string | undefined
  /** Where the key is sent; `header` by default. */
  readonly apiKeyLocation?: ClientOptions["apiKeyLocation"]
  /** Overrides parts of the standard policy. */
  readonly retry?: PlainRetryPolicy | undefined
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined
}

/**
 * The operations by group.
 *
 * @example
 * ```ts
 * import type { Chaintape } from "@chaintape/core/promise"
 *
 * const priceOf = async (chaintape: Chaintape, market: string): Promise<string> => {
 *   const { price } = await chaintape.cex.lastTrade({ exchange: "kraken", market })
 *   return price
 * }
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export interface Chaintape {
  /** Checks the connection. Needs no key. */
  readonly ping: Call<typeof System.ping>
  /** Centralized exchanges. */
  readonly cex: CexCalls
  /** Decentralized exchanges. */
  readonly dex: DexCalls
  /** Blockchains and their blocks. */
  readonly blocks: BlocksCalls
}

/**
 * Creates a client. It sends nothing before the first call, and holds no resource that must be closed. All calls of one
 * client share its retry budget. Throws a `TypeError` if an option is unknown or invalid.
 *
 * @example
 * ```ts
 * import { createClient, MarketNotFound } from "@chaintape/core/promise"
 *
 * const chaintape = createClient({ baseUrl: "http://127.0.0.1:3000", apiKey: "chaintape_..." })
 *
 * export const price = async (market: string, signal?: AbortSignal): Promise<string | undefined> => {
 *   try {
 *     const trade = await chaintape.cex.lastTrade({ exchange: "kraken", market }, { signal })
 *     return trade.price
 *   } catch (error) {
 *     if (error instanceof MarketNotFound) return undefined
 *     throw error
 *   }
 * }
 * ```
 *
 * @since 0.1.0
 * @category constructors
 */
export const createClient = (options: ChaintapeOptions): Chaintape => {
  const { apiKey, apiKeyLocation, baseUrl, fetch, retry } = options
  checkOptions("createClient", options, [...clientOptions, "fetch"])
  const layer = Client.layer({
    baseUrl,
    apiKey: apiKey === undefined ? undefined : Redacted.make(apiKey),
    apiKeyLocation,
    retry: retry === undefined ? undefined : toPolicy(retry)
  })
  const client = Effect.runSync(Effect.provide(Client, layer))
  const calls = makePromiseCalls(
    fetch === undefined ? client : { call: (...args) => Effect.provideService(client.call(...args), Fetch, fetch) },
    fetch
  )
  return {
    ping: (request = {}, options) => calls.read(System.ping, request, options),
    cex: makeCexCalls(calls),
    dex: makeDexCalls(calls),
    blocks: makeBlocksCalls(calls)
  }
}
