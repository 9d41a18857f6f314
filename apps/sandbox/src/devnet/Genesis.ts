import { Effect } from "effect"
import { readBytecode, readPancakeBytecode } from "./contracts/Bytecode.ts"
import { cast, type Deployment, getDeployment } from "./contracts/Deployment.ts"
import { stablecoinSymbols, type TokenSymbol, whitelistSymbols } from "./contracts/Tokens.ts"
import { getPancakeDeployment } from "./pancakeswap/PancakeDeployment.ts"
import { pancakeSetup } from "./pancakeswap/PancakeSetup.ts"
import { pack, setupTransactions } from "./Setup.ts"
import { getPrices } from "./trading/Bots.ts"
import { emptyState } from "./trading/MarketState.ts"

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

export const deployment = getDeployment(cast)
const addresses = (symbols: ReadonlyArray<TokenSymbol>) => symbols.map((symbol) => deployment.tokens[symbol].address)

export const toDevnetConfig = ({ factory, stablePool }: Pick<Deployment, "factory" | "stablePool">): DevnetConfig => ({
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
export const makeGenesis = Effect.fnUntraced(function* (hasPancakeswap: boolean) {
  const prices = getPrices(emptyState)
  const bytecode = yield* readBytecode
  const setup = setupTransactions(deployment, bytecode, prices)
  if (!hasPancakeswap) return { deployment, blocks: pack(setup) }
  const nonce = setup.filter(({ from }) => from === cast.owner).length
  const pancakeswap = getPancakeDeployment(deployment, BigInt(nonce))
  const added = pancakeSetup(deployment, pancakeswap, yield* readPancakeBytecode, bytecode.own, prices)
  return { deployment: { ...deployment, pancakeswap }, blocks: pack([...setup, ...added]) }
})
