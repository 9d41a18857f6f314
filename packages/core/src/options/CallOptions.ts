/**
 * Options of a single call.
 *
 * @since 0.1.0
 */
import type * as Duration from "effect/Duration"
import type * as Operation from "../operation/Operation.ts"
import type { CallPolicy } from "./RetryPolicy.ts"

/**
 * Options of a single call that override those of its client.
 *
 * @example
 * ```ts
 * import type { CallOptions } from "@chaintape/core"
 * import { Duration } from "effect"
 *
 * const hurried: CallOptions = { deadline: Duration.seconds(2), retry: { attempts: 1 } }
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export interface CallOptions {
  /** Replaces the client's deadline for this call. */
  readonly deadline?: Duration.Input | undefined
  /** Overrides parts of the client's policy for this call. */
  readonly retry?: CallPolicy | undefined
}

/**
 * The arguments of a call: the request may be omitted if no parameter is required.
 *
 * @since 0.1.0
 * @category models
 */
export type Arguments<Op extends Operation.Any, Options = CallOptions> =
  {} extends Operation.Input<Op>
    ? [request?: Operation.Input<Op>, options?: Options]
    : [request: Operation.Input<Op>, options?: Options]
