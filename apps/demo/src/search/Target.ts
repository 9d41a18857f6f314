import { blockHref, dexHref } from "../route/Route.ts"

/** A page that the search finds. */
export interface Target {
  readonly kind: "market" | "exchange" | "token" | "pool" | "address" | "block"
  readonly href: string
  /** A market, a block, or the symbols of tokens. */
  readonly names: ReadonlyArray<string>
  /** Its address, if it has one. */
  readonly address?: string
  /** Where it is, and what distinguishes it from others with the same names. */
  readonly note: string
  /** Further words that find it. */
  readonly words: string
}

/** Everything that can be found. */
export interface Targets {
  /** Markets, pools and tokens, the most important first. */
  readonly known: ReadonlyArray<Target>
  /** Such as `uniswap-v3/ethereum`. */
  readonly deployments: ReadonlyArray<string>
  readonly blockchains: ReadonlyArray<{
    readonly id: string
    /** The newest block when the targets were read, if it is known. */
    readonly head: number | undefined
  }>
}

const max = 12

const toRank = ({ address, names }: Target, text: string): number => {
  const lower = names.map((name) => name.toLowerCase())
  if (address === text || lower.includes(text) || lower.join("/") === text) return 0
  return lower.some((name) => name.startsWith(text)) ? 1 : 2
}

/** A chain grows by about so many blocks after the targets were read. */
const newer = 1000

/** Blocks that exist, by number: `150`, `1,500`, `#150` or `block 150`. */
const toBlocks = ({ blockchains }: Targets, text: string): ReadonlyArray<Target> => {
  const [, digits] = /^(?:#|block\s+)?(\d{1,15})$/.exec(text.replaceAll(",", "")) ?? []
  if (digits === undefined) return []
  return blockchains
    .filter(({ head }) => head === undefined || Number(digits) <= head + newer)
    .map(({ id }) => ({
      kind: "block",
      href: blockHref(id, BigInt(digits)),
      names: [digits],
      note: id,
      words: ""
    }))
}

/** An address that is not among the known ones: it may be that of a pool. */
const toAddresses = ({ deployments }: Targets, text: string): ReadonlyArray<Target> =>
  /^0x[0-9a-f]{40}$/.test(text)
    ? deployments.map((name) => ({
        kind: "address",
        href: dexHref(name, text),
        names: [text],
        note: `as a pool of ${name}`,
        words: ""
      }))
    : []

/** Why nothing matches. */
export const toHint = (text: string): string =>
  /^\s*0x[0-9a-f]{64}\s*$/i.test(text)
    ? "Transactions and hashes of blocks cannot be searched. Blocks are found by their number."
    : "Nothing matches."

const compact = (text: string): string => text.replaceAll(/[\s/_-]/g, "")

/** The pages that match a text, the best ones first: each part of it is in their names, their address or their words. */
export const findTargets = (targets: Targets, text: string): ReadonlyArray<Target> => {
  const wanted = text.trim().toLowerCase().replaceAll(/[-_]/g, "/").replace(" %", "%")
  const parts = wanted.split(/[\s/]+/)
  const whole = compact(wanted)
  const matches = targets.known.filter(({ address = "", names, words }) => {
    const name = names.join(" ").toLowerCase()
    const all = `${name} ${address} ${words.toLowerCase()}`
    return parts.every((part) => all.includes(part)) || compact(name).includes(whole)
  })
  const found = matches
    .map((target) => [toRank(target, wanted), target] as const)
    .toSorted(([one], [other]) => one - other)
    .map(([, target]) => target)
  return [...toBlocks(targets, wanted), ...(found.length === 0 ? toAddresses(targets, wanted) : found)].slice(0, max)
}
