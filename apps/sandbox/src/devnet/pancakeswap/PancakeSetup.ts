import type { Hex } from "viem"
import { encodeDeployData } from "viem/utils"
import type { Bytecode, PancakeBytecode } from "../contracts/Bytecode.ts"
import type { Deployment, DevnetPool, PancakeDeployment } from "../contracts/Deployment.ts"
import { toFirstMints } from "../market/PoolActions.ts"
import { fairSqrtPrice, type Prices } from "../market/Price.ts"
import { fundTrader } from "../market/TraderFunds.ts"
import { call, type Transaction } from "../node/Transaction.ts"
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

/** The pool, and its first liquidity. */
const createPool = (
  { cast: { owner: from } }: Deployment,
  { factory, trader }: PancakeDeployment,
  pool: DevnetPool,
  prices: Prices
): ReadonlyArray<Transaction> => {
  const args = [pool.token0.address, pool.token1.address, pool.fee] as const
  return [
    call(from, factory, 6.5e6, { abi: pancakeFactoryAbi, functionName: "createPool", args }),
    call(from, pool.address, 200_000, {
      abi: pancakePoolAbi,
      functionName: "initialize",
      args: [fairSqrtPrice(pool, prices)]
    }),
    call(from, pool.address, 700_000, {
      abi: pancakePoolAbi,
      functionName: "increaseObservationCardinalityNext",
      args: [20]
    }),
    ...toFirstMints(pool, prices).map((args) =>
      call(from, trader, 600_000, { abi: traderAbi, functionName: "mint", args })
    )
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
