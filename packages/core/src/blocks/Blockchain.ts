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
 */
export class Blockchain extends Schema.Class<Blockchain>("Blockchain")({
  id: Schema.String.annotate({ description: "Identifier in this interface", examples: ["ethereum"] }),
  name: Schema.String.annotate({ description: "Official name", examples: ["Ethereum"] })
}) {}
