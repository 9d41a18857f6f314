/**
 * The operations that need no key.
 *
 * @since 0.1.0
 */
import * as Operation from "../operation/Operation.ts"
import { Internal, InvalidParameter, RateLimited } from "../problem/Problem.ts"
import { Ping } from "./Ping.ts"

/**
 * Checks the connection: returns a greeting and the caller's address. Needs no key.
 *
 * @since 0.1.0
 * @category operations
 *
 * @example
 * ```ts
 * import { Client } from "@chaintape/core"
 * import { SystemOperations } from "@chaintape/core/operations"
 * import { Effect } from "effect"
 *
 * const address = Effect.gen(function* () {
 *   const { call } = yield* Client
 *   const { value } = yield* call(SystemOperations.ping, {})
 *   return value.ip
 * })
 * ```
 */
export const ping = Operation.make({
  name: "ping",
  group: "system",
  path: "/ping",
  success: Ping,
  problems: [InvalidParameter, RateLimited, Internal],
  requiresApiKey: false
})
