import type { Hex } from "viem"
import { encodeDeployData, encodeFunctionData } from "viem/utils"
import type { Bytecode, PancakeBytecode } from "../contracts/Bytecode.ts"
import type { Deployment, DevnetPool, PancakeDeployment } from "../contracts/Deployment.ts"
import { fairSqrtPrice, fairTick, type Prices, toBound, toLiquidity } from "../market/Price.ts"
import { fundTrader } from "../market/TraderFunds.ts"
import type { Transaction } from "../node/Transaction.ts"
import { deployerAbi, pancakeFactoryAbi, pancakePoolAbi, traderAbi } from "./PancakeAbi.ts"

/** The creation code of a contract whose code is these bytes: it copies what follows it into memory, and returns it. */
const holding = (code: Hex): Hex => {
  const length = ((code.length - 2) / 2).toString(16).padStart(4, "0")
  return `0x61${length}80600a3d393df3${code.slice(2)}`
}

/** In the order on which `getPancakeDeployment` relies. */
const contracts = (
  { cast: { owner: from } }: Deployment,
  { creation, deployer }: PancakeDeployment,
  bytecode: PancakeBytecode,
  own: Bytecode["own"]
): ReadonlyArray<Transaction> => [
  { from, data: holding(bytecode.pool), gas: 6e6 },
  { from, data: encodeDeployData({ abi: deployerAbi, bytecode: own.PoolDeployer, args: [creation] }), gas: 1e6 },
  { from, data: encodeDeployData({ abi: pancakeFactoryAbi, bytecode: bytecode.factory, args: [deployer] }), gas: 3e6 },
  { from, data: own.PoolTrader, gas: 2e6 }
]

/** The pool, and liquidity in three ranges, as in the pools of Uniswap. */
const createPool = (
  { cast: { owner: from } }: Deployment,
  { factory, trader }: PancakeDeployment,
  pool: DevnetPool,
  prices: Prices
): ReadonlyArray<Transaction> => {
  const args = [pool.token0.address, pool.token1.address, pool.fee] as const
  const tick = fairTick(pool, prices)
  const isStable = pool.tickSpacing === 1
  const ranges = [
    { width: 2e6, part: 0.3 },
    { width: isStable ? 100 : 6000, part: 0.4 },
    { width: isStable ? 20 : 1800, part: 0.3 }
  ]
  return [
    {
      from,
      to: factory,
      data: encodeFunctionData({ abi: pancakeFactoryAbi, functionName: "createPool", args }),
      gas: 6.5e6
    },
    {
      from,
      to: pool.address,
      data: encodeFunctionData({
        abi: pancakePoolAbi,
        functionName: "initialize",
        args: [fairSqrtPrice(pool, prices)]
      }),
      gas: 200_000
    },
    {
      from,
      to: pool.address,
      data: encodeFunctionData({ abi: pancakePoolAbi, functionName: "increaseObservationCardinalityNext", args: [20] }),
      gas: 700_000
    },
    ...ranges.map(({ part, width }): Transaction => ({
      from,
      to: trader,
      data: encodeFunctionData({
        abi: traderAbi,
        functionName: "mint",
        args: [
          pool.address,
          toBound(pool, tick - width),
          toBound(pool, tick + width),
          toLiquidity(pool, prices, pool.usd * part, width)
        ]
      }),
      gas: 600_000
    }))
  ]
}

/** The owner's transactions that bring PancakeSwap V3 to the devnet: the contracts, the funds and the pools. */
export const pancakeSetup = (
  deployment: Deployment,
  pancakeswap: PancakeDeployment,
  bytecode: PancakeBytecode,
  own: Bytecode["own"],
  prices: Prices
): ReadonlyArray<Transaction> => [
  ...contracts(deployment, pancakeswap, bytecode, own),
  ...fundTrader(deployment, pancakeswap.trader, prices),
  ...pancakeswap.pools.flatMap((pool) => createPool(deployment, pancakeswap, pool, prices))
]
