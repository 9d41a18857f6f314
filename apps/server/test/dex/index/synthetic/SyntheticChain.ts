import { topics } from "../../../../src/dex/index/protocol/UniswapV3.ts"
import { makeHeader } from "./SyntheticHeader.ts"
import type { SyntheticHeader } from "./SyntheticHeader.ts"

// Chains of generated events, without contracts: blocks are derived from a seed, so that two branches differ.

export interface SyntheticLog {
  readonly address: string
  readonly topics: ReadonlyArray<string>
  readonly data: string
}

interface SyntheticPool {
  readonly token0: string
  readonly token1: string
  readonly sqrtPrice: bigint
  readonly tick: number
  readonly observationIndex: number
  readonly growth0: bigint
  readonly growth1: bigint
}

export interface SyntheticBlock {
  readonly number: number
  readonly hash: string
  readonly parentHash: string
  readonly timestamp: number
  /** A transaction for each, in this order. */
  readonly logs: ReadonlyArray<SyntheticLog>
  readonly header: SyntheticHeader
  /** After the block. */
  readonly pools: ReadonlyMap<string, SyntheticPool>
  readonly owner: string
}

/** A sequence of numbers in `[0, bound)` derived from a seed. */
export const makeDraws = (seed: number) => {
  let state = (seed * 2_654_435_761 + 1) >>> 0
  return (bound: number): number => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e37_79b9) >>> 0
    return ((state ^ (state >>> 13)) >>> 0) % bound
  }
}
type Draws = ReturnType<typeof makeDraws>

const word = (value: bigint | number | string): string =>
  typeof value === "string"
    ? value.slice(2).padStart(64, "0")
    : BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, "0")
const words = (...values: ReadonlyArray<bigint | number | string>): string => `0x${values.map(word).join("")}`
const topic = (value: bigint | number | string): string => words(value)
const address = (kind: string, index: number): string =>
  `0x${kind}${index.toString(16).padStart(40 - kind.length, "0")}`

export const factory = address("fa", 1)
export const wrapped = address("e0", 1)
export const dollar = address("d0", 1)
/** Its contract reports no decimals. */
export const broken = address("bad", 1)
const tokens = [wrapped, dollar, address("70", 1), address("70", 2), broken]
export const stablePool = address("90", 0)

const genesisHeader = makeHeader({ number: 0, parentHash: topic(0), timestamp: 1_700_000_000, seed: 0, logs: [] })
export const genesis: SyntheticBlock = {
  number: 0,
  hash: genesisHeader.hash,
  parentHash: topic(0),
  timestamp: 1_700_000_000,
  logs: [],
  header: genesisHeader,
  pools: new Map(),
  owner: address("ab", 0)
}

interface Building {
  readonly logs: Array<SyntheticLog>
  readonly pools: Map<string, SyntheticPool>
  owner: string
  readonly draw: Draws
}

const price = (draw: Draws) => ({
  sqrtPrice: (1n << 96n) + BigInt(draw(1_000_000_000)) * (1n << 60n) * BigInt(1 + draw(4000)),
  tick: draw(400_000) - 200_000
})
const ether = 10n ** 18n
const amount = (draw: Draws) => (BigInt(draw(1_000_000_000)) * ether) / BigInt(1 + draw(1_000_000))

const createPool = ({ draw, logs, pools }: Building) => {
  const id = address("90", pools.size)
  const first = pools.size === 0 ? 0 : draw(tokens.length)
  const second = pools.size === 0 ? 1 : (first + 1 + draw(tokens.length - 1)) % tokens.length
  const [token0 = wrapped, token1 = dollar] = [tokens[first], tokens[second]]
  logs.push({
    address: factory,
    topics: [topics.PoolCreated, topic(token0), topic(token1), topic([100, 500, 3000][draw(3)] ?? 500)],
    data: words(10, id)
  })
  pools.set(id, { token0, token1, sqrtPrice: 0n, tick: 0, observationIndex: 0, growth0: 0n, growth1: 0n })
}

const position = (draw: Draws) => {
  const lower = draw(300_000) - 200_000
  return [topic(address("01", draw(5))), topic(lower), topic(lower + 1 + draw(200_000))]
}

const actOnPool = ({ draw, logs, pools }: Building, id: string, pool: SyntheticPool) => {
  if (pool.sqrtPrice === 0n) {
    const initial = price(draw)
    logs.push({ address: id, topics: [topics.Initialize], data: words(initial.sqrtPrice, initial.tick) })
    return pools.set(id, { ...pool, ...initial })
  }
  const [a, b] = [amount(draw), amount(draw)]
  switch (draw(6)) {
    case 0:
    case 1:
      return logs.push({
        address: id,
        topics: [topics.Mint, ...position(draw)],
        data: words(address("02", 1), amount(draw), a, b)
      })
    case 2:
      return logs.push({
        address: id,
        topics: [topics.Burn, ...position(draw)],
        data: words(amount(draw), a / 9n, b / 9n)
      })
    case 3:
      return logs.push({
        address: id,
        topics: [topics.Collect, ...position(draw)],
        data: words(address("02", 2), a / 9n, b / 9n)
      })
    case 4: {
      const moved = price(draw)
      logs.push({
        address: id,
        topics: [topics.Swap, topic(address("01", 1)), topic(address("01", 2))],
        data: words(a, -b, moved.sqrtPrice, amount(draw), moved.tick)
      })
      const growth0 = pool.growth0 + BigInt(draw(1000))
      return pools.set(id, { ...pool, ...moved, growth0, observationIndex: draw(7) })
    }
    default:
      logs.push({
        address: id,
        topics: [topics.Flash, topic(address("01", 1)), topic(address("01", 2))],
        data: words(a, b, 1, 1)
      })
      return pools.set(id, { ...pool, growth1: pool.growth1 + BigInt(draw(1000)) })
  }
}

const act = (building: Building) => {
  const { draw, logs, pools } = building
  const choice = draw(20)
  if (pools.size === 0 || (choice < 3 && pools.size < 8)) return createPool(building)
  if (choice === 3) {
    const owner = address("ab", draw(100))
    logs.push({ address: factory, topics: [topics.OwnerChanged, topic(building.owner), topic(owner)], data: "0x" })
    building.owner = owner
    return
  }
  if (choice === 4) {
    // A pool of another factory.
    return logs.push({ address: address("0f", 1), topics: [topics.Initialize], data: words(1n << 96n, 0) })
  }
  const chosen = [...pools][draw(pools.size)]
  if (chosen !== undefined) actOnPool(building, ...chosen)
}

/** A child of a block, derived from a seed. */
export const toChild = (parent: SyntheticBlock, seed: number): SyntheticBlock => {
  const draw = makeDraws(seed * 7919 + parent.number)
  const building: Building = { logs: [], pools: new Map(parent.pools), owner: parent.owner, draw }
  for (let left = draw(3) === 0 ? 0 : draw(5); left > 0; left--) act(building)
  const number = parent.number + 1
  const timestamp = parent.timestamp + 1 + draw(20)
  const { logs } = building
  const header = makeHeader({ number, parentHash: parent.hash, timestamp, seed, logs })
  return {
    number,
    hash: header.hash,
    parentHash: parent.hash,
    timestamp,
    logs,
    header,
    pools: building.pools,
    owner: building.owner
  }
}

export const transactionHash = (block: SyntheticBlock, index: number): string =>
  topic(BigInt(block.hash) * 1000n + BigInt(index) + 7n)
export const sender = (block: SyntheticBlock, index: number): string => address("5e", (block.number + index) % 9)
export { words }
