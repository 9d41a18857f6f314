import { Record } from "effect"
import { encodeEventTopics } from "viem/utils"
import { eventAbi } from "../contracts/Abi.ts"
import type { Deployment } from "../contracts/Deployment.ts"
import type { TokenSymbol } from "../contracts/Tokens.ts"
import { tokenListings } from "../contracts/Tokens.ts"
import { type Log, type Receipt, toSigned, topic, word } from "../node/Receipt.ts"

export interface PoolState {
  readonly sqrtPrice: bigint
  readonly tick: number
  readonly liquidity: bigint
}

/** The reserves of a pair of Uniswap V2. */
export interface Reserves {
  readonly reserve0: bigint
  readonly reserve1: bigint
}

export interface Position {
  readonly tokenId: bigint
  readonly owner: string
  readonly pool: string
  readonly liquidity: bigint
}

/** The bots' knowledge. It is derived from the chain's receipts only, so that an older value is restored with the blocks. */
export interface MarketState {
  /** The next nonce by account. */
  readonly nonces: ReadonlyMap<string, number>
  readonly pools: ReadonlyMap<string, PoolState>
  readonly pairs: ReadonlyMap<string, Reserves>
  /** By the position's number. */
  readonly positions: ReadonlyMap<bigint, Position>
  /** The drift of each price since its start: the logarithm of the ratio. */
  readonly drift: Readonly<Record<TokenSymbol, number>>
}

export const emptyState: MarketState = {
  nonces: new Map(),
  pools: new Map(),
  pairs: new Map(),
  positions: new Map(),
  drift: Record.map(tokenListings, () => 0)
}

type EventName = (typeof eventAbi)[number]["name"]

const getTopic = (eventName: EventName) => encodeEventTopics({ abi: eventAbi, eventName })[0]

/** The swap of PancakeSwap V3 has the words of the one of Uniswap V3, and two more after them. */
const pancakeSwap = "0x19b47279256b2a23a1665c810c8d55a1758940ee09377d4f8d26497a3577dc83"

/** Those of Algebra Integral 1.2.2 have the words of the ones of Uniswap V3, and fees after them. */
const integralSwap = "0x121cb44ee54098b1a04743c487e7460d8dd429b27f88b1f4d4767396e1a59f79"
const integralBurn = "0x932214d4a69c27c086643126ed97c32681da179064c678836c173f99bd13ca01"

const eventNames = new Map<string, EventName>([
  ...eventAbi.map(({ name }) => [String(getTopic(name)), name] as const),
  [pancakeSwap, "Swap"],
  [integralSwap, "Swap"],
  [integralBurn, "Burn"]
])

/** The name of a log's event; none if the bots ignore it. */
export const eventName = (log: Log): EventName | undefined => eventNames.get(log.topics[0] ?? "")

/** `Sync(uint112,uint112)` of a pair of Uniswap V2. */
const sync = "0x1c411e9a96e071241c2f21f7726b17ae89e3cab4c78be50e062b03a9fffbbad1"

const readSwap = (log: Log): PoolState => ({
  sqrtPrice: word(log, 2),
  liquidity: word(log, 3),
  tick: toSigned(word(log, 4))
})

const readInitialize = (log: Log): PoolState => ({
  sqrtPrice: word(log, 0),
  liquidity: 0n,
  tick: toSigned(word(log, 1))
})

const changeLiquidity = (pool: PoolState, log: Log, amount: bigint): PoolState =>
  toSigned(topic(log, 2)) <= pool.tick && pool.tick < toSigned(topic(log, 3))
    ? { ...pool, liquidity: pool.liquidity + amount }
    : pool

const applyPoolLog = (pool: PoolState | undefined, log: Log): PoolState | undefined => {
  const name = eventName(log)
  if (name === "Initialize") return readInitialize(log)
  if (pool === undefined) return undefined
  if (name === "Swap") return readSwap(log)
  if (name === "Mint") return changeLiquidity(pool, log, word(log, 1))
  if (name === "Burn") return changeLiquidity(pool, log, -word(log, 0))
  return pool
}

/** The position manager's log follows the pool's own, in the same transaction. */
const applyPositionLog = (known: Position | undefined, log: Log, owner: string, pool: string): Position => {
  const tokenId = topic(log, 1)
  const before = known ?? { tokenId, owner, pool, liquidity: 0n }
  const amount = word(log, 0)
  return { ...before, liquidity: before.liquidity + (eventName(log) === "IncreaseLiquidity" ? amount : -amount) }
}

/** The state after a block, from the state before and the block's receipts. */
export const applyReceipts = (
  state: MarketState,
  deployment: Deployment,
  receipts: ReadonlyArray<Receipt>
): MarketState => {
  const pools = new Map(state.pools)
  const pairs = new Map(state.pairs)
  const positions = new Map(state.positions)
  for (const receipt of receipts) {
    let lastPool = ""
    for (const log of receipt.logs) {
      if (log.address === deployment.positions) {
        const name = eventName(log)
        if (name !== "IncreaseLiquidity" && name !== "DecreaseLiquidity") continue
        const position = applyPositionLog(positions.get(topic(log, 1)), log, receipt.from, lastPool)
        if (position.liquidity > 0n) positions.set(position.tokenId, position)
        else positions.delete(position.tokenId)
        continue
      }
      if (log.topics[0] === sync) {
        pairs.set(log.address, { reserve0: word(log, 0), reserve1: word(log, 1) })
        continue
      }
      const after = applyPoolLog(pools.get(log.address), log)
      if (after === undefined) continue
      pools.set(log.address, after)
      lastPool = log.address
    }
  }
  return { ...state, pools, pairs, positions }
}
