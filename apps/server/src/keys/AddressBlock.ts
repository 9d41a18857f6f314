import { isIPv6 } from "node:net"

const groupsOf = (part: string) => (part === "" ? [] : part.split(":"))

/** The eight groups of an IPv6 address, whose `::` stands for zeros. */
const expand = (address: string): ReadonlyArray<string> => {
  const [head = "", tail] = address.split("::")
  const first = groupsOf(head)
  const last = tail === undefined ? [] : groupsOf(tail)
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => "0"), ...last]
}

/**
 * What one party can be expected to have: an IPv4 address, or the 64-bit block of an IPv6 address, in which whoever has
 * one address has all of them.
 */
export const addressBlock = (address: string): string => {
  // Most are IPv4: to look for a colon costs less than the form of an address does.
  if (!address.includes(":") || address.includes(".") || !isIPv6(address)) return address
  const network = expand(address.toLowerCase()).slice(0, 4)
  return `${network.map((group) => group.replace(/^0+(?=.)/, "")).join(":")}::/64`
}
