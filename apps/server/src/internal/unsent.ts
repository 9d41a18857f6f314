import type { Socket } from "node:net"

/**
 * How many bytes of the write under way the operating system has not taken yet. The runtime looks at the same number before
 * it ends a connection on which nothing moves, but shows it to nobody: hence the cast. 0 where it does not tell.
 */
export const unsent = (socket: Socket): number => {
  const { _handle: handle } = socket as unknown as { readonly _handle?: { readonly writeQueueSize?: number } | null }
  return handle?.writeQueueSize ?? 0
}
