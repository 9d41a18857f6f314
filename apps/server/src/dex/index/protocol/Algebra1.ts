import { toPosition } from "../decode/ChainEvents.ts"
import { encodeCall, selectors } from "../decode/ContractCall.ts"
import { decodeAddressTopic, hasShape } from "../decode/LogWords.ts"
import { decodeFactory, decodePool, topics } from "./AlgebraEvents.ts"
import { toAlgebraState } from "./AlgebraState.ts"
import type { Protocol } from "./Protocol.ts"

const { OwnershipTransferred: _, Pool, ...ofPool } = topics

/** `Owner(address)`. */
const Owner = "0xa5e220c2c27d986cc8efeafa8f34ba6ea6bf96a34e146b29b6bdd8587771b130"

/** The pools of `@cryptoalgebra/v1-core` 1.0.0. */
export const algebra1: Protocol = {
  factoryCalls: [encodeCall(selectors.poolByPair, 0, 0), selectors.baseFeeConfiguration],
  factoryTopics: [Pool, Owner],
  poolTopics: Object.values(ofPool),
  decodeFactoryLog: (log) =>
    log.topics[0] === Owner && hasShape(log, 2, 0)
      ? { ...toPosition(log), event: "OwnerChanged", newOwner: decodeAddressTopic(log.topics[1]) }
      : decodeFactory(log),
  decodePoolLog: decodePool,
  state: toAlgebraState({
    words: 4,
    read: ([sqrtPrice, tick, fee, observationIndex]) => ({ sqrtPrice, tick, fee, observationIndex }),
    hasBalances: true
  }),
  isConcentrated: true,
  hasOwner: true,
  protocolFee: undefined,
  fee: 100 // `Constants.BASE_FEE`
}
