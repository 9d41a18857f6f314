import { getContractAddress } from "viem/utils"
import { type Deployment, lowerCase, type PancakeDeployment, poolAt } from "../contracts/Deployment.ts"

/** Hash of the creation code of a pool, a constant of the published contracts. */
const poolCodeHash = "0x6ce8eb472fa82df5469c6ab6d485f17c3ad13c8cd7af59b3d4a8026c5ce0f7e2"

const tickSpacings = { 100: 1, 500: 10, 2500: 50, 10_000: 200 } as const

/** One pool of each fee, so that each share of the protocol occurs. In the order of creation. */
const stablePool = { pair: ["USDC", "WETH"], fee: 500, usd: 30e6 } as const
const otherPools = [
  { pair: ["WBTC", "WETH"], fee: 2500, usd: 20e6 },
  { pair: ["DAI", "USDC"], fee: 100, usd: 15e6 },
  { pair: ["UNI", "WETH"], fee: 10_000, usd: 3e6 }
] as const

/**
 * The addresses of the contracts that the owner deploys from its transaction with this nonce on: the creation code of a
 * pool, the deployer, the factory and the trader.
 */
export const getPancakeDeployment = ({ cast, tokens }: Deployment, nonce: bigint): PancakeDeployment => {
  const create = (offset: bigint) => lowerCase(getContractAddress({ from: cast.owner, nonce: nonce + offset }))
  const deployer = create(1n)
  const toPool = (listing: typeof stablePool | (typeof otherPools)[number]) =>
    poolAt({ from: deployer, codeHash: poolCodeHash }, tokens, { ...listing, tickSpacing: tickSpacings[listing.fee] })
  const first = toPool(stablePool)
  return {
    creation: create(0n),
    deployer,
    factory: create(2n),
    trader: create(3n),
    pools: [first, ...otherPools.map(toPool)],
    stablePool: first
  }
}
