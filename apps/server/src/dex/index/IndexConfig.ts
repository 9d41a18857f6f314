import { Decimal34 } from "./Decimal34.ts"

export interface TokenOverride {
  readonly name: string
  readonly symbol: string
  readonly decimals: number
}

/** A pool that is older than the first block of the index, so that no event tells of its creation. */
export interface SeedPool {
  readonly pool: string
  readonly token0: string
  readonly token1: string
  /** In millionths. */
  readonly fee: number
}

/** What an index must be told about a deployment. Addresses in any letter case. */
export interface IndexConfig {
  /** `dex id/blockchain id`. */
  readonly key: string
  readonly blockchain: string
  /** What the nodes must state; without it, what the first of them states. */
  readonly chainId?: number
  /** Addresses of JSON-RPC nodes: the next one is asked where one fails. */
  readonly rpc: ReadonlyArray<string>
  /** No reorg replaces more blocks than this. */
  readonly finality: number
  /** Whether the node begins a new chain with each start: the index then begins anew with it. */
  readonly ephemeral?: boolean
  readonly factory: string
  readonly startBlock: number
  /** The wrapped native coin. */
  readonly referenceToken: string
  /** The pool whose price gives the native coin in USD; the reference token itself where the native coin is a dollar. */
  readonly stablePool: string
  readonly whitelist: ReadonlyArray<string>
  readonly stablecoins: ReadonlyArray<string>
  /** A decimal: pools with less locked set no price. */
  readonly minimumNativeLocked: string
  /** Pools that do not count at all. */
  readonly skipPools?: ReadonlyArray<string>
  /** Pools whose swaps do not count, always or in one block. */
  readonly skipSwaps?: ReadonlyArray<{ readonly pool: string; readonly block?: number }>
  /** Pools from before `startBlock`, which then is above 0: they begin with what their contracts state. */
  readonly seedPools?: ReadonlyArray<SeedPool>
  /** By the token's address: what is used in place of what the contract says. */
  readonly tokenOverrides?: Readonly<Record<string, TokenOverride>>
}

/** The part of the configuration that the accounting follows, with all addresses in lower case. */
export interface AccountingRules {
  readonly factory: string
  readonly referenceToken: string
  readonly stablePool: string
  readonly whitelist: ReadonlySet<string>
  readonly stablecoins: ReadonlySet<string>
  readonly minimumNativeLocked: Decimal34
  readonly skipPools: ReadonlySet<string>
  /** By address, without those that are skipped. */
  readonly seedPools: ReadonlyMap<string, SeedPool>
  readonly skipsSwap: (pool: string, block: number) => boolean
  /** Whether all of a pool's swaps count, so that its price is the one that its contract states. */
  readonly countsAllSwaps: (pool: string) => boolean
  readonly tokenOverrides: ReadonlyMap<string, TokenOverride>
}

const lowerCase = (addresses: ReadonlyArray<string> = []): ReadonlySet<string> =>
  new Set(addresses.map((address) => address.toLowerCase()))

export const rulesOf = (config: IndexConfig): AccountingRules => {
  const skipSwaps = (config.skipSwaps ?? []).map(({ block, pool }) => ({ pool: pool.toLowerCase(), block }))
  const skipPools = lowerCase(config.skipPools)
  const seedPools = (config.seedPools ?? []).map(({ fee, pool, token0, token1 }) => ({
    pool: pool.toLowerCase(),
    token0: token0.toLowerCase(),
    token1: token1.toLowerCase(),
    fee
  }))
  return {
    factory: config.factory.toLowerCase(),
    referenceToken: config.referenceToken.toLowerCase(),
    stablePool: config.stablePool.toLowerCase(),
    whitelist: lowerCase(config.whitelist),
    stablecoins: lowerCase(config.stablecoins),
    minimumNativeLocked: Decimal34.parse(config.minimumNativeLocked),
    skipPools,
    seedPools: new Map(seedPools.filter(({ pool }) => !skipPools.has(pool)).map((seed) => [seed.pool, seed])),
    skipsSwap: (pool, block) =>
      skipSwaps.some((skip) => skip.pool === pool && (skip.block === undefined || skip.block === block)),
    countsAllSwaps: (pool) => !skipSwaps.some((skip) => skip.pool === pool),
    tokenOverrides: new Map(
      Object.entries(config.tokenOverrides ?? {}).map(([token, override]) => [token.toLowerCase(), override])
    )
  }
}
