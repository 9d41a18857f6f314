/**
 * The client for programs without Effect: every operation as a promise.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { Fetch } from "effect/http/FetchHttpClient"
import * as Redacted from "effect/Redacted"
import * as Blocks from "../api/BlocksOperations.ts"
import * as Cex from "../api/CexOperations.ts"
import * as Dex from "../api/DexOperations.ts"
import * as System from "../api/SystemOperations.ts"
import type { Method } from "../client/CallMode.ts"
import { Client } from "../client/Client.ts"
import { checkOptions, clientOptions } from "../internal/options/checkOptions.ts"
import { makeGroup, makePromiseCall } from "../internal/promise/calls.ts"
import { setTransport } from "../internal/promise/clientTransport.ts"
import type { ClientOptions } from "../options/ClientOptions.ts"

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
export interface ChaintapeOptions extends Pick<
  ClientOptions,
  "logLevel" | "onRequest" | "onResponse" | "onRetry" | "onReconnect"
> {
  /** The base URL of the service, such as `http://127.0.0.1:3000`. */
  readonly baseUrl: string | URL
  /** Required by all operations except ping. */
  readonly apiKey?: string | undefined
  /** Where the key is sent; `header` by default. */
  readonly apiKeyLocation?: ClientOptions["apiKeyLocation"]
  /** Overrides parts of the standard policy. A duration is a number of milliseconds, or a text such as `"5 seconds"`. */
  readonly retry?: ClientOptions["retry"]
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
  readonly ping: Method<"promise", typeof System.ping>
  /** Centralized exchanges. */
  readonly cex: Cex.CexMethods<"promise"> & {
    /** The same methods, which also return what the headers say about the value. */
    readonly withResponse: Cex.CexMethods<"promiseResponse">
  }
  /** Decentralized exchanges. */
  readonly dex: Dex.DexMethods<"promise"> & {
    /** The same methods, which also return what the headers say about the value. */
    readonly withResponse: Dex.DexMethods<"promiseResponse">
  }
  /** Blockchains and their blocks. */
  readonly blocks: Blocks.BlocksMethods<"promise"> & {
    /** The same methods, which also return what the headers say about the value. */
    readonly withResponse: Blocks.BlocksMethods<"promiseResponse">
  }
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
  const apiKey = options.apiKey === undefined ? undefined : Redacted.make(options.apiKey)
  checkOptions("createClient", { ...options, apiKey }, [...clientOptions, "fetch"])
  const { fetch, ...rest } = options
  const layer = Client.layer({ ...rest, apiKey })
  const made = Effect.runSync(Effect.provide(Client, layer))
  const client = Client.of(
    fetch === undefined ? made : { call: (...args) => Effect.provideService(made.call(...args), Fetch, fetch) }
  )
  const chaintape: Chaintape = {
    ping: makePromiseCall(client, System.ping),
    cex: makeGroup(client, Cex),
    dex: makeGroup(client, Dex),
    blocks: makeGroup(client, Blocks)
  }
  return setTransport(chaintape, { client, fetch })
}
