import { lookup } from "node:dns"
import type { LookupFunction } from "node:net"
import { isInternalAddress, lookupOutside } from "../../../sources/InternalAddress.ts"
import { failure } from "./RawExchange.ts"
import type { RawStream } from "./RawExchange.ts"

const toHost = (address: string): string | undefined => URL.parse(address)?.hostname.replace(/^\[|\]$/g, "")

const toTexts = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === "string") return [value]
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(toTexts) : []
}

/** Some addresses have a parameter for a part of the host. */
const toHosts = ({ hostname, urls }: Pick<RawStream, "hostname" | "urls">): ReadonlyArray<string> =>
  toTexts(urls).flatMap((address) => toHost(address.replaceAll("{hostname}", hostname ?? "")) ?? [])

/**
 * Protects internal hosts from a stream whose address an exchange has sent, as kucoin does: the host must be one of the
 * class or of the configuration, or must not be internal.
 */
export const makeAddressGuard = () => {
  const known = new Set<string>()
  return {
    /** Trusts the hosts of a class with the configured addresses. */
    trust: (stream: Pick<RawStream, "hostname" | "urls">): void => {
      for (const host of toHosts(stream)) known.add(host)
    },
    /** Throws if no connection may be opened to this address. */
    check: (address: string): void => {
      const host = toHost(address)
      if (host === undefined) throw failure("BadBody", "the address of the stream is none")
      if (isInternalAddress(host) && !known.has(host)) throw failure("BadBody", "the address of the stream is internal")
    },
    /** Resolves the names of hosts. */
    lookup: ((hostname, options, callback) =>
      known.has(hostname)
        ? lookup(hostname, options, callback)
        : lookupOutside(hostname, options, callback)) satisfies LookupFunction
  }
}
