import { toPoolPosition, toPosition } from "../decode/ChainEvents.ts"
import type { ChainLog, FactoryEvent, PoolEvent, Swap } from "../decode/ChainEvents.ts"
import { encodeCall, selectors } from "../decode/ContractCall.ts"
import {
  decodeAddress,
  decodeAddressTopic,
  hasShape,
  decodeInt256,
  decodeSmallUint,
  decodeTick,
  decodeTickTopic,
  decodeUint256
} from "../decode/LogWords.ts"
import { concentratedState } from "../decode/PoolState.ts"
import { noShare } from "./Protocol.ts"
import type { Protocol, ProtocolShare } from "./Protocol.ts"

/** The first topics: keccak-256 of the event signatures. */
export const topics = {
  PoolCreated: "0x783cca1c0412dd0d695e784568c96da2e9c22ff989357a2e8b1d9b2b4e6b7118",
  OwnerChanged: "0xb532073b38c83145e3e5135377a08bf9aab55bc0fd7c1179cd4fb995d2a5159c",
  Initialize: "0x98636036cb66a9c19a37435efc1e90142190214e8abeb821bdba3f2990dd4c95",
  Mint: "0x7a53080ba414158be7ec69b987b5fb7d07dee101fe85488f0853ae16239d0bde",
  Burn: "0x0c396cd989a39f4459b5fa1aed6a9a8dcdbc45908acfd67e028cd568da98982c",
  Collect: "0x70935338e69775456a85ddef226c395fb668b63fa0115f5f20610b388e6ca9c0",
  Swap: "0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67",
  Flash: "0xbdbdb71d7860376ba52b25a5028beea23581364a40522f6bcfb86bb1f2dca633",
  SetFeeProtocol: "0x973d8d92bb299f4af6ce49b52a8adb85ae46b9f214c4c4fc06ac77401237b133",
  IncreaseObservationCardinalityNext: "0xac49e518f90a358f652e4400164f05a5d8f7e35e7747279bc3a93dbf584e125a"
} as const

/** The event of a factory's log; undefined if it is another event or malformed. */
export const decodeFactoryLog = (log: ChainLog): FactoryEvent | undefined => {
  const [signature, first, second, third] = log.topics
  if (signature === topics.PoolCreated && hasShape(log, 4, 2)) {
    return {
      ...toPosition(log),
      event: "PoolCreated",
      token0: decodeAddressTopic(first),
      token1: decodeAddressTopic(second),
      fee: Number.parseInt((third ?? "").slice(60), 16),
      tickSpacing: decodeTick(log.data, 0),
      pool: decodeAddress(log.data, 1)
    }
  }
  if (signature === topics.OwnerChanged && hasShape(log, 3, 0)) {
    return { ...toPosition(log), event: "OwnerChanged", newOwner: decodeAddressTopic(second) }
  }
  return undefined
}

export const getPosition = (log: ChainLog, amounts: number) => ({
  ...toPoolPosition(log),
  owner: decodeAddressTopic(log.topics[1]),
  tickLower: decodeTickTopic(log.topics[2]),
  tickUpper: decodeTickTopic(log.topics[3]),
  amount0: decodeUint256(log.data, amounts),
  amount1: decodeUint256(log.data, amounts + 1)
})

/** New shares of the protocol, whose numbers have so many hexadecimal digits; undefined if the log is malformed. */
export const toFeeProtocol = (log: ChainLog, digits: number): PoolEvent | undefined =>
  hasShape(log, 1, 4)
    ? {
        event: "SetFeeProtocol",
        ...toPoolPosition(log),
        feeProtocol0New: decodeSmallUint(log.data, 2, digits),
        feeProtocol1New: decodeSmallUint(log.data, 3, digits)
      }
    : undefined

/** The event of a pool's log; undefined if it is another event or malformed. */
export const decodePoolLog = (log: ChainLog): PoolEvent | undefined => {
  switch (log.topics[0]) {
    case topics.Swap:
      return hasShape(log, 3, 5) ? getSwap(log) : undefined
    case topics.Mint:
      return hasShape(log, 4, 4)
        ? {
            event: "Mint",
            ...getPosition(log, 2),
            sender: decodeAddress(log.data, 0),
            amount: decodeUint256(log.data, 1)
          }
        : undefined
    case topics.Burn:
      return hasShape(log, 4, 3)
        ? { event: "Burn", ...getPosition(log, 1), amount: decodeUint256(log.data, 0) }
        : undefined
    case topics.Collect:
      return hasShape(log, 4, 3) ? { event: "Collect", ...getPosition(log, 1) } : undefined
    case topics.Initialize:
      return hasShape(log, 1, 2)
        ? {
            event: "Initialize",
            ...toPoolPosition(log),
            sqrtPriceX96: decodeUint256(log.data, 0),
            tick: decodeTick(log.data, 1)
          }
        : undefined
    case topics.Flash:
      return hasShape(log, 3, 4)
        ? {
            event: "Flash",
            ...toPoolPosition(log),
            paid0: decodeUint256(log.data, 2),
            paid1: decodeUint256(log.data, 3)
          }
        : undefined
    case topics.SetFeeProtocol:
      return toFeeProtocol(log, 2)
    case topics.IncreaseObservationCardinalityNext:
      return hasShape(log, 1, 2)
        ? {
            event: "IncreaseObservationCardinalityNext",
            ...toPoolPosition(log),
            observationCardinalityNextNew: decodeSmallUint(log.data, 1, 4)
          }
        : undefined
    default:
      return undefined
  }
}

/** The values of a swap in a log that begins as one of Uniswap V3. */
export const getSwap = (log: ChainLog): Swap => ({
  event: "Swap",
  ...toPoolPosition(log),
  sender: decodeAddressTopic(log.topics[1]),
  recipient: decodeAddressTopic(log.topics[2]),
  amount0: decodeInt256(log.data, 0),
  amount1: decodeInt256(log.data, 1),
  sqrtPriceX96: decodeUint256(log.data, 2),
  liquidity: decodeUint256(log.data, 3),
  tick: decodeTick(log.data, 4)
})

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
