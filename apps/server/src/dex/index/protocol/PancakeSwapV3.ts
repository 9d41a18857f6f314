import type { ChainLog, PoolEvent } from "../decode/ChainEvents.ts"
import { encodeCall, selectors } from "../decode/ContractCall.ts"
import { hasShape, decodeUint256 } from "../decode/LogWords.ts"
import { concentratedState } from "../decode/PoolState.ts"
import type { Protocol } from "./Protocol.ts"
import { decodeFactoryLog, decodePoolLog, getSwap, toFeeProtocol, topics as ofUniswap } from "./UniswapV3.ts"

/** The events that differ from those of Uniswap V3. */
const topics = {
  /** With two more words: the protocol's parts of the fees. */
  Swap: "0x19b47279256b2a23a1665c810c8d55a1758940ee09377d4f8d26497a3577dc83",
  /** With numbers of 32 bits. */
  SetFeeProtocol: "0xb3159fed3ddfba67bae294599eafe2d0ec98c08bb38e0e5fb87d33154b6e05aa"
}

const { OwnerChanged, PoolCreated, ...ofPool } = { ...ofUniswap, ...topics }

const decode = (log: ChainLog): PoolEvent | undefined => {
  switch (log.topics[0]) {
    case topics.Swap:
      return hasShape(log, 3, 7)
        ? { ...getSwap(log), protocolFee0: decodeUint256(log.data, 5), protocolFee1: decodeUint256(log.data, 6) }
        : undefined
    case topics.SetFeeProtocol:
      return toFeeProtocol(log, 8)
    case ofUniswap.Swap:
    case ofUniswap.SetFeeProtocol:
      return undefined
    default:
      return decodePoolLog(log)
  }
}

/** A pool states a share in 1/10,000 (`PROTOCOL_FEE_DENOMINATOR` of `PancakeV3Pool`). */
const whole = 10_000n

/** No event states the share of a new pool: `PancakeV3Pool.initialize` sets it by the fee. */
const initial = (fee: bigint): number => {
  if (fee === 100n) return 3300
  return fee === 500n ? 3400 : 3200
}

export const pancakeSwapV3 = {
  // The second one: feeAmountTickSpacingExtraInfo(500).
  factoryCalls: [encodeCall(selectors.feeAmountTickSpacing, 500), encodeCall("0x88e8006d", 500)],
  factoryTopics: [PoolCreated, OwnerChanged],
  poolTopics: Object.values(ofPool),
  decodeFactoryLog,
  decodePoolLog: decode,
  state: concentratedState,
  isConcentrated: true,
  hasOwner: true,
  protocolFee: { radix: 65_536, initial, toShare: (number) => ({ part: BigInt(number), of: whole }) }
} satisfies Protocol
