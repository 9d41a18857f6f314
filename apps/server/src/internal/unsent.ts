import type { Socket } from "node:net"

/**
 * The bytes of the current write that the operating system has not accepted yet. The runtime checks the same number
 * before it closes a connection without progress, but does not expose it: hence the cast. 0 if unknown.
 */
export const unsent = (socket: Socket): number => {
  const { _handle: handle } = socket as unknown as { readonly _handle?: { readonly writeQueueSize?: number } | null }
  return handle?.writeQueueSize ?? 0
}
