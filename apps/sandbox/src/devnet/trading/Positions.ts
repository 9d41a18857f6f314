import type { Address } from "viem"
import { encodeFunctionData } from "viem/utils"
import { positionsAbi } from "../contracts/Abi.ts"
import type { Deployment, DevnetPool } from "../contracts/Deployment.ts"
import type { Position } from "../market/MarketState.ts"
import { type Prices, toRaw } from "../market/Price.ts"
import { call, deadline, type Transaction } from "../node/Transaction.ts"

const everything = 2n ** 128n - 1n

/** Half of the value in each token. A range beside the price uses only one of them. */
const halves = (pool: DevnetPool, prices: Prices, usd: number) => ({
  amount0Desired: toRaw(pool.token0, prices, usd / 2),
  amount1Desired: toRaw(pool.token1, prices, usd / 2),
  amount0Min: 0n,
  amount1Min: 0n,
  deadline
})

/** Opens a position. */
export const mintPosition = (
  deployment: Deployment,
  prices: Prices,
  wish: {
    readonly pool: DevnetPool
    readonly owner: Address
    readonly lower: number
    readonly upper: number
    readonly usd: number
  }
): Transaction =>
  call(wish.owner, deployment.positions, 900_000, {
    abi: positionsAbi,
    functionName: "mint",
    args: [
      {
        token0: wish.pool.token0.address,
        token1: wish.pool.token1.address,
        fee: wish.pool.fee,
        tickLower: wish.lower,
        tickUpper: wish.upper,
        recipient: wish.owner,
        ...halves(wish.pool, prices, wish.usd)
      }
    ]
  })

/** Adds to a position. */
export const increasePosition = (
  deployment: Deployment,
  prices: Prices,
  wish: { readonly pool: DevnetPool; readonly owner: Address; readonly tokenId: bigint; readonly usd: number }
): Transaction =>
  call(wish.owner, deployment.positions, 500_000, {
    abi: positionsAbi,
    functionName: "increaseLiquidity",
    args: [{ tokenId: wish.tokenId, ...halves(wish.pool, prices, wish.usd) }]
  })

const decrease = (tokenId: bigint, liquidity: bigint) =>
  ({
    abi: positionsAbi,
    functionName: "decreaseLiquidity",
    args: [{ tokenId, liquidity, amount0Min: 0n, amount1Min: 0n, deadline }]
  }) as const

const collect = (tokenId: bigint, recipient: Address) =>
  ({
    abi: positionsAbi,
    functionName: "collect",
    args: [{ tokenId, recipient, amount0Max: everything, amount1Max: everything }]
  }) as const

/** Collects the fees of a position. */
export const collectPosition = (deployment: Deployment, owner: Address, tokenId: bigint): Transaction =>
  call(owner, deployment.positions, 400_000, collect(tokenId, owner))

/** Removes a part of the liquidity and leaves the tokens in the pool, to be collected later. */
export const decreasePosition = (
  deployment: Deployment,
  owner: Address,
  { liquidity, tokenId }: Position
): Transaction => call(owner, deployment.positions, 400_000, decrease(tokenId, liquidity / 3n + 1n))

/** Removes all liquidity and collects it, in one transaction. */
export const closePosition = (
  deployment: Deployment,
  owner: Address,
  { liquidity, tokenId }: Position
): Transaction => {
  const calls = [
    encodeFunctionData(decrease(tokenId, liquidity)),
    encodeFunctionData(collect(tokenId, owner)),
    encodeFunctionData({ abi: positionsAbi, functionName: "burn", args: [tokenId] })
  ]
  return call(owner, deployment.positions, 700_000, { abi: positionsAbi, functionName: "multicall", args: [calls] })
}
