import { blockHref, dexHref } from "../Route.ts"

/** A page that the search finds. */
export interface Target {
  readonly kind: "market" | "token" | "pool" | "block"
  readonly href: string
  /** A market, a block, or the symbols of tokens. */
  readonly names: ReadonlyArray<string>
  /** Its address, if it has one. */
  readonly address?: string
  /** Where it is, and what distinguishes it from others with the same names. */
  readonly note: string
  /** What else it is found by. */
  readonly words: string
}

/** Everything that can be found. */
export interface Targets {
  /** Markets, pools and tokens, the most important first. */
  readonly known: ReadonlyArray<Target>
  /** Such as `uniswap-v3/ethereum`. */
  readonly deployments: ReadonlyArray<string>
  readonly blockchains: ReadonlyArray<string>
}

const most = 12

const toRank = ({ address, names }: Target, text: string): number => {
  const lower = names.map((name) => name.toLowerCase())
  if (address === text || lower.includes(text) || lower.join("/") === text) return 0
  return lower.some((name) => name.startsWith(text)) ? 1 : 2
}

const toBlocks = ({ blockchains }: Targets, text: string): ReadonlyArray<Target> => {
  const digits = text.replaceAll(",", "")
  if (!/^\d{1,15}$/.test(digits)) return []
  return blockchains.map((blockchain) => ({
    kind: "block",
    href: blockHref(blockchain, BigInt(digits)),
    names: [digits],
    note: blockchain,
    words: ""
  }))
}

/** A pool that is not among the known ones. */
const toPools = ({ deployments }: Targets, text: string): ReadonlyArray<Target> =>
  /^0x[0-9a-f]{40}$/.test(text)
    ? deployments.map((name) => ({ kind: "pool", href: dexHref(name, text), names: [text], note: name, words: "" }))
    : []

/** The pages that match a text, the best ones first: each part of it is in their names, their address or their words. */
export const findTargets = (targets: Targets, text: string): ReadonlyArray<Target> => {
  const wanted = text.trim().toLowerCase().replace("-", "/")
  const parts = wanted.split(/[\s/]+/)
  const matches = targets.known.filter(({ address = "", names, words }) => {
    const all = `${names.join(" ")} ${address} ${words}`.toLowerCase()
    return parts.every((part) => all.includes(part))
  })
  const found = matches
    .map((target) => [toRank(target, wanted), target] as const)
    .toSorted(([one], [other]) => one - other)
    .map(([, target]) => target)
  return [...toBlocks(targets, wanted), ...(found.length === 0 ? toPools(targets, wanted) : found)].slice(0, most)
}
