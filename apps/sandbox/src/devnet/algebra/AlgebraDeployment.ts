import type { Address } from "viem"
import { encodeAbiParameters, getContractAddress, getCreate2Address, keccak256 } from "viem/utils"
import {
  type AlgebraDeployment,
  type AlgebraRelease,
  ascending,
  type Deployment,
  type DevnetPool,
  lowerCase
} from "../contracts/Deployment.ts"
import type { TokenSymbol } from "../contracts/Tokens.ts"

/** Hashes of the creation code of a pool, constants of the published contracts. */
const poolCodeHashes = {
  "1.0": "0x6ec6c9c8091d160c0aa74b2b14ba9c1717e95093bd3ac085cee99a49aab294a4",
  "2.0": "0xa360004fb86ddf4cd7fe9aa67d0c6a7f7812d9069142659003dc503e1d7d241f",
  integral: "0x62441ebe4e4315cf3d49d5957f94d66b253dbabe7006f34ad7f70947e60bf15c",
  "integral-1.2.2": "0xa18736c3ee97fe3c96c9428c0cc2a9116facec18e84f95f9da30543f8238a782"
} satisfies Record<AlgebraRelease, Address>

/** Of a new pool in each release, in millionths. */
const firstFees = { "1.0": 100, "2.0": 100, integral: 500, "integral-1.2.2": 500 } satisfies Record<
  AlgebraRelease,
  number
>

const tickSpacing = 60

interface Listing {
  readonly pair: readonly [TokenSymbol, TokenSymbol]
  /** The value of the liquidity at the start, in USD. */
  readonly usd: number
}

const stableListing: Listing = { pair: ["USDC", "WETH"], usd: 30e6 }

/** In the order of creation. */
const otherListings: ReadonlyArray<Listing> = [
  { pair: ["WBTC", "WETH"], usd: 20e6 },
  { pair: ["UNI", "WETH"], usd: 3e6 },
  { pair: ["UNI", "USDC"], usd: 2e6 }
]

/** Of the same tokens as another pool. */
const customListing: Listing = { pair: ["USDC", "WETH"], usd: 5e6 }

/** The contracts in the order of their creation: the first three of 1.0 and 2.0, and all of Integral. */
const contracts = ["factory", "deployer", "trader", "vault", "vaultFactory", "plugin"] as const

/** Of Algebra 1.0, where any account can be the vault. */
const plainVault = "0x00000000000000000000000000000000c0ffee04"

/** The addresses of the contracts that the owner deploys from its transaction with this nonce on. */
export const getAlgebraDeployment = (
  { cast, tokens }: Deployment,
  release: AlgebraRelease,
  nonce: bigint
): AlgebraDeployment => {
  const create = (name: (typeof contracts)[number]) =>
    lowerCase(getContractAddress({ from: cast.owner, nonce: nonce + BigInt(contracts.indexOf(name)) }))
  const [factory, deployer] = [create("factory"), create("deployer")]
  const toPool = ({ pair: [a, b], usd }: Listing, customDeployer: ReadonlyArray<Address> = []): DevnetPool => {
    const [token0, token1] = ascending(tokens[a], tokens[b])
    const words = [...customDeployer, token0.address, token1.address]
    const salt = keccak256(
      encodeAbiParameters(
        words.map(() => ({ type: "address" })),
        words
      )
    )
    const address = lowerCase(getCreate2Address({ from: deployer, salt, bytecodeHash: poolCodeHashes[release] }))
    return { address, token0, token1, fee: firstFees[release], tickSpacing, usd }
  }
  const stablePool = toPool(stableListing)
  const others = otherListings.map((listing) => toPool(listing))
  const shared = { release, factory, deployer, trader: create("trader"), stablePool }
  if (release === "1.0" || release === "2.0") {
    // The factory of 2.0 creates the vault.
    const vault = release === "1.0" ? plainVault : lowerCase(getContractAddress({ from: factory, nonce: 1n }))
    return { ...shared, vault, pools: [stablePool, ...others] }
  }
  const plugin = create("plugin")
  const customPool = toPool(customListing, [plugin])
  return {
    ...shared,
    vault: create("vault"),
    integral: { vaultFactory: create("vaultFactory"), plugin, customPool },
    pools: [stablePool, ...others, customPool]
  }
}
