/**
 * Blockchains that the service reads.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * A blockchain by its id in this interface.
 *
 * @since 0.1.0
 * @category models
 *
 * @example
 * ```ts
 * import { Blockchain } from "@chaintape/core"
 *
 * const ethereum = new Blockchain({ id: "ethereum", name: "Ethereum" })
 * ```
 */
export class Blockchain extends Schema.Class<Blockchain>("Blockchain")({
  /** Its id in this interface, such as `ethereum`. */
  id: Schema.String.annotate({ examples: ["ethereum"] }),
  /** Its name, such as `Ethereum`. */
  name: Schema.String.annotate({ examples: ["Ethereum"] })
}) {}
