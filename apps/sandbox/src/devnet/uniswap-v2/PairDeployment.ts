import { encodePacked, getContractAddress, getCreate2Address, keccak256 } from "viem/utils"
import { ascending, type Deployment, type DevnetPair, lowerCase, type PairDeployment } from "../contracts/Deployment.ts"
import type { TokenSymbol } from "../contracts/Tokens.ts"

/** Hash of the creation code of a pair, a constant of the published contracts. */
const pairCodeHash = "0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f"

interface PairListing {
  readonly tokens: readonly [TokenSymbol, TokenSymbol]
  readonly usd: number
}

/** In the order of creation. */
const stableListing: PairListing = { tokens: ["USDC", "WETH"], usd: 30e6 }
const otherListings: ReadonlyArray<PairListing> = [
  { tokens: ["WBTC", "WETH"], usd: 20e6 },
  { tokens: ["DAI", "USDC"], usd: 10e6 },
  { tokens: ["MOSS", "WETH"], usd: 2e6 }
]

/** The addresses of the contracts that the owner deploys from its transaction with this nonce on. */
export const getPairDeployment = ({ cast, tokens }: Deployment, nonce: bigint): PairDeployment => {
  const create = (offset: bigint) => lowerCase(getContractAddress({ from: cast.owner, nonce: nonce + offset }))
  const factory = create(0n)
  const toPair = ({ tokens: [a, b], usd }: PairListing): DevnetPair => {
    const [token0, token1] = ascending(tokens[a], tokens[b])
    const salt = keccak256(encodePacked(["address", "address"], [token0.address, token1.address]))
    const address = lowerCase(getCreate2Address({ from: factory, salt, bytecodeHash: pairCodeHash }))
    return { address, token0, token1, usd }
  }
  const stablePool = toPair(stableListing)
  return { factory, trader: create(1n), pairs: [stablePool, ...otherListings.map(toPair)], stablePool }
}
