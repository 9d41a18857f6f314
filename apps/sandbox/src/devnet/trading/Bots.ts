import { Record } from "effect"
import { planAlgebra } from "../algebra/AlgebraBots.ts"
import { borrowerAbi, poolAbi } from "../contracts/Abi.ts"
import type { Deployment, DevnetPool, DevnetToken } from "../contracts/Deployment.ts"
import { tokenListings } from "../contracts/Tokens.ts"
import { emptyState, type MarketState, type PoolState, type Position } from "../market/MarketState.ts"
import { fairTick, type Prices, tickValue, toBound, toRaw } from "../market/Price.ts"
import { type RandomDraws, isNonEmpty } from "../market/RandomDraws.ts"
import { call, type Transaction } from "../node/Transaction.ts"
import { planPancake } from "../pancakeswap/PancakeBots.ts"
import { planPairs } from "../uniswap-v2/PairBots.ts"
import { closePosition, collectPosition, decreasePosition, increasePosition, mintPosition } from "./Positions.ts"
import { type Hop, type SwapRoute, swap } from "./Swaps.ts"

/** The transactions of the bots for one block. */
export interface Plan {
  readonly transactions: ReadonlyArray<Transaction>
  readonly drift: MarketState["drift"]
  /** The positions it touches. Their state is unknown until the block is. */
  readonly busy: ReadonlyArray<bigint>
}

/** Bounds of every price: a logarithm, so about a tenth up and down. */
const band = 0.12

/** Beyond this number of positions the bots close some rather than open new ones. */
const enoughPositions = 60

export const getPrices = (state: MarketState): Prices =>
  Record.map(tokenListings, (listing, symbol) => listing.usd * Math.exp(state.drift[symbol]))

/** Every price takes a random step, with a slight pull to its start. */
const stepPrices = (state: MarketState, draws: RandomDraws): MarketState => ({
  ...state,
  drift: Record.map(tokenListings, ({ volatility }, symbol) => {
    const next = state.drift[symbol] * 0.999 + volatility * draws.normal()
    return Math.max(-band, Math.min(band, next))
  })
})

/** The state on which a bot decides. */
interface View {
  readonly deployment: Deployment
  readonly state: MarketState
  readonly prices: Prices
  readonly draws: RandomDraws
}

const getState = ({ state }: View, pool: DevnetPool): PoolState =>
  state.pools.get(pool.address) ?? { sqrtPrice: 0n, tick: 0, liquidity: 0n }

const getValue = (view: View, pool: DevnetPool) => tickValue(pool, view.prices, getState(view, pool))

const hop = (pool: DevnetPool, input: DevnetToken): Hop => ({
  pool,
  output: pool.token0.symbol === input.symbol ? pool.token1 : pool.token0
})

/** A random swap: through one to three pools, in any direction, worth a few ticks of the thinnest pool on the way. */
const planRandomSwap = (view: View): Transaction => {
  const { deployment, draws, prices } = view
  const first = draws.pick(deployment.pools)
  const input = draws.chance(0.5) ? first.token0 : first.token1
  const hops: [Hop, ...Array<Hop>] = [hop(first, input)]
  const seen = new Set([input.symbol])
  let last = hops[0].output
  while (hops.length < 3 && draws.chance(0.25)) {
    seen.add(last.symbol)
    const choices = deployment.pools
      .map((pool) => hop(pool, last))
      .filter(
        ({ output, pool }) =>
          !seen.has(output.symbol) && (pool.token0.symbol === last.symbol || pool.token1.symbol === last.symbol)
      )
    if (!isNonEmpty(choices)) break
    const next = draws.pick(choices)
    hops.push(next)
    last = next.output
  }
  const route: SwapRoute = { input, hops }
  const thinnest = Math.min(...hops.map(({ pool }) => getValue(view, pool)))
  const usd = thinnest * Math.exp(draws.normal() * 0.8)
  return swap(deployment, prices, {
    trader: draws.pick(deployment.cast.traders),
    route,
    usd,
    exact: draws.chance(0.3) ? "output" : "input"
  })
}

/** How many ticks a pool is away from the fair price, beyond the range that its fee makes unprofitable. */
const getMispricing = ({ prices }: View, pool: DevnetPool, tick: number): number => {
  const distance = fairTick(pool, prices) - tick
  return Math.sign(distance) * Math.max(0, Math.abs(distance) - pool.fee / 100)
}

/** Moves the pools that are furthest away towards the fair price, at most 60 ticks at once. */
const planArbitrage = (view: View): ReadonlyArray<Transaction> => {
  const { deployment, draws, prices } = view
  return deployment.pools.flatMap((pool) => {
    const move = getMispricing(view, pool, getState(view, pool).tick)
    const ticks = Math.min(60, Math.abs(move)) * draws.between(0.6, 1)
    if (ticks < 1 || draws.chance(0.4)) return []
    // A higher price of token0 means that token1 is paid in.
    const input = move > 0 ? pool.token1 : pool.token0
    return [
      swap(deployment, prices, {
        trader: draws.pick(deployment.cast.traders),
        route: { input, hops: [hop(pool, input)] },
        usd: ticks * getValue(view, pool),
        exact: "input"
      })
    ]
  })
}

