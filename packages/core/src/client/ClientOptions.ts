/**
 * What a client is told when it is made.
 *
 * @since 0.1.0
 */
import type * as Redacted from "effect/Redacted"
import type { RetryPolicy } from "./RetryPolicy.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface ClientOptions {
  /** Where the service is, such as `http://127.0.0.1:3000`. */
  readonly baseUrl: string | URL
  /** Operations other than ping need one. */
  readonly apiKey?: Redacted.Redacted | undefined
  /** Where the key is sent; `both` by default. */
  readonly keyIn?: "query" | "header" | "both" | undefined
  /** What differs from {@link RetryPolicy.standard}. */
  readonly retry?: Partial<RetryPolicy> | undefined
}
