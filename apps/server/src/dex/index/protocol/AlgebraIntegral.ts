import { toPoolPosition } from "../decode/ChainEvents.ts"
import type { ChainLog, PoolEvent, SwapFees } from "../decode/ChainEvents.ts"
import { encodeCall, selectors } from "../decode/ContractCall.ts"
import { hasShape, decodeUint256 } from "../decode/LogWords.ts"
import { decodeFactory, decodePool, toPoolCreated, topics as ofAlgebra } from "./AlgebraEvents.ts"
import { toAlgebraState } from "./AlgebraState.ts"
import type { Protocol } from "./Protocol.ts"
import { getPosition, getSwap } from "./UniswapV3.ts"

const topics = {
  /** A further pool of two tokens, by a deployer of its own. */
  CustomPool: "0x8a5f030f5fc13b04a1e4ef7c47177e3d76b0e80e1d9be9843db37caa5b7b9b8f",
  /** Precedes the Swap that pays these fees. */
  SwapFee: "0x9443903d84c9719611bd4bba871daaf18a3950d00d5d78b1a2fa701f76df54ff",
  ExcessTokens: "0xef10ebb00f0dbc72ad4602e94abbbda6f3d40632714f70e9c8fa30d5d44289c9",
  /** Up to 1.2.2: the fees of a swap in its own log, and those of a burn. */
  SwapWithFees: "0x121cb44ee54098b1a04743c487e7460d8dd429b27f88b1f4d4767396e1a59f79",
  BurnWithFee: "0x932214d4a69c27c086643126ed97c32681da179064c678836c173f99bd13ca01"
}

const { OwnershipTransferred, Pool, ...ofPool } = ofAlgebra
const { CustomPool, ...ownOfPool } = topics

const toFees = (log: ChainLog, word: number): SwapFees => ({
  override: decodeUint256(log.data, word),
  plugin: decodeUint256(log.data, word + 1)
})

const decode = (log: ChainLog): PoolEvent | undefined => {
  switch (log.topics[0]) {
    case topics.SwapFee:
      return hasShape(log, 2, 2) ? { ...toPoolPosition(log), event: "SwapFee", fees: toFees(log, 0) } : undefined
    case topics.SwapWithFees:
      return hasShape(log, 3, 7) ? { ...getSwap(log), fees: toFees(log, 5) } : undefined
    case topics.BurnWithFee:
      return hasShape(log, 4, 4)
        ? { event: "Burn", ...getPosition(log, 1), amount: decodeUint256(log.data, 0) }
        : undefined
    case topics.ExcessTokens:
      return hasShape(log, 1, 2) ? { ...toPoolPosition(log), event: "ExcessTokens" } : undefined
    default:
      return decodePool(log)
  }
}

/** The pools of `@cryptoalgebra/integral-core` 1.2. */
export const algebraIntegral: Protocol = {
  factoryCalls: [encodeCall(selectors.poolByPair, 0, 0), "0x25b355d6"], // The second one: defaultConfigurationForPool().
  factoryTopics: [Pool, CustomPool, OwnershipTransferred],
  poolTopics: [...Object.values(ofPool), ...Object.values(ownOfPool)],
  decodeFactoryLog: (log) =>
    log.topics[0] === CustomPool && hasShape(log, 4, 1) ? toPoolCreated(log) : decodeFactory(log),
  decodePoolLog: decode,
  state: toAlgebraState({
    words: 3,
    read: ([sqrtPrice, tick, fee]) => ({ sqrtPrice, tick, fee, observationIndex: 0n })
  }),
  isConcentrated: true,
  hasOwner: true,
  protocolFee: undefined,
  fee: 0 // Until a pool is initialized, with a Fee.
}
