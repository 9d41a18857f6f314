/**
 * The connectivity check.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * The answer to a ping.
 *
 * @since 0.1.0
 * @category models
 *
 * @example
 * ```ts
 * import * as assert from "node:assert/strict"
 * import { SystemOperations } from "@chaintape/core/operations"
 * import * as Schema from "effect/Schema"
 *
 * const { ip } = Schema.decodeUnknownSync(SystemOperations.ping.success)({ ping: "pong", ip: "192.0.2.1" })
 * assert.equal(ip, "192.0.2.1")
 * ```
 */
export class Ping extends Schema.Class<Ping>("Ping")({
  ping: Schema.String,
  ip: Schema.String
}) {}
