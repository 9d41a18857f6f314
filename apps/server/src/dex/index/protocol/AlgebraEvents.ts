import { Struct } from "effect"
import { toPoolPosition, toPosition } from "../decode/ChainEvents.ts"
import type { ChainLog, FactoryEvent, PoolEvent } from "../decode/ChainEvents.ts"
import { decodeAddress, decodeAddressTopic, hasShape, decodeUint256 } from "../decode/LogWords.ts"
import { decodePoolLog, topics as ofUniswap } from "./UniswapV3.ts"

/** The events that all versions of Algebra share. Mint, Collect, Swap, Flash and Initialize are those of Uniswap V3. */
export const topics = {
  Pool: "0x91ccaa7a278130b65168c3a0c8d3bcae84cf5e43704342bd3ec0b59e59c036db",
  OwnershipTransferred: "0x8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e0",
  Fee: "0x598b9f043c813aa6be3426ca60d1c65d17256312890be5118dab55b0775ebe2a",
  ...Struct.pick(ofUniswap, ["Initialize", "Mint", "Burn", "Collect", "Swap", "Flash"])
}

/** The creation of a pool by a log whose topics end with its tokens. */
export const toPoolCreated = (log: ChainLog): FactoryEvent => {
  const [token0, token1] = log.topics.slice(-2)
  return {
    ...toPosition(log),
    event: "PoolCreated",
    token0: decodeAddressTopic(token0),
    token1: decodeAddressTopic(token1),
    // No step of a swap ends at a bound of its own: the ticks of positions are a list.
    tickSpacing: 1,
    pool: decodeAddress(log.data, 0)
  }
}

/** An event of a factory that all versions of Algebra share. */
export const decodeFactory = (log: ChainLog): FactoryEvent | undefined => {
  if (log.topics[0] === topics.Pool && hasShape(log, 3, 1)) return toPoolCreated(log)
  return log.topics[0] === topics.OwnershipTransferred && hasShape(log, 3, 0)
    ? { ...toPosition(log), event: "OwnerChanged", newOwner: decodeAddressTopic(log.topics[2]) }
    : undefined
}

/** An event of a pool that all versions of Algebra share. */
export const decodePool = (log: ChainLog): PoolEvent | undefined => {
  switch (log.topics[0]) {
    case topics.Fee:
      return hasShape(log, 1, 1) ? { ...toPoolPosition(log), event: "Fee", fee: decodeUint256(log.data, 0) } : undefined
    case topics.Initialize:
    case topics.Mint:
    case topics.Burn:
    case topics.Collect:
    case topics.Swap:
    case topics.Flash:
      return decodePoolLog(log)
    default:
      return undefined
  }
}
