import { Result } from "effect"
import { IpNetwork, NetAddress } from "effect/net"

/** The address range that one party usually controls: an IPv4 address, or the /64 network of an IPv6 address. */
export const addressBlock = (address: string): string => {
  // Most addresses are IPv4: searching for a colon is cheaper than parsing.
  if (!address.includes(":") || address.includes(".")) return address
  return Result.match(NetAddress.ipv6FromString(address), {
    onFailure: () => address,
    onSuccess: (ipv6) => IpNetwork.format(IpNetwork.fromAddressUnsafe(ipv6, 64))
  })
}
