import { encodeCall, selectors } from "../decode/ContractCall.ts"
import { decodeFactoryLog, decodePoolLog, topics } from "../decode/LogDecoder.ts"
import { concentratedState } from "../decode/PoolState.ts"
import { noShare } from "./Protocol.ts"
import type { Protocol, ProtocolShare } from "./Protocol.ts"

/** A number n from 4 to 10 is the share 1 / n, 0 is none (`UniswapV3Pool.setFeeProtocol`). */
const shares = Array.from({ length: 16 }, (_, number): ProtocolShare =>
  number === 0 ? noShare : { part: 1n, of: BigInt(number) }
)

const { OwnerChanged, PoolCreated, ...ofPool } = topics

export const uniswapV3 = {
  factoryCalls: [encodeCall(selectors.feeAmountTickSpacing, 500)],
  factoryTopics: [PoolCreated, OwnerChanged],
  poolTopics: Object.values(ofPool),
  decodeFactoryLog,
  decodePoolLog,
  state: concentratedState,
  isConcentrated: true,
  hasOwner: true,
  protocolFee: { radix: 16, initial: () => 0, toShare: (number) => shares[number] ?? noShare }
} satisfies Protocol
