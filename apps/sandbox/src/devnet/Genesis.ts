import { Effect } from "effect"
import { getAlgebraDeployment } from "./algebra/AlgebraDeployment.ts"
import { algebraSetup } from "./algebra/AlgebraSetup.ts"
import { readAlgebraBytecode, readBytecode, readPancakeBytecode, readUniswapV2Factory } from "./contracts/Bytecode.ts"
import { type AlgebraRelease, cast, type Deployment, getDeployment } from "./contracts/Deployment.ts"
import { stablecoinSymbols, type TokenSymbol, whitelistSymbols } from "./contracts/Tokens.ts"
import { emptyState } from "./market/MarketState.ts"
import { getPancakeDeployment } from "./pancakeswap/PancakeDeployment.ts"
import { pancakeSetup } from "./pancakeswap/PancakeSetup.ts"
import { pack, setupTransactions } from "./Setup.ts"
import { getPrices } from "./trading/Bots.ts"
import { getPairDeployment } from "./uniswap-v2/PairDeployment.ts"
import { pairSetup } from "./uniswap-v2/PairSetup.ts"

/** The configuration of an indexer of the devnet. All addresses are in lower case. */
export interface DevnetConfig {
  readonly factory: string
  readonly referenceToken: string
  readonly stablePool: string
  readonly whitelist: ReadonlyArray<string>
  readonly stablecoins: ReadonlyArray<string>
  /** In the native coin. */
  readonly minimumNativeLocked: string
  /** The block of the factory. */
  readonly startBlock: number
}

/** The exchanges of a devnet besides Uniswap V3, each with bots of its own. Default none. */
export interface FurtherExchanges {
  readonly pancakeswap?: boolean
  readonly uniswapV2?: boolean
  readonly algebra?: AlgebraRelease
}

export const deployment = getDeployment(cast)
const addresses = (symbols: ReadonlyArray<TokenSymbol>) => symbols.map((symbol) => deployment.tokens[symbol].address)

export const toDevnetConfig = ({
  factory,
  stablePool
}: Pick<Deployment, "factory"> & { readonly stablePool: { readonly address: string } }): DevnetConfig => ({
  factory,
  referenceToken: deployment.tokens.WETH.address,
  stablePool: stablePool.address,
  whitelist: addresses(whitelistSymbols),
  stablecoins: addresses(stablecoinSymbols),
  minimumNativeLocked: "20",
  startBlock: 1
})

/** Equal for every devnet. */
export const devnetConfig: DevnetConfig = toDevnetConfig(deployment)

/** The first transactions, and the deployment that they make. */
export const makeGenesis = Effect.fnUntraced(function* (wanted: FurtherExchanges) {
  const prices = getPrices(emptyState)
  const bytecode = yield* readBytecode
  const transactions = [...setupTransactions(deployment, bytecode, prices)]
  let made = deployment
  const nextNonce = () => BigInt(transactions.filter(({ from }) => from === cast.owner).length)
  if (wanted.pancakeswap) {
    const pancakeswap = getPancakeDeployment(deployment, nextNonce())
    transactions.push(...pancakeSetup(deployment, pancakeswap, yield* readPancakeBytecode, bytecode.own, prices))
    made = { ...made, pancakeswap }
  }
  if (wanted.uniswapV2) {
    const uniswapV2 = getPairDeployment(deployment, nextNonce())
    transactions.push(...pairSetup(deployment, uniswapV2, yield* readUniswapV2Factory, bytecode.own, prices))
    made = { ...made, uniswapV2 }
  }
  if (wanted.algebra !== undefined) {
    const algebra = getAlgebraDeployment(deployment, wanted.algebra, nextNonce())
    const published = yield* readAlgebraBytecode(wanted.algebra)
    transactions.push(...algebraSetup(deployment, algebra, published, bytecode.own, prices))
    made = { ...made, algebra }
  }
  return { deployment: made, blocks: pack(transactions) }
})
