/**
 * Options of a client.
 *
 * @since 0.1.0
 */
import type * as Redacted from "effect/Redacted"
import type { RetryPolicy } from "./RetryPolicy.ts"

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
  /** The base URL of the service, such as `http://127.0.0.1:3000`, without a query. */
  readonly baseUrl: string | URL
  /** Required by all operations except ping. White space around it is removed. */
  readonly apiKey?: Redacted.Redacted | undefined
  /** Where the key is sent; `header` by default. A URL, and so a key in the query, appears in logs of proxies. */
  readonly apiKeyLocation?: "query" | "header" | "both" | undefined
  /** Overrides parts of {@link RetryPolicy.standard}. */
  readonly retry?: Partial<RetryPolicy> | undefined
}
