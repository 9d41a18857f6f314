import { Record } from "effect"
import type { Address, Hex } from "viem"
import { encodeAbiParameters, getContractAddress, getCreate2Address, keccak256 } from "viem/utils"
import {
  type PoolListing,
  poolListings,
  stablePoolListing,
  tickSpacings,
  type TokenListing,
  tokenListings
} from "./Tokens.ts"
import type { TokenSymbol } from "./Tokens.ts"

export interface DevnetToken extends TokenListing {
  /** In lower case. */
  readonly address: Address
}

export interface DevnetPool {
  /** In lower case. */
  readonly address: Address
  readonly token0: DevnetToken
  readonly token1: DevnetToken
  /** In millionths. */
  readonly fee: number
  readonly tickSpacing: number
  /** The value of the liquidity at the start, in USD. */
  readonly usd: number
}

/** The accounts of the devnet. anvil has their keys. */
export interface Cast {
  /** Deploys everything, owns the factory and holds the liquidity that is never removed. */
  readonly owner: Address
  readonly providers: readonly [Address, ...Array<Address>]
  readonly traders: readonly [Address, ...Array<Address>]
}

/** The contract addresses, which follow from the owner's address and the order of the owner's first transactions. */
export interface Deployment {
  readonly cast: Cast
  readonly factory: Address
  readonly router: Address
  readonly positions: Address
  readonly borrower: Address
  readonly tokens: Readonly<Record<TokenSymbol, DevnetToken>>
  readonly pools: readonly [DevnetPool, ...Array<DevnetPool>]
  readonly stablePool: DevnetPool
  // Further exchanges: absent if the devnet lacks them.
  readonly pancakeswap?: PancakeDeployment
  readonly uniswapV2?: PairDeployment
  readonly algebra?: AlgebraDeployment
}

/** A pool of Uniswap V2, which has no ticks. Its fee is 0.3 %. */
export type DevnetPair = Pick<DevnetPool, "address" | "token0" | "token1" | "usd">

/** The contracts of Uniswap V2, with the same tokens. */
export interface PairDeployment {
  readonly factory: Address
  /** Swaps and holds LP tokens for the bots, with its own balance. */
  readonly trader: Address
  readonly pairs: readonly [DevnetPair, ...Array<DevnetPair>]
  readonly stablePool: DevnetPair
}

/** A published release: Algebra 1.0, 2.0, or Integral as it is now or with the fees of a swap in its own log. */
export type AlgebraRelease = "1.0" | "2.0" | "integral" | "integral-1.2.2"

/** The contracts of Algebra, with the same tokens. */
export interface AlgebraDeployment {
  readonly release: AlgebraRelease
  readonly factory: Address
  readonly deployer: Address
  /** Receives the community's part of the fees. */
  readonly vault: Address
  /** Swaps and holds positions for the bots, with its own balance. */
  readonly trader: Address
  /** Absent for 1.0 and 2.0. */
  readonly integral?: {
    readonly vaultFactory: Address
    /** Sets the fees of swaps, and deploys a pool of its own. */
    readonly plugin: Address
    readonly customPool: DevnetPool
  }
  readonly pools: readonly [DevnetPool, ...Array<DevnetPool>]
  readonly stablePool: DevnetPool
}

/** The contracts of PancakeSwap V3, with the same tokens. */
export interface PancakeDeployment {
  /** Holds the creation code of a pool as its code. */
  readonly creation: Address
  readonly deployer: Address
  readonly factory: Address
  /** Swaps and holds positions for the bots, with its own balance. */
  readonly trader: Address
  readonly pools: readonly [DevnetPool, ...Array<DevnetPool>]
  readonly stablePool: DevnetPool
}

/** Hash of the creation code of a Uniswap V3 pool, a constant of the published contracts. */
const poolCodeHash = "0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54"

export const lowerCase = (address: Address): Address => `0x${address.slice(2).toLowerCase()}`

export const ascending = (a: DevnetToken, b: DevnetToken) =>
  a.address < b.address ? ([a, b] as const) : ([b, a] as const)

/** The pool that an account creates with the creation code of this hash. */
export const poolAt = (
  { codeHash, from }: { readonly codeHash: Hex; readonly from: Address },
  tokens: Deployment["tokens"],
  listing: Omit<PoolListing, "fee"> & { readonly fee: number; readonly tickSpacing: number }
): DevnetPool => {
  const {
    fee,
    pair: [a, b],
    tickSpacing,
    usd
  } = listing
  const [token0, token1] = ascending(tokens[a], tokens[b])
  const salt = keccak256(
    encodeAbiParameters(
      [{ type: "address" }, { type: "address" }, { type: "uint24" }],
      [token0.address, token1.address, fee]
    )
  )
  const address = lowerCase(getCreate2Address({ from, salt, bytecodeHash: codeHash }))
  return { address, token0, token1, fee, tickSpacing, usd }
}

/** The first seven accounts of anvil; the last three are free for users of the devnet. */
export const cast: Cast = {
  owner: "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
  providers: ["0x70997970c51812dc3a010c7d01b50e0d17dc79c8", "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc"],
  traders: [
    "0x90f79bf6eb2c4f870365e785982e1f101e93b906",
    "0x15d34aaf54267db7d7c367839aaf71a00a2c6a65",
    "0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc",
    "0x976ea74026e726554db657fa54763abd0c3a0aa9"
  ]
}

export const everyone = ({ owner, providers, traders }: Cast): ReadonlyArray<Address> => [
  owner,
  ...providers,
  ...traders
]

export const getDeployment = (cast: Cast): Deployment => {
  const create = (nonce: bigint) => lowerCase(getContractAddress({ from: cast.owner, nonce }))
  const symbols = Record.keys(tokenListings)
  const tokens = Record.map(tokenListings, (listing, symbol): DevnetToken => ({
    ...listing,
    address: symbol === "WETH" ? create(1n) : create(BigInt(4 + symbols.indexOf(symbol)))
  }))
  const factory = create(0n)
  const [first, ...others] = poolListings
  const toPool = (listing: PoolListing) =>
    poolAt({ from: factory, codeHash: poolCodeHash }, tokens, { ...listing, tickSpacing: tickSpacings[listing.fee] })
  return {
    cast,
    factory,
    router: create(2n),
    positions: create(3n),
    borrower: create(4n),
    tokens,
    pools: [toPool(first), ...others.map(toPool)],
    stablePool: toPool(stablePoolListing)
  }
}
