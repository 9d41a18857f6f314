import { BlockList, isIP, isIPv4 } from "node:net"
import { Context, Layer, Option, Result } from "effect"
import type { HttpServerRequest } from "effect/http"
import { IpNetwork, NetAddress } from "effect/net"

type Headers = Readonly<Record<string, string | undefined>>

/**
 * An address in canonical form: no brackets, port or zone, and IPv4-mapped addresses as IPv4. Undefined if the text is
 * not an address.
 */
export const readAddress = (text: string): string | undefined => {
  const bare = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^([\d.]+)(?::\d{1,5})?$/.exec(text)?.[1] ?? text
  const address = bare.replace(/%.*$/s, "").replace(/^::ffff:(?=\d+\.)/i, "")
  return isIP(address) === 0 ? undefined : address.toLowerCase()
}

/** The address range that one party usually controls: an IPv4 address, or the /64 network of an IPv6 address. */
export const addressBlock = (address: string): string => {
  // Most addresses are IPv4: searching for a colon is cheaper than parsing.
  if (!address.includes(":") || address.includes(".")) return address
  return Result.match(NetAddress.ipv6FromString(address), {
    onFailure: () => address,
    onSuccess: (ipv6) => IpNetwork.format(IpNetwork.fromAddressUnsafe(ipv6, 64))
  })
}

/** Whether an address is in one of the networks, given as addresses or in CIDR notation. */
export const makeNetworkMatcher = (networks: ReadonlyArray<string>): ((address: string) => boolean) => {
  if (networks.length === 0) return () => false
  const list = new BlockList()
  const getFamily = (address: string) => (isIPv4(address) ? "ipv4" : "ipv6")
  for (const network of networks) {
    const [address = "", bits] = network.split("/")
    if (bits === undefined) list.addAddress(address, getFamily(address))
    else list.addSubnet(address, Number(bits), getFamily(address))
  }
  return (address) => isIP(address) !== 0 && list.check(address, getFamily(address))
}

const parseForwardedFor = (header: string): ReadonlyArray<string> => header.split(",").map((hop) => hop.trim())

/** The value of `for`. No two parts of a pattern may match the same spaces: the header is a stranger's. */
const readFor = (pair: string): string | undefined =>
  /^for\s*=(.*)$/is.exec(pair.trim())?.[1]?.trim().replace(/^"|"$/g, "")

/** A hop without `for`, or with a name instead of an address, is unknown. */
const parseForwarded = (header: string): ReadonlyArray<string> =>
  header.split(",").map((element) => {
    const named = element.split(";").map(readFor)
    return named.find((address) => address !== undefined) ?? ""
  })

/**
 * The last hop that is not a proxy. Each proxy appends its peer, so only the entries to the right of the first stranger
 * were written by proxies; what a client sends is further left and never reached.
 */
const lastStranger = (hops: ReadonlyArray<string>, peer: string, isProxy: (address: string) => boolean): string =>
  hops.reduceRight(
    (found: { readonly address: string; readonly done: boolean }, hop) => {
      if (found.done) return found
      const address = readAddress(hop)
      return address === undefined ? { ...found, done: true } : { address, done: !isProxy(address) }
    },
    { address: peer, done: false }
  ).address

/**
 * The client: the peer, or the address that the trusted `proxies` report. A proxy writes one of the two headers and may
 * pass the other one on as its client sent it: if both are present and differ, neither is trusted.
 */
export const clientAddress = (proxies: ReadonlyArray<string>) => {
  const isProxy = makeNetworkMatcher(proxies)
  // A connection sends many requests.
  let last = { socket: "", peer: "" }
  const getPeer = (socket: string): string => {
    if (last.socket !== socket) last = { socket, peer: readAddress(socket) ?? socket }
    return last.peer
  }
  return (socket: string, headers: Headers): string => {
    const peer = getPeer(socket)
    if (!isProxy(peer)) return peer
    const { forwarded, "x-forwarded-for": forwardedFor } = headers
    const named = [
      ...(forwardedFor === undefined ? [] : [parseForwardedFor(forwardedFor)]),
      ...(forwarded === undefined ? [] : [parseForwarded(forwarded)])
    ].map((hops) => lastStranger(hops, peer, isProxy))
    const [first = peer] = named
    return named.every((address) => address === first) ? first : peer
  }
}

/** The address of a request's client: an IP address, or an empty text if unknown. */
export class CallerAddress extends Context.Service<
  CallerAddress,
  {
    readonly of: (request: HttpServerRequest.HttpServerRequest) => string
    /** For a request from this socket address. */
    readonly behind: (socket: string, headers: Headers) => string
  }
>()("@chaintape/server/auth/CallerAddress") {
  /** `proxies` are addresses or networks in CIDR notation; without them no header is trusted. */
  static readonly layer = (proxies: ReadonlyArray<string> = []) =>
    Layer.sync(CallerAddress, () => {
      const getAddress = clientAddress(proxies)
      return CallerAddress.of({
        behind: getAddress,
        of: ({ headers, remoteAddress }) =>
          getAddress(
            Option.getOrElse(remoteAddress, () => ""),
            headers
          )
      })
    })
}
