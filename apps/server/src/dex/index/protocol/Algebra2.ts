import { encodeCall, selectors } from "../decode/ContractCall.ts"
import { decodeFactory, decodePool, topics } from "./AlgebraEvents.ts"
import { toAlgebraState } from "./AlgebraState.ts"
import type { Protocol } from "./Protocol.ts"

const { OwnershipTransferred, Pool, ...ofPool } = topics

/** The pools of `@cryptoalgebra/core` 3.0.0. */
export const algebra2: Protocol = {
  factoryCalls: [encodeCall(selectors.poolByPair, 0, 0), "0x4e09a96a"], // The second one: defaultFeeConfiguration().
  factoryTopics: [Pool, OwnershipTransferred],
  poolTopics: Object.values(ofPool),
  decodeFactoryLog: decodeFactory,
  decodePoolLog: decodePool,
  state: toAlgebraState({
    words: 5,
    read: ([sqrtPrice, tick, , fee, observationIndex]) => ({ sqrtPrice, tick, fee, observationIndex })
  }),
  isConcentrated: true,
  hasOwner: true,
  protocolFee: undefined,
  fee: 100 // `Constants.BASE_FEE`
}
