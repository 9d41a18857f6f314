import { toPoolPosition, toPosition } from "../decode/ChainEvents.ts"
import type { ChainLog, PairEvent, PoolCreated, SupplyChange } from "../decode/ChainEvents.ts"
import { decodeAddress, decodeAddressTopic, hasShape, decodeUint256 } from "../decode/LogWords.ts"
import { pairState } from "../decode/PoolState.ts"
import type { Protocol } from "./Protocol.ts"

/** The first topics: keccak-256 of the event signatures. */
export const pairTopics = {
  PairCreated: "0x0d3648bd0f6ba80134a33ba9275ac585d9d315f0ad8355cddefde31afa28d0e9",
  Mint: "0x4c209b5fc8ad50758f13e2e1088ba56a560dff690a1c6fef26394f4c03821c4f",
  Burn: "0xdccd412f0b1252819cb1fd330b93224ca42612892bb3f4f789976e6d81936496",
  Swap: "0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822",
  Sync: "0x1c411e9a96e071241c2f21f7726b17ae89e3cab4c78be50e062b03a9fffbbad1",
  Transfer: "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
} as const

const noAccount = `0x${"0".repeat(64)}`
const noAmount = /^0x0*$/

/**
 * Whether a log is a Transfer that changes the supply of its token, if the token is a pair: from the zero address, or to
 * it from the pair itself. A holder may also send LP tokens to the zero address, which leaves the supply as it is. Anyone
 * may call `transferFrom` for any account and an amount of 0: a pair mints and burns more than that.
 */
export const isSupplyChange = ({ address, data, topics: [signature, from, to] }: ChainLog): boolean =>
  signature === pairTopics.Transfer &&
  (from === noAccount || (to === noAccount && from !== undefined && decodeAddressTopic(from) === address)) &&
  !noAmount.test(data)

/** The event of a factory's log; undefined if it is another event or malformed. */
export const decodePairCreated = (log: ChainLog): PoolCreated | undefined =>
  log.topics[0] === pairTopics.PairCreated && hasShape(log, 3, 2)
    ? {
        ...toPosition(log),
        event: "PoolCreated",
        token0: decodeAddressTopic(log.topics[1]),
        token1: decodeAddressTopic(log.topics[2]),
        pool: decodeAddress(log.data, 0)
      }
    : undefined

const decodeSupplyChange = (log: ChainLog): SupplyChange | undefined => {
  if (!hasShape(log, 3, 1) || !isSupplyChange(log)) return undefined
  const value = decodeUint256(log.data, 0)
  return {
    event: "SupplyChange",
    ...toPoolPosition(log),
    change: log.topics[1] === noAccount ? value : -value,
    to: decodeAddressTopic(log.topics[2])
  }
}

const getAmounts = ({ data }: ChainLog) => ({ amount0: decodeUint256(data, 0), amount1: decodeUint256(data, 1) })

/** The event of a pair's log; undefined if it is another event or malformed. */
export const decodePairLog = (log: ChainLog): PairEvent | undefined => {
  const { data, topics } = log
  const position = toPoolPosition(log)
  switch (topics[0]) {
    case pairTopics.Sync:
      return hasShape(log, 1, 2)
        ? { event: "Sync", ...position, reserve0: decodeUint256(data, 0), reserve1: decodeUint256(data, 1) }
        : undefined
    case pairTopics.Swap:
      return hasShape(log, 3, 4)
        ? {
            event: "PairSwap",
            ...position,
            sender: decodeAddressTopic(topics[1]),
            to: decodeAddressTopic(topics[2]),
            in0: decodeUint256(data, 0),
            in1: decodeUint256(data, 1),
            out0: decodeUint256(data, 2),
            out1: decodeUint256(data, 3)
          }
        : undefined
    case pairTopics.Mint:
      return hasShape(log, 2, 2)
        ? { event: "PairMint", ...position, sender: decodeAddressTopic(topics[1]), ...getAmounts(log) }
        : undefined
    case pairTopics.Burn:
      return hasShape(log, 3, 2)
        ? {
            event: "PairBurn",
            ...position,
            sender: decodeAddressTopic(topics[1]),
            to: decodeAddressTopic(topics[2]),
            ...getAmounts(log)
          }
        : undefined
    case pairTopics.Transfer:
      return decodeSupplyChange(log)
    default:
      return undefined
  }
}

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
