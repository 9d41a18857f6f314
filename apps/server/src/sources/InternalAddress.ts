import { lookup } from "node:dns"
import { BlockList, isIPv4, isIPv6 } from "node:net"
import type { LookupFunction } from "node:net"

/** Networks of the IANA registries for special purposes that do not lead to the internet. */
const internal = new BlockList()
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4]
] as const)
  internal.addSubnet(network, bits, "ipv4")
for (const [network, bits] of [
  ["::", 96],
  ["64:ff9b::", 96],
  ["64:ff9b:1::", 48],
  ["2002::", 16],
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8]
] as const)
  internal.addSubnet(network, bits, "ipv6")

/** Whether a host, without brackets, is a loopback, private or link-local address. A name is not an address. */
export const isInternalAddress = (host: string): boolean =>
  isIPv4(host) ? internal.check(host, "ipv4") : isIPv6(host) && internal.check(host, "ipv6")

/** Resolves a name as the runtime does, and fails if one of its addresses is internal. */
export const lookupOutside: LookupFunction = (hostname, options, callback) =>
  lookup(hostname, options, (error, found, family) => {
    const addresses = typeof found === "string" ? [found] : (found ?? []).map(({ address }) => address)
    const refused = addresses.some(isInternalAddress)
      ? new Error("the name of the host has an internal address")
      : error
    callback(refused, found, family)
  })