/** Providers prefer round prices, and shared bounds keep the chain's state small. */
const toRoundBound = (pool: DevnetPool, tick: number) => {
  const grid = pool.tickSpacing * 5
  return toBound(pool, Math.round(tick / grid) * grid)
}

const planMint = (view: View): Transaction => {
  const { deployment, draws, prices } = view
  const pool = draws.pick(deployment.pools)
  const { tick } = getState(view, pool)
  const reach = pool.tickSpacing * draws.between(5, 40)
  const middle = tick + (draws.chance(0.3) ? draws.between(-1.5, 1.5) * reach : 0)
  const lower = toRoundBound(pool, middle - reach)
  return mintPosition(deployment, prices, {
    pool,
    owner: draws.pick(deployment.cast.providers),
    lower,
    upper: Math.max(lower + pool.tickSpacing, toRoundBound(pool, middle + reach)),
    usd: pool.usd * draws.between(0.0005, 0.01)
  })
}

/** The action of a provider on one of its positions. */
const planPositionChange = (view: View, position: Position): Transaction | undefined => {
  const { deployment, draws, prices, state } = view
  const owner = deployment.cast.providers.find((provider) => provider === position.owner)
  const pool = deployment.pools.find(({ address }) => address === position.pool)
  if (owner === undefined || pool === undefined) return undefined
  const crowded = state.positions.size > enoughPositions
  const choice = draws.pick(
    crowded
      ? (["close", "close", "decrease"] as const)
      : (["close", "decrease", "collect", "collect", "increase"] as const)
  )
  if (choice === "close") return closePosition(deployment, owner, position)
  if (choice === "decrease") return decreasePosition(deployment, owner, position)
  if (choice === "collect") return collectPosition(deployment, owner, position.tokenId)
  return increasePosition(deployment, prices, {
    pool,
    owner,
    tokenId: position.tokenId,
    usd: pool.usd * draws.between(0.0005, 0.003)
  })
}

const planFlashLoan = ({ deployment, draws, prices }: View): Transaction => {
  const pool = draws.pick(deployment.pools)
  const usd = pool.usd * draws.between(0.001, 0.02)
  const amount0 = toRaw(pool.token0, prices, usd)
  const amount1 = draws.chance(0.3) ? toRaw(pool.token1, prices, usd) : 0n
  return call(draws.pick(deployment.cast.traders), deployment.borrower, 400_000, {
    abi: borrowerAbi,
    args: [pool.address, amount0, amount1]
  })
}

const planProtocolFeeCollection = ({ deployment }: View): Transaction => {
  const {
    cast: { owner },
    stablePool
  } = deployment
  const all = 2n ** 128n - 1n
  return call(owner, stablePool.address, 200_000, {
    abi: poolAbi,
    functionName: "collectProtocol",
    args: [owner, all, all]
  })
}

/** How much the bots trade in a block, and what they know. */
export interface PlanOptions {
  /** The activity, as an integer multiple of the usual. */
  readonly activity: number
  /**
   * Whether the previous block is unknown. There is then no arbitrage, which would repeat the one of the previous
   * block.
   */
  readonly blind: boolean
}

/** Plans the transactions of all bots for the next block. */
export const plan = (
  deployment: Deployment,
  before: MarketState,
  draws: RandomDraws,
  { activity, blind }: PlanOptions
): Plan => {
  const state = stepPrices(before, draws)
  const view: View = { deployment, state, prices: getPrices(state), draws }
  const transactions: Array<Transaction> = []
  const busy: Array<bigint> = []
  const own = [...state.positions.values()].filter(({ owner }) => owner !== deployment.cast.owner)
  for (let left = Math.floor(draws.between(1, 5)) * activity; left > 0; left--) transactions.push(planRandomSwap(view))
  if (!blind) transactions.push(...planArbitrage(view))
  for (let turn = 0; turn < activity; turn++) {
    if (draws.chance(0.15) && own.length < enoughPositions) transactions.push(planMint(view))
    const free = own.filter(({ tokenId }) => !busy.includes(tokenId))
    if (draws.chance(0.35) && isNonEmpty(free)) {
      const position = draws.pick(free)
      const change = planPositionChange(view, position)
      if (change !== undefined) transactions.push(change)
      busy.push(position.tokenId)
    }
    if (draws.chance(0.08)) transactions.push(planFlashLoan(view))
    if (draws.chance(0.01)) transactions.push(planProtocolFeeCollection(view))
  }
  const { algebra, cast, pancakeswap, uniswapV2 } = deployment
  const others = { cast, state, prices: view.prices, firstPrices: getPrices(emptyState), draws }
  if (pancakeswap !== undefined) transactions.push(...planPancake({ ...others, pancakeswap }, activity, blind))
  if (uniswapV2 !== undefined) transactions.push(...planPairs({ ...others, uniswapV2 }, activity, blind))
  if (algebra !== undefined) transactions.push(...planAlgebra({ ...others, algebra }, activity, blind))
  return { transactions, drift: state.drift, busy }
}
