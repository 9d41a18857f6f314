import { readUint, readWords } from "../decode/ContractCall.ts"
import type { PoolState } from "../decode/PoolState.ts"

/** What a pool's global state holds in each dialect. */
interface GlobalState {
  readonly sqrtPrice: bigint | undefined
  readonly tick: bigint | undefined
  readonly fee: bigint | undefined
  readonly timepointIndex: bigint | undefined
}

/** How the pools of a dialect state what they hold: `read` finds its values in the first words of the global state. */
export const toAlgebraState = (
  words: number,
  read: (globalState: ReadonlyArray<bigint>) => GlobalState
): PoolState => ({
  calls: [
    { selector: "0xe76c01e4", words }, // globalState()
    { selector: "0x1a686502", words: 1 }, // liquidity()
    { selector: "0x6378ae44", words: 1 }, // totalFeeGrowth0Token()
    { selector: "0xecdecf42", words: 1 }, // totalFeeGrowth1Token()
    { selector: "0x0902f1ac", words: 2 } // getReserves()
  ],
  read: ([globalState, ...results]) => {
    const { fee, sqrtPrice, tick, timepointIndex } = read(readWords(globalState))
    const [liquidity, feeGrowthGlobal0X128, feeGrowthGlobal1X128] = results.slice(0, 3).map(readUint)
    const [reserve0, reserve1] = readWords(results[3])
    if (sqrtPrice === undefined || tick === undefined || fee === undefined) return undefined
    if (timepointIndex === undefined || liquidity === undefined) return undefined
    if (feeGrowthGlobal0X128 === undefined || feeGrowthGlobal1X128 === undefined) return undefined
    if (reserve0 === undefined || reserve1 === undefined) return undefined
    return {
      sqrtPrice,
      tick: Number(BigInt.asIntN(24, tick)),
      observationIndex: Number(timepointIndex),
      feeGrowthGlobal0X128,
      feeGrowthGlobal1X128,
      holdings: { fee, liquidity, reserve0, reserve1 }
    }
  }
})
