import { toEventSelector } from "viem"
import type { NamedLog } from "../../../ChainTruth.ts"

const names = {
  Pool: ["Pool(address,address,address)"],
  CustomPool: ["CustomPool(address,address,address,address)"],
  Initialize: ["Initialize(uint160,int24)"],
  Mint: ["Mint(address,address,int24,int24,uint128,uint256,uint256)"],
  Burn: [
    "Burn(address,int24,int24,uint128,uint256,uint256)",
    "Burn(address,int24,int24,uint128,uint256,uint256,uint24)"
  ],
  BurnFee: ["BurnFee(address,uint24)"],
  Collect: ["Collect(address,address,int24,int24,uint128,uint128)"],
  Swap: [
    "Swap(address,address,int256,int256,uint160,uint128,int24)",
    "Swap(address,address,int256,int256,uint160,uint128,int24,uint24,uint24)"
  ],
  SwapFee: ["SwapFee(address,uint24,uint24)"],
  Flash: ["Flash(address,address,uint256,uint256,uint256,uint256)"],
  Fee: ["Fee(uint16)"],
  CommunityFee: ["CommunityFee(uint8,uint8)", "CommunityFee(uint8)", "CommunityFee(uint16)"],
  ExcessTokens: ["ExcessTokens(uint256,uint256)"],
  Transfer: ["Transfer(address,address,uint256)"]
} as const

export type AlgebraEventName = keyof typeof names
export type AlgebraEvent = NamedLog<AlgebraEventName>

const isName = (name: string): name is AlgebraEventName => name in names

/** The names of events, by their first topics. */
export const algebraNames: ReadonlyMap<string, AlgebraEventName> = new Map(
  Object.entries(names).flatMap(([name, signatures]) =>
    isName(name) ? signatures.map((signature) => [toEventSelector(signature), name] as const) : []
  )
)

type Sides = [bigint, bigint]

/** The sums of the events of a pool, for token 0 and token 1 in smallest units. */
export interface AlgebraLedger {
  /** The fee of the pool, in millionths. */
  fee: bigint
  /** The community's part of the fees of either token, in thousandths. */
  communityFee: Sides
  /** Stated for the next swap or burn. */
  override: bigint
  plugin: bigint
  /** The fees of each swap, in millionths, by the id of its log. */
  readonly fees: Map<string, bigint>
  /** What the pool owes or has paid to the community and to its plugin, times 10^9. */
  readonly toCommunity: Sides
  readonly toPlugin: Sides
}

export const emptyLedger = (fee: bigint, communityFee: bigint): AlgebraLedger => ({
  fee,
  communityFee: [communityFee, communityFee],
  override: 0n,
  plugin: 0n,
  fees: new Map(),
  toCommunity: [0n, 0n],
  toPlugin: [0n, 0n]
})

const million = 1_000_000n
const signed = (word: bigint | undefined) => BigInt.asIntN(256, word ?? 0n)

const postSwap = (ledger: AlgebraLedger, { id, words }: AlgebraEvent): void => {
  const [override, plugin] = words.length === 7 ? [words[5] ?? 0n, words[6] ?? 0n] : [ledger.override, ledger.plugin]
  const base = override === 0n ? ledger.fee : override
  ledger.fees.set(id, base + plugin)
  for (const side of [0, 1] as const) {
    const input = signed(words[side])
    if (input <= 0n) continue
    // The community takes its part of the whole fee.
    ledger.toPlugin[side] += input * plugin * (1000n - ledger.communityFee[side])
    ledger.toCommunity[side] += input * (base + plugin) * ledger.communityFee[side]
  }
  ledger.override = 0n
  ledger.plugin = 0n
}

/** A burn states what is left after the fee of the plugin. */
const postBurn = (ledger: AlgebraLedger, { words }: AlgebraEvent): void => {
  const plugin = words.length === 4 ? (words[3] ?? 0n) : ledger.plugin
  for (const side of [0, 1] as const) {
    ledger.toPlugin[side] += ((words[1 + side] ?? 0n) * plugin * million * 1000n) / (million - plugin)
  }
  ledger.plugin = 0n
}

/** Adds an event of the pool. */
export const post = (ledger: AlgebraLedger, event: AlgebraEvent): void => {
  const { name, words } = event
  if (name === "Fee") ledger.fee = words[0] ?? 0n
  if (name === "CommunityFee") ledger.communityFee = [words[0] ?? 0n, words[1] ?? words[0] ?? 0n]
  if (name === "SwapFee") [ledger.override, ledger.plugin] = [words[0] ?? 0n, words[1] ?? 0n]
  if (name === "BurnFee") ledger.plugin = words[0] ?? 0n
  if (name === "Swap") postSwap(ledger, event)
  if (name === "Burn") postBurn(ledger, event)
  if (name === "Flash") {
    for (const side of [0, 1] as const) {
      ledger.toCommunity[side] += (words[2 + side] ?? 0n) * ledger.communityFee[side] * million
    }
  }
}
