import { decodePairCreated, decodePairLog, isSupplyChange, pairTopics } from "../decode/PairLogDecoder.ts"
import { pairState } from "../decode/PoolState.ts"
import type { Protocol } from "./Protocol.ts"

const { PairCreated, Transfer: _, ...ofPair } = pairTopics

/** Uniswap V2, and its forks: the configuration states the fee of those that have another one. */
export const uniswapV2: Protocol = {
  factoryCalls: ["0x574f2ba3", "0x094b7415"], // allPairsLength(), feeToSetter()
  factoryTopics: [PairCreated],
  poolTopics: Object.values(ofPair),
  isCompanion: isSupplyChange,
  decodeFactoryLog: decodePairCreated,
  decodePoolLog: decodePairLog,
  state: pairState,
  isConcentrated: false,
  hasOwner: false,
  protocolFee: undefined,
  fee: 3000
}
