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
 */
export class Ping extends Schema.Class<Ping>("Ping")({
  ping: Schema.String.annotate({ description: "A fixed greeting" }),
  ip: Schema.String.annotate({ description: "Address of the caller" })
}) {}
