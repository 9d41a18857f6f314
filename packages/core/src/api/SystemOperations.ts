/**
 * The operations that need no key.
 *
 * @since 0.1.0
 */
import { Internal, InvalidParameter } from "../problem/Problem.ts"
import * as Operation from "./Operation.ts"
import { Ping } from "./Ping.ts"

/**
 * @since 0.1.0
 * @category operations
 */
export const ping = Operation.make({
  name: "ping",
  group: "system",
  path: "/ping",
  success: Ping,
  problems: [InvalidParameter, Internal],
  keyed: false,
  summary: "Check the connection",
  description: "Answers a greeting and the caller's address. Needs no key."
})
