import type { Address, Hex } from "viem"
import { encodeFunctionData, encodePacked } from "viem/utils"
import { routerAbi } from "../contracts/Abi.ts"
import type { Deployment, DevnetPool, DevnetToken } from "../contracts/Deployment.ts"
import { type Prices, toRaw } from "../market/Price.ts"
import { deadline, type Transaction } from "../node/Transaction.ts"

/** A route through one or more pools: each hop names the pool and the output token. */
export interface SwapRoute {
  readonly input: DevnetToken
  readonly hops: readonly [Hop, ...Array<Hop>]
}

export interface Hop {
  readonly pool: DevnetPool
  readonly output: DevnetToken
}

export interface SwapWish {
  readonly trader: Address
  readonly route: SwapRoute
  readonly usd: number
  /** Which of the two amounts is specified. */
  readonly exact: "input" | "output"
}

const path = ({
  hops,
  input
}: SwapRoute): { readonly forward: Hex; readonly backward: Hex; readonly output: DevnetToken } => {
  let forward: Hex = input.address
  let backward: Hex = input.address
  let output = input
  for (const hop of hops) {
    const fee = encodePacked(["uint24"], [hop.pool.fee]).slice(2)
    forward = `${forward}${fee}${hop.output.address.slice(2)}`
    backward = `${hop.output.address}${fee}${backward.slice(2)}`
    output = hop.output
  }
  return { forward, backward, output }
}

const encodeSingle = (prices: Prices, { exact, route, trader, usd }: SwapWish): Hex => {
  const { output, pool } = route.hops[0]
  const shared = {
    tokenIn: route.input.address,
    tokenOut: output.address,
    fee: pool.fee,
    recipient: trader,
    deadline,
    sqrtPriceLimitX96: 0n
  }
  return exact === "input"
    ? encodeFunctionData({
        abi: routerAbi,
        functionName: "exactInputSingle",
        args: [{ ...shared, amountIn: toRaw(route.input, prices, usd), amountOutMinimum: 0n }]
      })
    : encodeFunctionData({
        abi: routerAbi,
        functionName: "exactOutputSingle",
        args: [
          { ...shared, amountOut: toRaw(output, prices, usd), amountInMaximum: toRaw(route.input, prices, usd * 2) }
        ]
      })
}

const encodePath = (prices: Prices, { exact, route, trader, usd }: SwapWish): Hex => {
  const { backward, forward, output } = path(route)
  return exact === "input"
    ? encodeFunctionData({
        abi: routerAbi,
        functionName: "exactInput",
        args: [
          {
            path: forward,
            recipient: trader,
            deadline,
            amountIn: toRaw(route.input, prices, usd),
            amountOutMinimum: 0n
          }
        ]
      })
    : encodeFunctionData({
        abi: routerAbi,
        functionName: "exactOutput",
        args: [
          {
            path: backward,
            recipient: trader,
            deadline,
            amountOut: toRaw(output, prices, usd),
            amountInMaximum: toRaw(route.input, prices, usd * 2)
          }
        ]
      })
}

/** A swap through the router. */
export const swap = (deployment: Deployment, prices: Prices, wish: SwapWish): Transaction => ({
  from: wish.trader,
  to: deployment.router,
  data: wish.route.hops.length === 1 ? encodeSingle(prices, wish) : encodePath(prices, wish),
  gas: 400_000 * wish.route.hops.length
})
