import type { Socket } from "node:net"
import { Effect, Metric } from "effect"
import { addressBlock, makeNetworkMatcher, readAddress } from "../../auth/CallerAddress.ts"
import { makeKeyedSlots } from "../../internal/concurrency/Slots.ts"

export interface ConnectionLimit {
  /** How many connections one address may hold. An IPv6 /64 network is one address. */
  readonly perAddress: number
  /** Addresses and networks that hold connections for many clients: they have no such limit. */
  readonly proxies: ReadonlyArray<string>
}

const refused = Metric.counter("chaintape_http_refused_connections_total", {
  description: "Connections that were closed at once because their address held as many as it may",
  incremental: true
})

/** Takes a connection slot of the address until the connection closes. False if none is free. */
export const makeConnectionSlots = ({ perAddress, proxies }: ConnectionLimit) =>
  Effect.map(Effect.context<never>(), (context) => {
    const isProxy = makeNetworkMatcher(proxies)
    const takeSlot = makeKeyedSlots()
    return (socket: Socket): boolean => {
      const address = readAddress(socket.remoteAddress ?? "")
      // A connection that has already closed has no address, and needs no slot.
      if (address === undefined || isProxy(address)) return true
      const release = takeSlot(addressBlock(address), perAddress)
      if (release === undefined) {
        refused.updateUnsafe(1, context)
        return false
      }
      socket.once("close", release)
      return true
    }
  })
