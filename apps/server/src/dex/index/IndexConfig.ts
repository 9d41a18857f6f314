import type { ProtocolId } from "../ProtocolIds.ts"

export interface TokenOverride {
  readonly name: string
  readonly symbol: string
  readonly decimals: number
}

/** A pool created before the first block of the index, so that the index has no creation event of it. */
export interface SeedPool {
  readonly pool: string
  readonly token0: string
  readonly token1: string
  /** In millionths. */
  readonly fee: number
}

/** The configuration of one index. Addresses in any letter case. */
export interface IndexConfig {
  /** `dex id/blockchain id`. */
  readonly key: string
  readonly blockchain: string
  /** The chain id that the nodes must report; if absent, that of the first node to answer. */
  readonly chainId?: number
  /** Addresses of JSON-RPC nodes: if one fails, the next is used. */
  readonly rpc: ReadonlyArray<string>
  /** The maximum depth of a reorg, in blocks. */
  readonly finality: number
  /** Whether the node starts a new chain each time it starts: the index is then rebuilt with it. */
  readonly ephemeral?: boolean
  /** The protocol of the factory and its pools; "uniswap-v3" if absent. */
  readonly protocol?: ProtocolId
  /** Of all pools, in millionths, instead of that of the protocol; only if no event states it. */
  readonly fee?: number
  readonly factory: string
  readonly startBlock: number
  /**
   * The blocks that are proven against their headers: every block ("all", the default), blocks within reach of a reorg
   * and blocks with events ("head"), or nothing ("none").
   */
  readonly verify?: "all" | "head" | "none"
  /** The wrapped native coin. */
  readonly referenceToken: string
  /** The pool whose price gives the native coin in USD; the reference token itself if the native coin is a dollar. */
  readonly stablePool: string
  readonly whitelist: ReadonlyArray<string>
  readonly stablecoins: ReadonlyArray<string>
  /** A decimal: pools with less locked do not set prices. */
  readonly minimumNativeLocked: string
  /**
   * The only pool of the index, which `startBlock` creates: amounts, prices and trades of this pool are right, and values in
   * USD, tokens and totals are not, as these follow from other pools too.
   */
  readonly onlyPool?: string
  /** Pools that are left out of the index. */
  readonly skipPools?: ReadonlyArray<string>
  /** Pools whose swaps are left out, always or in one block. */
  readonly skipSwaps?: ReadonlyArray<{ readonly pool: string; readonly block?: number }>
  /**
   * Pools created before `startBlock`, which then is above 0: they start with the state that their contracts report.
   */
  readonly seedPools?: ReadonlyArray<SeedPool>
  /** By the token's address: overrides what the contract reports. */
  readonly tokenOverrides?: Readonly<Record<string, TokenOverride>>
}
