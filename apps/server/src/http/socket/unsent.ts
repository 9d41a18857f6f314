import type { Socket } from "node:net"
import { Predicate } from "effect"

/**
 * The bytes of the current write that the operating system has not accepted yet. The runtime checks the same number
 * before it closes a connection without progress, but does not expose it in its types. 0 if unknown.
 */
export const unsent = (socket: Socket): number => {
  const handle = Predicate.hasProperty(socket, "_handle") ? socket._handle : undefined
  const size = Predicate.hasProperty(handle, "writeQueueSize") ? handle.writeQueueSize : undefined
  return typeof size === "number" ? size : 0
}
