import type { TokenRow } from "../../apps/server/src/dex/DexSource.ts"
import type { IndexedBlock, IndexedPool } from "../../apps/server/src/dex/index/IndexedBlock.ts"

export interface Size {
  readonly pools: number
  readonly tokens: number
  /** The total number of changed pool rows. */
  readonly versions: number
  readonly poolsPerBlock: number
}

/** Pseudo-random numbers from 0 up to 1, the same in every run. */
const generator = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const address = (kind: string, which: number) => `0x${kind}${which.toString(16).padStart(39, "0")}`
const hash = (number: number) => `0x${number.toString(16).padStart(64, "0")}`

/** A decimal with 34 significant digits, as in the accounting: amounts of very different sizes. */
const decimal = (random: () => number): string => {
  const digits = Array.from({ length: 4 }, () => String(Math.floor(random() * 1e9)).padStart(9, "0")).join("")
  const point = Math.floor(random() * 14)
  return `${point === 0 ? "0" : `1${digits.slice(0, point - 1)}`}.${digits.slice(point, 33)}1`
}

const integer = (random: () => number, digits: number): string =>
  `1${Array.from({ length: digits - 1 }, () => Math.floor(random() * 10)).join("")}`

const token = (which: number, random: () => number): TokenRow => ({
  id: address("a", which),
  name: `Token ${which}`,
  symbol: `T${which}`,
  decimals: "18",
  supply: integer(random, 27),
  totalValueLocked: decimal(random),
  totalValueLockedUSD: decimal(random),
  volume: decimal(random),
  volumeUSD: decimal(random),
  untrackedVolumeUSD: decimal(random),
  txCount: String(Math.floor(random() * 1e6)),
  derivedETH: decimal(random),
  feesUSD: decimal(random),
  totalValueLockedUSDUntracked: decimal(random),
  poolCount: String(Math.floor(random() * 50))
})

const pool = (which: number, { tokens }: Size, random: () => number): IndexedPool => ({
  id: address("b", which),
  token0: address("a", which % tokens),
  token1: address("a", (which * 7 + 1) % tokens),
  createdAtBlockNumber: String(which),
  createdAtLogIndex: 1,
  simulation: undefined,
  createdAtTimestamp: String(1_600_000_000 + which),
  feeGrowthGlobal0X128: integer(random, 38),
  feeGrowthGlobal1X128: integer(random, 38),
  feeTier: String([100, 500, 3000, 10_000][which % 4]),
  feesUSD: decimal(random),
  liquidity: integer(random, 24),
  liquidityProviderCount: "0",
  observationIndex: String(Math.floor(random() * 700)),
  sqrtPrice: integer(random, 29),
  tick: String(Math.floor(random() * 400_000) - 200_000),
  token0Price: decimal(random),
  token1Price: decimal(random),
  totalValueLockedToken0: decimal(random),
  totalValueLockedToken1: decimal(random),
  totalValueLockedETH: decimal(random),
  totalValueLockedUSD: decimal(random),
  totalValueLockedUSDUntracked: decimal(random),
  txCount: String(Math.floor(random() * 1e6)),
  volumeUSD: decimal(random),
  volumeToken0: decimal(random),
  volumeToken1: decimal(random),
  untrackedVolumeUSD: decimal(random)
})

/**
 * The blocks of a busy exchange: each changes some pools and their tokens, a few of them far more often than the rest.
 * The first blocks create every pool, so that every later block has all of them.
 */
export function* syntheticBlocks(size: Size): Generator<IndexedBlock> {
  const random = generator(7)
  let born = 0
  let written = 0
  for (let number = 1; written < size.versions; number++) {
    const wanted = Math.min(size.poolsPerBlock, size.versions - written)
    const changed = new Set<number>()
    while (changed.size < wanted) {
      if (born < size.pools) changed.add(born++)
      else changed.add(Math.floor(random() ** 2 * size.pools))
    }
    const pools = [...changed].map((which) => pool(which, size, random))
    const tokens = new Set(pools.flatMap(({ token0, token1 }) => [token0, token1]))
    written += wanted
    yield {
      number,
      hash: hash(number),
      parentHash: hash(number - 1),
      timestamp: 1_600_000_000 + number * 12,
      proof: "none",
      deployment: undefined,
      tokens: [...tokens].map((id) => token(Number.parseInt(id.slice(3), 16), random)),
      pools,
      trades: [],
      initialPrices: []
    }
  }
}
