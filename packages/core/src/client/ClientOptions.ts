/**
 * What a client is told when it is made.
 *
 * @since 0.1.0
 */
import type * as Redacted from "effect/Redacted"
import type { RetryPolicy } from "./RetryPolicy.ts"

/**
 * Where the service is, who calls it, and how patiently.
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
 *   keyIn: "header",
 *   retry: { attempts: 2 }
 * }
 * ```
 */
export interface ClientOptions {
  /** Where the service is, such as `http://127.0.0.1:3000`, without a query. */
  readonly baseUrl: string | URL
  /** Operations other than ping need one. */
  readonly apiKey?: Redacted.Redacted | undefined
  /** Where the key is sent; `both` by default. */
  readonly keyIn?: "query" | "header" | "both" | undefined
  /** What differs from {@link RetryPolicy.standard}. */
  readonly retry?: Partial<RetryPolicy> | undefined
}
