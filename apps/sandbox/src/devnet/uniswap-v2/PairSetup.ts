import type { Hex } from "viem"
import { encodeDeployData } from "viem/utils"
import type { Bytecode } from "../contracts/Bytecode.ts"
import type { Deployment, DevnetPair, PairDeployment } from "../contracts/Deployment.ts"
import { type Prices, toRaw } from "../market/Price.ts"
import { fundTrader } from "../market/TraderFunds.ts"
import { call, type Transaction } from "../node/Transaction.ts"
import { pairFactoryAbi, pairTraderAbi } from "./PairAbi.ts"

/** In the order on which `getPairDeployment` relies. */
const contracts = (
  { cast: { owner: from } }: Deployment,
  factory: Hex,
  own: Bytecode["own"]
): ReadonlyArray<Transaction> => [
  { from, data: encodeDeployData({ abi: pairFactoryAbi, bytecode: factory, args: [from] }), gas: 4e6 },
  { from, data: own.PairTrader, gas: 2e6 }
]

/** The pair, and its first liquidity. */
const createPair = (
  { cast: { owner: from } }: Deployment,
  { factory, trader }: PairDeployment,
  { address, token0, token1, usd }: DevnetPair,
  prices: Prices
): ReadonlyArray<Transaction> => {
  const amounts = [toRaw(token0, prices, usd / 2), toRaw(token1, prices, usd / 2)] as const
  return [
    call(from, factory, 3.5e6, {
      abi: pairFactoryAbi,
      functionName: "createPair",
      args: [token0.address, token1.address]
    }),
    call(from, trader, 400_000, { abi: pairTraderAbi, functionName: "mint", args: [address, ...amounts] })
  ]
}

/** The owner's transactions that bring Uniswap V2 to the devnet: the contracts, the funds and the pairs. */
export const pairSetup = (
  deployment: Deployment,
  uniswapV2: PairDeployment,
  factory: Hex,
  own: Bytecode["own"],
  prices: Prices
): ReadonlyArray<Transaction> => [
  ...contracts(deployment, factory, own),
  ...fundTrader(deployment, uniswapV2.trader, prices),
  ...uniswapV2.pairs.flatMap((pair) => createPair(deployment, uniswapV2, pair, prices))
]
