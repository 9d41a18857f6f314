/**
 * Options of a client.
 *
 * @since 0.1.0
 */
import type * as Redacted from "effect/Redacted"
import type { ChaintapeError } from "../problem/ChaintapeError.ts"
import type { RetryPolicy } from "./RetryPolicy.ts"

/** One attempt of a call: the first has the number 1. */
interface RequestEvent {
  /** The group and the name of the operation, such as `cex.trades`. */
  readonly operation: string
  /** The address of the request, without the key. */
  readonly url: string
  /** The number of the attempt, from 1. */
  readonly attempt: number
}

/**
 * Options of a client: the address of the service, the key, and the retry policy.
 *
 * @since 0.1.0
 * @category models
 *
 * @example
 * ```ts
 * import type { ClientOptions } from "@chaintape/core"
 * import { Redacted } from "effect"
 *
 * const options: ClientOptions = {
 *   baseUrl: "http://127.0.0.1:3000",
 *   apiKey: Redacted.make("chaintape_..."),
 *   apiKeyLocation: "header",
 *   retry: { attempts: 2 }
 * }
 * ```
 */
export interface ClientOptions {
  /** The base URL of the service, such as `http://127.0.0.1:3000`, without a password or a query. */
  readonly baseUrl: string | URL
  /**
   * Required by all operations except ping. White space around it is removed. A header carries only the characters of
   * Latin-1, without control characters.
   */
  readonly apiKey?: Redacted.Redacted | undefined
  /** Where the key is sent; `header` by default. A URL, and so a key in the query, appears in logs of proxies. */
  readonly apiKeyLocation?: "query" | "header" | "both" | undefined
  /** Overrides parts of {@link RetryPolicy.standard}. */
  readonly retry?: Partial<RetryPolicy> | undefined
  /** Called before each attempt is sent. `url` has no key. */
  readonly onRequest?: ((event: RequestEvent) => void) | undefined
  /** Called when the whole response to an attempt has arrived, whatever its status. */
  readonly onResponse?:
    | ((event: RequestEvent & { readonly status: number; readonly milliseconds: number }) => void)
    | undefined
  /** Called before the wait for another attempt, with the error of the last one and the wait. */
  readonly onRetry?:
    | ((event: RequestEvent & { readonly error: ChaintapeError; readonly delayMilliseconds: number }) => void)
    | undefined
  /**
   * Called when a live stream has no connection any more, or could not open one, with the wait before the next attempt.
   * The stream polls until then, and misses nothing. `attempt` counts the failures without an event in between. Reasons:
   * `lost`: the connection ended. `refused`: the service does not stream from this position. `silent`: something
   * between the service and the client holds the events back. `incomplete`: polling has found what the connection lacked.
   */
  readonly onReconnect?:
    | ((
        event: RequestEvent & {
          readonly reason: "lost" | "refused" | "silent" | "incomplete"
          readonly delayMilliseconds: number
        }
      ) => void)
    | undefined
  /**
   * Selects the messages on the console: `off` (the default) writes none, `warn` retries and lost connections, `debug`
   * each request and response as well. In Effect it is the `Console` of the program.
   */
  readonly logLevel?: "off" | "warn" | "debug" | undefined
}
