import { decodeFactory, decodePool, topics } from "./AlgebraEvents.ts"
import { toAlgebraState } from "./AlgebraState.ts"
import type { Protocol } from "./Protocol.ts"

const { OwnershipTransferred, Pool, ...ofPool } = topics

/** The pools of `@cryptoalgebra/core` 3.0.0. */
export const algebra2: Protocol = {
  // poolByPair(0, 0), defaultFeeConfiguration()
  factoryCalls: [`0xd9a641e1${"0".repeat(128)}`, "0x4e09a96a"],
  factoryTopics: [Pool, OwnershipTransferred],
  poolTopics: Object.values(ofPool),
  decodeFactoryLog: decodeFactory,
  decodePoolLog: decodePool,
  state: toAlgebraState({
    words: 5,
    read: ([sqrtPrice, tick, , fee, timepointIndex]) => ({ sqrtPrice, tick, fee, timepointIndex })
  }),
  isConcentrated: true,
  hasOwner: true,
  protocolFee: undefined,
  fee: 100 // `Constants.BASE_FEE`
}
