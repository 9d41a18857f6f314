import { Option, Schema, Struct } from "effect"
import type { Page } from "../../../../src/dex/DexQueries.ts"
import type { BurnRow, DeploymentRow, PoolRow, SwapRow, TickRow, TokenRow } from "../../../../src/dex/DexSource.ts"
import type { IndexedBlock, IndexedPool, IndexedTick, IndexedTrade } from "../../../../src/dex/index/IndexedBlock.ts"
import { getTicks } from "./MemoryEntityStore.ts"

const decimals = [
  "0",
  "1",
  "-1",
  "2",
  "10",
  "9.999",
  "-123.456",
  "0.1",
  "0.10",
  "115792089237316195423570985008687907853269984665640564039457584007913129639936",
  "0.0000000000000000000000000000000000000000000000001234567890123456789012345678901234",
  "-0.0000000000000000000000000000000000000000000000001234567890123456789012345678901234",
  "1234567890123456789.123456789012345"
]

/** Of liquidity. */
const amounts = ["0", "1", "7", "340282366920938463463374607431768211455"]

const texts = [
  "",
  "a",
  "B",
  "b",
  "DAI",
  "Dai",
  "\u0000",
  "\u0000a",
  "\u0001",
  "\u0001\u0000",
  "\u0002",
  "Ä",
  "ä",
  "\uffff",
  "😀",
  " "
]

const pick = (from: ReadonlyArray<string>, seed: number): string => from[seed % from.length] ?? ""

export const token = (which: number): string => `0x${String(which).padStart(40, "a")}`
export const pool = (which: number): string => `0x${String(which).padStart(40, "b")}`
export const hash = (number: number, branch: number): string => `0x${branch}${String(number).padStart(63, "c")}`

export const tokenRow = (which: number, seed: number): TokenRow => {
  const decimal = (place: number) => pick(decimals, seed + place * (seed % 7))
  return {
    id: token(which),
    name: pick(texts, seed),
    symbol: pick(texts, seed + 3),
    decimals: "18",
    supply: decimal(1),
    totalValueLocked: decimal(2),
    totalValueLockedUSD: decimal(3),
    volume: decimal(4),
    volumeUSD: decimal(5),
    untrackedVolumeUSD: decimal(6),
    txCount: decimal(7),
    derivedETH: decimal(8),
    feesUSD: decimal(9),
    totalValueLockedUSDUntracked: decimal(10),
    poolCount: decimal(11)
  }
}

const tokenCount = 5

/** The pool has the tokens `which` and the one after it. */
const poolRow = (which: number, seed: number): IndexedPool => {
  const decimal = (place: number) => pick(decimals, seed + place * (seed % 5))
  return {
    id: pool(which),
    token0: token(which % tokenCount),
    token1: token((which + 1) % tokenCount),
    createdAtBlockNumber: String(which % 3),
    createdAtLogIndex: which,
    createdAtTimestamp: "1600000000",
    feeGrowthGlobal0X128: decimal(1),
    feeGrowthGlobal1X128: decimal(2),
    feeTier: "3000",
    feesUSD: decimal(3),
    liquidity: decimal(4),
    liquidityProviderCount: "0",
    observationIndex: String(seed),
    sqrtPrice: decimal(5),
    tick: seed % 3 === 0 ? "" : String((seed % 11) - 5),
    token0Price: decimal(6),
    token1Price: decimal(7),
    totalValueLockedToken0: decimal(8),
    totalValueLockedToken1: decimal(9),
    totalValueLockedETH: decimal(10),
    totalValueLockedUSD: decimal(11),
    totalValueLockedUSDUntracked: decimal(12),
    txCount: decimal(13),
    volumeUSD: decimal(14),
    volumeToken0: decimal(15),
    volumeToken1: decimal(16),
    untrackedVolumeUSD: decimal(17),
    simulation:
      seed % 4 === 0
        ? undefined
        : {
            tickSpacing: 10,
            feeProtocol: seed % 256,
            observationCardinality: 1 + (seed % 9),
            observationCardinalityNext: 65_535,
            observedAt: 4_294_967_295
          }
  }
}

const deploymentRow = (seed: number): DeploymentRow & { readonly nativeUSD: string } => ({
  id: "0xfactory",
  poolCount: String(seed),
  txCount: pick(decimals, seed),
  totalVolumeUSD: pick(decimals, seed + 1),
  untrackedVolumeUSD: pick(decimals, seed + 2),
  totalVolumeETH: pick(decimals, seed + 3),
  totalValueLockedUSD: pick(decimals, seed + 4),
  totalValueLockedETH: pick(decimals, seed + 5),
  totalFeesUSD: pick(decimals, seed + 6),
  totalFeesETH: pick(decimals, seed + 7),
  owner: "0xowner",
  nativeUSD: pick(decimals, seed + 8)
})

const getTime = (number: number): number => 1_600_000_000 + Math.floor(number / 2) * 2

