import { BlockList, isIP, isIPv4 } from "node:net"
import { Layer, Option } from "effect"
import { CallerAddress } from "../keys/CallerAddress.ts"

type Headers = Readonly<Record<string, string | undefined>>

/** An address in its usual form: no brackets, port or zone, and IPv4 as such. Undefined where the text is none. */
export const readAddress = (text: string): string | undefined => {
  const bare = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^([\d.]+)(?::\d{1,5})?$/.exec(text)?.[1] ?? text
  const address = bare.replace(/%.*$/s, "").replace(/^::ffff:(?=\d+\.)/i, "")
  return isIP(address) === 0 ? undefined : address.toLowerCase()
}

/** Whether an address lies in one of the networks, which are written as an address or in CIDR notation. */
export const memberOf = (networks: ReadonlyArray<string>): ((address: string) => boolean) => {
  if (networks.length === 0) return () => false
  const list = new BlockList()
  const familyOf = (address: string) => (isIPv4(address) ? "ipv4" : "ipv6")
  for (const network of networks) {
    const [address = "", bits] = network.split("/")
    if (bits === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(bits), familyOf(address))
  }
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address))
}

const hopsOfForwardedFor = (header: string): ReadonlyArray<string> => header.split(",").map((hop) => hop.trim())

/** A hop without `for`, or with a name in place of an address, is one that nobody can be found by. */
const hopsOfForwarded = (header: string): ReadonlyArray<string> =>
  header.split(",").map((element) => {
    const named = element.split(";").map((pair) => /^\s*for\s*=\s*"?([^"]*?)"?\s*$/i.exec(pair)?.[1])
    return named.find((address) => address !== undefined) ?? ""
  })

/**
 * The last hop that is no proxy. Each proxy appends whom it was asked by, so that only what stands to the right of the
 * first stranger was written by proxies: what a caller sends stands further left, and is never reached.
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
 * Who asks: the peer, or whom the proxies among `proxies` name. A proxy writes one of the two headers and may hand the
 * other one on as its caller sent it: where both are there and differ, neither is believed.
 */
export const clientAddress = (proxies: ReadonlyArray<string>) => {
  const isProxy = memberOf(proxies)
  // A connection asks again and again.
  let last = { socket: "", peer: "" }
  const peerOf = (socket: string): string => {
    if (last.socket !== socket) last = { socket, peer: readAddress(socket) ?? socket }
    return last.peer
  }
  return (socket: string, headers: Headers): string => {
    const peer = peerOf(socket)
    if (!isProxy(peer)) return peer
    const { forwarded, "x-forwarded-for": forwardedFor } = headers
    const named = [
      ...(forwardedFor === undefined ? [] : [hopsOfForwardedFor(forwardedFor)]),
      ...(forwarded === undefined ? [] : [hopsOfForwarded(forwarded)])
    ].map((hops) => lastStranger(hops, peer, isProxy))
    const [first = peer] = named
    return named.every((address) => address === first) ? first : peer
  }
}

/** `proxies` are addresses or networks in CIDR notation; nobody is believed without them. */
export const layer = (proxies: ReadonlyArray<string> = []) =>
  Layer.sync(CallerAddress, () => {
    const addressOf = clientAddress(proxies)
    return CallerAddress.of({
      behind: addressOf,
      of: ({ headers, remoteAddress }) =>
        addressOf(
          Option.getOrElse(remoteAddress, () => ""),
          headers
        )
    })
  })
