/**
 * A retry policy as plain JavaScript.
 *
 * @since 0.1.0
 */
import type { CallPolicy, RetryPolicy } from "../client/RetryPolicy.ts"
import type { PlainInput } from "./Plain.ts"

/**
 * Parts of a `RetryPolicy`. A duration is a number of milliseconds, or a text such as `"5 seconds"`.
 *
 * @example
 * ```ts
 * import type { PlainRetryPolicy } from "@chaintape/core/promise"
 *
 * const impatient: PlainRetryPolicy = { attempts: 2, attemptTimeout: 2000, deadline: "5 seconds" }
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export type PlainRetryPolicy = { readonly [K in keyof RetryPolicy]?: PlainInput<RetryPolicy[K]> }

/**
 * Parts of a `CallPolicy`, in the same form.
 *
 * @example
 * ```ts
 * import type { PlainCallPolicy } from "@chaintape/core/promise"
 *
 * const once: PlainCallPolicy = { attempts: 1 }
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export type PlainCallPolicy = { readonly [K in keyof CallPolicy]?: PlainInput<CallPolicy[K]> }
