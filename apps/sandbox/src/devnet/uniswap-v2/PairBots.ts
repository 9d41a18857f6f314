import type { Cast, DevnetPair, PairDeployment } from "../contracts/Deployment.ts"
import type { MarketState } from "../market/MarketState.ts"
import { type Prices, toRaw } from "../market/Price.ts"
import type { RandomDraws } from "../market/RandomDraws.ts"
import { call, type Transaction } from "../node/Transaction.ts"
import { pairFactoryAbi, pairTraderAbi } from "./PairAbi.ts"

/** On what the bots decide. */
export interface PairView {
  readonly cast: Cast
  readonly uniswapV2: PairDeployment
  readonly state: MarketState
  readonly prices: Prices
  readonly draws: RandomDraws
}

const noAccount = "0x0000000000000000000000000000000000000000"

/** The receiver of the protocol's part of the fees, when they are on. */
const feeTo = "0x00000000000000000000000000000000c0ffee04"

/** Sender, contract and gas of a call that a bot sends to the trader. */
const toTrader = ({ cast, draws, uniswapV2 }: PairView) =>
  [draws.pick(cast.traders), uniswapV2.trader, 350_000] as const

const swap = (view: PairView, pair: DevnetPair, isDown: boolean, amount: bigint): Transaction =>
  call(...toTrader(view), { abi: pairTraderAbi, functionName: "swap", args: [pair.address, isDown, amount] })

const planRandomSwap = (view: PairView): Transaction => {
  const { draws, prices, uniswapV2 } = view
  const pair = draws.pick(uniswapV2.pairs)
  const usd = pair.usd * 1e-4 * Math.exp(draws.normal() * 0.8)
  const isDown = draws.chance(0.5)
  return swap(view, pair, isDown, toRaw(isDown ? pair.token0 : pair.token1, prices, usd))
}

/** Swaps that move each pair to the fair price, if that is worth the fee. They keep the product of the reserves. */
const planArbitrage = (view: PairView): ReadonlyArray<Transaction> =>
  view.uniswapV2.pairs.flatMap((pair) => {
    const { draws, prices, state } = view
    const reserves = state.pairs.get(pair.address)
    if (reserves === undefined || draws.chance(0.5)) return []
    const toUsd = ({ decimals, symbol }: DevnetPair["token0"], raw: bigint) =>
      (Number(raw) / 10 ** decimals) * prices[symbol]
    const [usd0, usd1] = [toUsd(pair.token0, reserves.reserve0), toUsd(pair.token1, reserves.reserve1)]
    const fair = Math.sqrt(usd0 * usd1)
    const isDown = usd0 < usd1
    const missing = (fair - Math.min(usd0, usd1)) * draws.between(0.6, 1)
    const amount = toRaw(isDown ? pair.token0 : pair.token1, prices, missing)
    return missing / fair < 0.003 || amount === 0n ? [] : [swap(view, pair, isDown, amount)]
  })

/** Both tokens at the price of the pair, or a little beside it: what is too much of one of them goes to all holders. */
const planMint = (view: PairView): ReadonlyArray<Transaction> => {
  const { draws, state, uniswapV2 } = view
  const pair = draws.pick(uniswapV2.pairs)
  const reserves = state.pairs.get(pair.address)
  if (reserves === undefined) return []
  const [part, excess] = [BigInt(Math.floor(draws.between(5, 100))), BigInt(draws.pick([0, 0, 1, 7]))]
  const args = [
    pair.address,
    (reserves.reserve0 * part) / 10_000n,
    (reserves.reserve1 * (part + excess)) / 10_000n
  ] as const
  return [call(...toTrader(view), { abi: pairTraderAbi, functionName: "mint", args })]
}

const planBurn = (view: PairView): Transaction => {
  const { draws, uniswapV2 } = view
  const args = [draws.pick(uniswapV2.pairs).address, BigInt(Math.floor(draws.between(1, 150)))] as const
  return call(...toTrader(view), { abi: pairTraderAbi, functionName: "burn", args })
}

const planFlashLoan = (view: PairView): Transaction => {
  const { draws, prices, uniswapV2 } = view
  const pair = draws.pick(uniswapV2.pairs)
  const usd = pair.usd * draws.between(0.001, 0.02)
  const args = [
    pair.address,
    toRaw(pair.token0, prices, usd),
    draws.chance(0.3) ? toRaw(pair.token1, prices, usd) : 0n
  ] as const
  return call(...toTrader(view), { abi: pairTraderAbi, functionName: "borrow", args })
}

/** Sends tokens to a pair, and lets it take them, or takes them back, or leaves them to the next call of the pair. */
const planDonation = (view: PairView): ReadonlyArray<Transaction> => {
  const { draws, prices, uniswapV2 } = view
  const pair = draws.pick(uniswapV2.pairs)
  const amount = toRaw(pair.token0, prices, pair.usd * draws.between(1e-5, 1e-3))
  const args = [pair.address, amount, draws.chance(0.5) ? 1n : 0n] as const
  const gift = call(...toTrader(view), { abi: pairTraderAbi, functionName: "donate", args })
  const functionName = draws.pick(["sync", "skim", "skim", undefined, undefined] as const)
  if (functionName === undefined) return [gift]
  return [gift, call(...toTrader(view), { abi: pairTraderAbi, functionName, args: [pair.address] })]
}

/** Sends LP tokens to the zero address, which no supply notices. */
const planLpTokenTransfer = (view: PairView): Transaction => {
  const { draws, uniswapV2 } = view
  const args = [draws.pick(uniswapV2.pairs).address, noAccount, 1n] as const
  return call(...toTrader(view), { abi: pairTraderAbi, functionName: "give", args })
}

/** Turns the protocol's part of the fees on or off. */
const planFeeSwitch = ({ cast, draws, uniswapV2 }: PairView): Transaction =>
  call(cast.owner, uniswapV2.factory, 100_000, {
    abi: pairFactoryAbi,
    functionName: "setFeeTo",
    args: [draws.chance(0.6) ? feeTo : noAccount]
  })

/** The transactions of the bots on Uniswap V2 for the next block. Without arbitrage if the block before is unknown. */
export const planPairs = (view: PairView, activity: number, isBlind: boolean): ReadonlyArray<Transaction> => {
  const { draws } = view
  const transactions = Array.from({ length: Math.floor(draws.between(0, 3)) * activity }, () => planRandomSwap(view))
  if (!isBlind) transactions.push(...planArbitrage(view))
  for (let turn = 0; turn < activity; turn++) {
    if (draws.chance(0.12)) transactions.push(...planMint(view))
    if (draws.chance(0.12)) transactions.push(planBurn(view))
    if (draws.chance(0.05)) transactions.push(planFlashLoan(view))
    if (draws.chance(0.15)) transactions.push(...planDonation(view))
    if (draws.chance(0.02)) transactions.push(planLpTokenTransfer(view))
    if (draws.chance(0.04)) transactions.push(planFeeSwitch(view))
  }
  return transactions
}
