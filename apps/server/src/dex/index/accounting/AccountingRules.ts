import type { IndexConfig, SeedPool, TokenOverride } from "../IndexConfig.ts"
import type { Protocol } from "../protocol/Protocol.ts"
import { protocols, toProtocolId } from "../protocol/Protocols.ts"
import { Decimal34 } from "./Decimal34.ts"

/** The part of the configuration that the accounting uses, with all addresses in lower case. */
export interface AccountingRules {
  readonly protocol: Protocol
  /** Of pools whose creation states none, in millionths. */
  readonly fee: number
  readonly factory: string
  readonly referenceToken: string
  readonly stablePool: string
  readonly whitelist: ReadonlySet<string>
  readonly stablecoins: ReadonlySet<string>
  readonly minimumNativeLocked: Decimal34
  readonly skipsPool: (pool: string) => boolean
  /** By address, without the skipped ones. */
  readonly seedPools: ReadonlyMap<string, SeedPool>
  readonly skipsSwap: (pool: string, block: number) => boolean
  /** Whether all swaps of a pool are counted, so that its price equals the one that its contract reports. */
  readonly countsAllSwaps: (pool: string) => boolean
  readonly tokenOverrides: ReadonlyMap<string, TokenOverride>
}

const lowerCase = (addresses: ReadonlyArray<string> = []): ReadonlySet<string> =>
  new Set(addresses.map((address) => address.toLowerCase()))

export const toAccountingRules = (config: IndexConfig): AccountingRules => {
  const skipSwaps = (config.skipSwaps ?? []).map(({ block, pool }) => ({ pool: pool.toLowerCase(), block }))
  const skipPools = lowerCase(config.skipPools)
  const onlyPool = config.onlyPool?.toLowerCase()
  const skipsPool = (pool: string) => skipPools.has(pool) || (onlyPool !== undefined && pool !== onlyPool)
  const seedPools = (config.seedPools ?? []).map(({ fee, pool, token0, token1 }) => ({
    pool: pool.toLowerCase(),
    token0: token0.toLowerCase(),
    token1: token1.toLowerCase(),
    fee
  }))
  const protocol = protocols[toProtocolId(config)]
  return {
    protocol,
    fee: config.fee ?? protocol.fee ?? 0,
    factory: config.factory.toLowerCase(),
    referenceToken: config.referenceToken.toLowerCase(),
    stablePool: config.stablePool.toLowerCase(),
    whitelist: lowerCase(config.whitelist),
    stablecoins: lowerCase(config.stablecoins),
    minimumNativeLocked: Decimal34.parse(config.minimumNativeLocked),
    skipsPool,
    seedPools: new Map(seedPools.filter(({ pool }) => !skipsPool(pool)).map((seed) => [seed.pool, seed])),
    skipsSwap: (pool, block) =>
      skipSwaps.some((skip) => skip.pool === pool && (skip.block === undefined || skip.block === block)),
    countsAllSwaps: (pool) => !skipSwaps.some((skip) => skip.pool === pool),
    tokenOverrides: new Map(
      Object.entries(config.tokenOverrides ?? {}).map(([token, override]) => [token.toLowerCase(), override])
    )
  }
}
