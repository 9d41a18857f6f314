import type { DevnetPool, Transaction } from "@chaintape/sandbox"
import { encodeFunctionData, getContractAddress, parseAbi } from "viem"
import type { Address, Hex } from "viem"
import { sqrtRatioAt } from "../../../../src/dex/index/accounting/PoolTicks.ts"
import type { makeDraws } from "./SyntheticChain.ts"

const abi = parseAbi([
  "struct Single { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amount; uint256 bound; uint160 sqrtPriceLimitX96; }",
  "struct Position { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }",
  "struct Decrease { uint256 tokenId; uint128 liquidity; uint256 amount0Min; uint256 amount1Min; uint256 deadline; }",
  "function exactInputSingle(Single swap)",
  "function exactOutputSingle(Single swap)",
  "function mint(Position position)",
  "function decreaseLiquidity(Decrease decrease)",
  "function setFeeProtocol(uint8 feeProtocol0, uint8 feeProtocol1)",
  "function increaseObservationCardinalityNext(uint16 next)",
  "function borrow(address pool, uint256 amount0, uint256 amount1)"
])

/** Deployed the contracts of the devnet, in this order, and holds the first positions. */
const owner: Address = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"
const provider: Address = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8"
const trader: Address = "0x90f79bf6eb2c4f870365e785982e1f101e93b906"
const [router, positions, borrower] = [
  getContractAddress({ from: owner, nonce: 2n }),
  getContractAddress({ from: owner, nonce: 3n }),
  getContractAddress({ from: owner, nonce: 4n })
] as const

const deadline = 2n ** 60n
const everything = 2n ** 255n

const call = (from: Address, to: Address, data: Hex, gas: number): Transaction => ({ from, to, data, gas })

export interface RoughPool extends DevnetPool {
  readonly price: bigint
  readonly tick: number
}

type Draws = ReturnType<typeof makeDraws>

/** From the smallest unit to more than a pool holds. */
const amount = (draw: Draws): bigint => BigInt(1 + draw(999_999)) * 10n ** BigInt(draw(5) === 0 ? 0 : draw(20))

/** A price limit: none, a tick's, or one beside it. */
const limit = (pool: RoughPool, isDown: boolean, draw: Draws): bigint => {
  if (draw(2) === 0) return 0n
  const distance = 1 + draw(draw(3) === 0 ? 30_000 : 300)
  const tick = pool.tick + (isDown ? -distance : distance)
  const end = draw(2) === 0 ? Math.floor(tick / pool.tickSpacing) * pool.tickSpacing : tick
  return sqrtRatioAt(Math.max(-800_000, Math.min(800_000, end))) + BigInt(draw(3) - 1)
}

const swap = (pool: RoughPool, draw: Draws): Transaction => {
  const isDown = draw(2) === 0
  const isInput = draw(2) === 0
  const args = {
    tokenIn: isDown ? pool.token0.address : pool.token1.address,
    tokenOut: isDown ? pool.token1.address : pool.token0.address,
    fee: pool.fee,
    recipient: trader,
    deadline,
    amount: amount(draw),
    bound: isInput ? 0n : everything,
    sqrtPriceLimitX96: limit(pool, isDown, draw)
  }
  const functionName = isInput ? "exactInputSingle" : "exactOutputSingle"
  return call(trader, router, encodeFunctionData({ abi, functionName, args: [args] }), 3_000_000)
}

const mint = (pool: RoughPool, draw: Draws): Transaction => {
  const bound = (tick: number) => Math.floor(tick / pool.tickSpacing) * pool.tickSpacing
  const tickLower = bound(pool.tick - draw(draw(2) === 0 ? 40_000 : 400))
  const args = {
    token0: pool.token0.address,
    token1: pool.token1.address,
    fee: pool.fee,
    tickLower: draw(3) === 0 ? tickLower + pool.tickSpacing * 20 : tickLower,
    tickUpper: bound(pool.tick + draw(draw(2) === 0 ? 40_000 : 400)) + pool.tickSpacing * 21,
    amount0Desired: amount(draw),
    amount1Desired: amount(draw),
    amount0Min: 0n,
    amount1Min: 0n,
    recipient: provider,
    deadline
  }
  return call(provider, positions, encodeFunctionData({ abi, functionName: "mint", args: [args] }), 1_000_000)
}

/** Removes a part of a position, which fails unless it is the sender's and large enough. */
const decrease = (draw: Draws): Transaction => {
  const args = {
    tokenId: BigInt(1 + draw(60)),
    liquidity: draw(6) === 0 ? 0n : 10n ** BigInt(6 + draw(16)),
    amount0Min: 0n,
    amount1Min: 0n,
    deadline
  }
  const data = encodeFunctionData({ abi, functionName: "decreaseLiquidity", args: [args] })
  return call(draw(2) === 0 ? owner : provider, positions, data, 500_000)
}

/** A block of rough activity, which the bots lack. Some of it fails. */
export const roughBlock = (pools: ReadonlyArray<RoughPool>, draw: Draws): ReadonlyArray<Transaction> =>
  Array.from({ length: 1 + draw(6) }, () => {
    const pool = pools[draw(pools.length)]
    if (pool === undefined) throw new Error("there are no pools")
    const choice = draw(12)
    const share = () => (draw(3) === 0 ? 0 : 4 + draw(7))
    if (choice < 7) return swap(pool, draw)
    if (choice === 7) return mint(pool, draw)
    if (choice === 8) return decrease(draw)
    if (choice === 9) {
      const args = [pool.address, amount(draw), draw(2) === 0 ? 0n : amount(draw)] as const
      return call(trader, borrower, encodeFunctionData({ abi, functionName: "borrow", args }), 400_000)
    }
    if (choice === 10) {
      const args = [share(), share()] as const
      return call(owner, pool.address, encodeFunctionData({ abi, functionName: "setFeeProtocol", args }), 100_000)
    }
    const args = [1 + draw(40)] as const
    const data = encodeFunctionData({ abi, functionName: "increaseObservationCardinalityNext", args })
    return call(owner, pool.address, data, 1_000_000)
  })