export const trade = (number: number, logIndex: number, which: number, seed: number): IndexedTrade => {
  const transactionId = hash(number * 10 + (seed % 4), 9)
  const common = {
    id: `${transactionId}#${logIndex}`,
    amount0: pick(decimals, seed),
    amount1: pick(decimals, seed + 1),
    amountUSD: pick(decimals, seed + 2),
    logIndex: String(logIndex),
    origin: token(seed % 3),
    timestamp: String(getTime(number)),
    transactionId,
    pool: pool(which)
  } satisfies Omit<SwapRow, "pool" | "sender" | "recipient" | "sqrtPriceX96"> & { readonly pool: string }
  const position = { ...common, amount: pick(amounts, seed + 3), owner: token(seed % 2) } satisfies Omit<
    BurnRow,
    "pool"
  > & {
    readonly pool: string
  }
  const range = { tickLower: ((seed % 7) - 4) * 60, tickUpper: ((seed % 5) + 4) * 60 }
  if (seed % 3 === 0) return { kind: "burn", row: position, ...range }
  if (seed % 3 === 1) return { kind: "mint", row: { ...position, sender: token(seed % 4) }, ...range }
  return {
    kind: "swap",
    row: { ...common, sender: token(seed % 4), recipient: token(seed % 5), sqrtPriceX96: pick(decimals, seed + 4) }
  }
}

const Seed = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10_000 }))
const upTo = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))
const some = <S extends Schema.Top>(item: S) => Schema.Array(item).check(Schema.isMaxLength(4))
const Change = Schema.Struct({ which: upTo(5), seed: Seed })
export const Block = Schema.Struct({
  gap: upTo(2),
  totals: Schema.Boolean,
  tokens: some(Change),
  pools: some(Change),
  trades: some(Change)
})

/** A step of an index: blocks are appended, optionally after a rewind of the newest ones. */
const Step = Schema.Struct({ back: upTo(6), again: Schema.Boolean, blocks: some(Block) })
export const History = Schema.Array(Step).check(Schema.isMinLength(1), Schema.isMaxLength(6))

const unique = (changes: ReadonlyArray<typeof Change.Type>) => [
  ...new Map(changes.map((change) => [change.which, change])).values()
]

/** The next block of the chain, whose pools have their tokens and whose trades have their pools. */
export const nextBlock = (
  chain: ReadonlyArray<IndexedBlock>,
  { gap, pools, tokens, totals, trades }: typeof Block.Type,
  branch: number
): IndexedBlock => {
  const parent = chain.at(-1)
  const number = (parent?.number ?? 100) + 1 + gap
  const changedPools = unique(pools).map(({ seed, which }) => poolRow(which, seed))
  const known = new Set(chain.flatMap((block) => block.tokens.map(({ id }) => id)))
  const born = Array.from({ length: tokenCount }, (_, which) => tokenRow(which, which * 31)).filter(
    ({ id }) => !known.has(id) && changedPools.some(({ token0, token1 }) => token0 === id || token1 === id)
  )
  const changedTokens = new Map(
    [...born, ...unique(tokens).map(({ seed, which }) => tokenRow(which % tokenCount, seed))].map((row) => [
      row.id,
      row
    ])
  )
  const traded = new Set([...chain.flatMap((block) => block.pools), ...changedPools].map(({ id }) => id))
  return {
    number,
    hash: hash(number, branch),
    parentHash: gap === 0 && parent !== undefined ? parent.hash : hash(number - 1, branch),
    timestamp: getTime(number),
    proof: "none",
    deployment: totals ? deploymentRow(number + branch) : undefined,
    tokens: [...changedTokens.values()],
    pools: changedPools,
    trades: trades
      .filter(({ which }) => traded.has(pool(which)))
      .map(({ seed, which }, at) => trade(number, at, which, seed)),
    initialPrices: []
  }
}

export const everything: Page = { limit: 1000, skip: 0 }
export const unfiltered = { order: Option.none(), id: Option.none(), name: Option.none(), symbol: Option.none() }
export const anyTime = { order: Option.none(), from: Option.none(), to: Option.none() }

/** The ticks of a pool as a view has them. */
export const ticksOf = (ticks: ReadonlyArray<IndexedTick>, id: string): ReadonlyArray<TickRow> =>
  ticks
    .filter((one) => one.pool === id)
    .map(({ gross, net, tick }) => ({ tick: String(tick), liquidityGross: gross, liquidityNet: net }))

/** The rows by id after these blocks, in any order. */
const latest = <Row extends { readonly id: string }>(rows: ReadonlyArray<Row>): Map<string, Row> =>
  new Map(rows.map((row) => [row.id, row]))

/** The state after these blocks, by the simplest algorithm. */
export const getState = (chain: ReadonlyArray<IndexedBlock>) => {
  const tokens = latest(chain.flatMap((block) => block.tokens))
  const pools = latest(chain.flatMap((block) => block.pools))
  const token = (id: string): TokenRow => {
    const row = tokens.get(id)
    if (row === undefined) throw new Error(`The world has no token "${id}".`)
    return row
  }
  const named = (id: string) => ({ id, name: token(id).name, symbol: token(id).symbol })
  const sides = (id: string) => {
    const row = pools.get(id)
    if (row === undefined) throw new Error(`The world has no pool "${id}".`)
    return row
  }
  return {
    deployment: chain.flatMap(({ deployment }) => (deployment === undefined ? [] : [deployment])).at(-1),
    tokens: [...tokens.values()],
    indexedPools: [...pools.values()],
    pools: [...pools.values()].map((row): PoolRow => ({
      ...Struct.omit(row, ["createdAtLogIndex", "simulation"]),
      token0: token(row.token0),
      token1: token(row.token1)
    })),
    ticks: getTicks(chain.flatMap(({ trades }) => trades)),
    trades: chain.flatMap(({ number, trades }) =>
      trades.map(({ kind, row }) => {
        const { token0, token1 } = sides(row.pool)
        return {
          kind,
          number,
          pool: row.pool,
          token0,
          token1,
          row: { ...row, pool: { token0: named(token0), token1: named(token1) } }
        }
      })
    )
  }
}
